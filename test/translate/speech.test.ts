/** How speech is sent: batches that end at pauses, the film around them as context, answers read for their words. */
import { describe, expect, test } from 'vitest';
import { partsText } from '../../src/format.ts';
import { parseLanguage } from '../../src/language.ts';
import { memoryKey, type Recipe } from '../../src/plan/recipe.ts';
import { jsonBytes, MAX_TEXTS, Packer } from '../../src/segments/batch.ts';
import { protect } from '../../src/segments/inline/protect.ts';
import { restore } from '../../src/segments/inline/restore.ts';
import { nextSendForm } from '../../src/segments/inline/send-form.ts';
import { SCENE_BYTES, sceneAround, textRequestFor } from '../../src/translate/request.ts';

const german = parseLanguage('de') as NonNullable<ReturnType<typeof parseLanguage>>;
const texts = Array.from({ length: 100 }, (_, nth) => `Sentence ${nth}.`);
const sceneOf = (at: number, film = texts) => ({ texts: film, at, pause: 0 });

describe('batches', () => {
  const item = (nth: number, pause?: number) => ({
    group: 'film',
    text: `Sentence ${nth}.`,
    ...(pause === undefined ? {} : { pause }),
  });
  const pack = (pauses: readonly (number | undefined)[]) => {
    const packer = new Packer<ReturnType<typeof item>>({ fixedBytes: () => 100 });
    const batches = pauses.flatMap((pause, nth) => {
      const packed = packer.add(item(nth, pause));
      return packed.kind === 'packed' ? packed.full : [];
    });
    return [...batches, ...packer.flush()];
  };

  test('of speech end before the longest of the last pauses, and lose nothing', () => {
    const batches = pack(Array.from({ length: 120 }, (_, nth) => (nth === 45 ? 9000 : 100)));
    expect(batches[0]?.items).toHaveLength(45);
    expect(batches.flatMap(({ items }) => items.map(({ text }) => text))).toEqual(
      Array.from({ length: 120 }, (_, nth) => `Sentence ${nth}.`),
    );
    for (const { items, bytes } of batches) {
      expect(items.length).toBeLessThanOrEqual(MAX_TEXTS);
      const sum = items.reduce((total, { text }) => total + 1 + jsonBytes(text), 99);
      expect(bytes).toBe(sum);
    }
  });

  test('of other texts are filled to the brim', () => {
    expect(pack(Array.from({ length: 120 }, () => undefined)).map((b) => b.items.length)).toEqual([
      50, 50, 20,
    ]);
  });
});

describe('the scene', () => {
  test('is what is said up to ten sentences before and five after', () => {
    const around = sceneAround([sceneOf(20), sceneOf(21), sceneOf(22)]);
    expect(around).toEqual([...texts.slice(10, 20), ...texts.slice(23, 28)]);
    expect(sceneAround([sceneOf(0)])).toEqual(texts.slice(1, 6));
  });

  test('keeps to its bytes, the nearest sentences first', () => {
    const long = texts.map((text) => text.padEnd(1000, '.'));
    const around = sceneAround([sceneOf(50, long)]);
    expect(jsonBytes(around.join('\n'))).toBeLessThanOrEqual(SCENE_BYTES);
    expect(around).toContain(long[49]);
    expect(around).toContain(long[51]);
  });

  test('goes into the unbilled context of a request, behind the note of the project', () => {
    const recipe = { key: 'k', target: german, context: 'A comedy', customInstructions: [] };
    const kind = { form: 'plain', version: 'v2', content: 'speech' } as const;
    const lines = [{ text: texts[1] ?? '', note: undefined, scene: sceneOf(1) }];
    const body = textRequestFor({ recipe: recipe as unknown as Recipe, ...kind }, lines, {});
    expect(body.context).toBe(['A comedy', texts[0], ...texts.slice(2, 7)].join('\n'));
  });

  test.for([
    ['speech', 'plain', 'One line.', 'nonewlines'],
    ['speech', 'xml', 'One line.', 'nonewlines'],
    ['strings', 'plain', 'Two\nlines', 'nonewlines'],
    ['strings', 'xml', 'Two\nlines', 'nonewlines'],
    ['strings', 'plain', 'One line.', '0'],
    ['strings', 'xml', 'One line.', '0'],
  ] as const)('%s as %s: %j asks to split at %s', ([content, form, text, expected]) => {
    const recipe = { key: 'k', target: german, customInstructions: [] } as unknown as Recipe;
    const kind = { recipe, form, version: 'v1', content } as const;
    expect(textRequestFor(kind, [{ text, note: undefined }], {}).split_sentences).toBe(expected);
  });
});

describe('answers', () => {
  const attempt = { form: 'plain', version: 'v2', alone: false } as const;
  const read = (answer: string, sent: ReturnType<typeof protect>) => {
    const restored = restore(answer, sent, german);
    return 'parts' in restored ? partsText(restored.parts) : restored.problem;
  };

  test('may have other line breaks than the text, and are not asked for again', () => {
    const sent = protect({ parts: ['We were\nalone.'], syntax: 'subtitle' }, attempt);
    expect(read('Wir waren allein.', sent)).toBe('Wir waren allein.');
    expect(read('Wir\nwaren\nallein.', sent)).toBe('Wir\nwaren\nallein.');
    expect(nextSendForm(attempt, sent)).toBeUndefined();
  });

  test('keep markup that came back whole, and go without what did not', () => {
    const parts = [
      'We were ',
      { raw: '<i>', pair: { id: 0, side: 'open' } },
      'so & so',
      { raw: '</i>', pair: { id: 0, side: 'close' } },
      '\nalone.',
    ] as const;
    const sent = protect({ parts, syntax: 'subtitle' }, { ...attempt, form: 'xml' });
    expect(sent.text).toBe('We were <g id="0">so &amp; so</g>\nalone.');
    expect(read('Wir waren <g id="0">so &amp; so</g>\nallein.', sent)).toBe(
      'Wir waren <i>so & so</i>\nallein.',
    );
    // A blank that was eaten beside it comes back, and none at the line break.
    expect(read('Wir waren<g id="0">so</g>\nallein.', sent)).toBe('Wir waren <i>so</i>\nallein.');
    expect(read('Wir waren so &amp; so\nallein.', sent)).toBe('Wir waren so & so\nallein.');
    expect(read('Wir waren <g id="0">so\nallein.', sent)).toBe('Wir waren so\nallein.');
  });
});

test('texts of a scope have a memory of their own', () => {
  const recipe = { key: 'abc' } as Recipe;
  expect(memoryKey({ recipe })).toBe('abc');
  expect(memoryKey({ recipe, scope: 'film' })).not.toBe('abc');
});
