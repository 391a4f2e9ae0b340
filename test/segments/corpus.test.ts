/** The laws of protection and of ICU messages over real strings of public projects. */

import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { partsText } from '../../src/format.ts';
import type { LanguageTag } from '../../src/language.ts';
import { splitIcu } from '../../src/segments/inline/icu.ts';
import { argumentsOf, isIcu, parseIcu } from '../../src/segments/inline/icu-text.ts';
import { protect, worthSending } from '../../src/segments/inline/protect.ts';
import { restore } from '../../src/segments/inline/restore.ts';
import type { SendForm } from '../../src/segments/inline/send-form.ts';
import { CORPUS } from '../corpus.ts';

const TEXTS = join(CORPUS, 'text');
const isHere = existsSync(TEXTS);
const german = 'de' as LanguageTag;
const polish = 'pl' as LanguageTag;
const xml: SendForm = { form: 'xml', version: 'v2', alone: false };

function strings(): Set<string> {
  const found = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value === 'string') found.add(value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
  };
  for (const file of globSync('**/*.{json,arb,xcstrings}', { cwd: TEXTS })) {
    try {
      collect(JSON.parse(readFileSync(join(TEXTS, file), 'utf8')));
    } catch {
      // Some files of the corpus are not strict JSON; the formats' own tests read them.
    }
  }
  return found;
}

test.skipIf(!isHere)(
  'every real string comes back letter for letter from an answer that equals what was sent',
  () => {
    const all = [...strings()].filter((text) => worthSending({ parts: [text], syntax: 'generic' }));
    const broken = all.filter((text) => {
      const sent = protect({ parts: [text], syntax: 'generic' }, xml);
      const restored = restore(sent.text, sent, german);
      return !('parts' in restored) || partsText(restored.parts) !== text;
    });
    expect(all.length).toBeGreaterThan(1000);
    expect(broken).toEqual([]);
  },
);

test.skipIf(!isHere)(
  'every real ICU message with branches becomes a Polish one with the same arguments',
  () => {
    const messages = [...strings()].filter(
      (text) => isIcu({ parts: [text], syntax: 'generic' }) && parseIcu(text) !== undefined,
    );
    const joined = messages.flatMap((text) => {
      const message = splitIcu({ parts: [text], syntax: 'generic' }, polish);
      return message
        ? [[text, partsText(message.join(message.texts.map((t) => t.parts)))] as const]
        : [];
    });
    expect(messages.length).toBeGreaterThan(0);
    expect(joined.length).toBeGreaterThanOrEqual(messages.length * 0.98);
    for (const [text, polishText] of joined)
      expect(argumentsOf([polishText])).toEqual(argumentsOf([text]));
  },
);
