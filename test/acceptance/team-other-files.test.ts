/** Texts that leave one file and come into another one, in a checkout that knows the translations only from the lock. */
import { expect, test } from 'vitest';
import { type Checkout, Team } from '../team.ts';

const PROJECT = `defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de]
    routes: [{ from: "{locale}/**/*.{json,md}", lane: text }]`;

const json = (texts: Record<string, string>) => `${JSON.stringify(texts, null, 2)}\n`;
const SECTION = {
  en: '## Install it\n\nRun `make` in the folder of the project.\n',
  de: '## Einrichten\n\n`make` dort aufrufen, wo das Projekt liegt.\n',
};
const GUIDE = {
  en: '# The guide\n\nRead this first.\n\n',
  de: '# Die Anleitung\n\nBitte zuerst lesen.\n\n',
};
const ABOUT = { en: '# About it\n\nSome words.\n', de: '# Darüber\n\nEin paar Worte.\n' };

const FILES = {
  'en/guide.md': GUIDE.en + SECTION.en,
  'de/guide.md': GUIDE.de + SECTION.de,
  'en/about.md': ABOUT.en,
  'de/about.md': ABOUT.de,
  'en/a.json': json({ save: 'Save it', open: 'Open it' }),
  'de/a.json': json({ save: 'Sichern', open: 'Aufmachen' }),
  'en/b.json': json({ close: 'Close it' }),
  'de/b.json': json({ close: 'Zumachen' }),
};

/** Moves a section and a key, without dragoman. */
async function move(checkout: Checkout): Promise<void> {
  await checkout.write({
    'en/guide.md': GUIDE.en.trimEnd().concat('\n'),
    'en/about.md': `${ABOUT.en}\n${SECTION.en}`,
    'en/a.json': json({ open: 'Open it' }),
    'en/b.json': json({ close: 'Close it', save: 'Save it' }),
  });
  checkout.commit('move texts');
}

test.each(['adopted', 'corrected'])(
  'texts that people %s come along in a fresh clone, and plan says so',
  async (how) => {
    const { team, first } = await Team.start(PROJECT, FILES);
    expect(await first.run('once')).toMatchObject({ code: 0, requests: 0 });
    const said = (text: string) =>
      how === 'adopted' ? text : text.replace('Sichern', 'Speichern').replace('dort', 'da');
    await first.write({
      'de/guide.md': said(FILES['de/guide.md']),
      'de/a.json': said(FILES['de/a.json']),
    });
    expect(await first.run('once')).toMatchObject({ code: 0, requests: 0 });
    first.commit('translate');
    await move(first);
    const clone = await team.clone();
    expect((await clone.run('plan')).out).toContain(', 0 characters to be billed');
    expect(await clone.run('once')).toMatchObject({ code: 0, requests: 0 });
    expect(await clone.read('de/about.md')).toBe(`${ABOUT.de}\n${said(SECTION.de)}`);
    expect(JSON.parse(await clone.read('de/b.json'))).toEqual({
      close: 'Zumachen',
      save: said('Sichern'),
    });
    expect(await clone.run('once')).toMatchObject({ code: 0, requests: 0 });
  },
);
