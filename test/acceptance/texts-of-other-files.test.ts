/** Texts that leave one file of a project and come into another one: the translation that a person wrote comes along. */
import { expect, test } from 'vitest';
import { billed } from '../counts.ts';
import { Rig } from '../rig.ts';

const CONFIG = `
defaults: { settle_ms: 0 }
projects:
  site:
    source: en
    targets: [fr]
    routes:
      - { from: "docs/{locale}/**/*.md", lane: text }
      - { from: "app/{locale}/*.json", lane: text }
`;

const INSTALL = {
  en: '## Install it\n\nRun `make` in the folder of the project.\n\n',
  fr: '## L’installer\n\nLancez `make` là où se trouve le projet.\n\n',
};
const GUIDE = {
  en: { before: '# The guide\n\nRead this first.\n\n', after: '## The end\n\nThat was all.\n' },
  fr: {
    before: '# Le guide\n\nÀ lire en premier.\n\n',
    after: '## La fin\n\nC’était tout.\n',
  },
};
const SETUP = {
  en: '# The setup\n\nPrepare your machine.\n\n',
  fr: '# Les préparatifs\n\nPréparez votre machine.\n\n',
};

const guide = (language: 'en' | 'fr', section = '') =>
  `${GUIDE[language].before}${section}${GUIDE[language].after}`;

const PAGES = {
  'docs/en/guide.md': guide('en', INSTALL.en),
  'docs/fr/guide.md': guide('fr', INSTALL.fr),
  'docs/en/setup.md': SETUP.en,
  'docs/fr/setup.md': SETUP.fr,
};

/** `a-setup.md` is worked on before the page that loses the section, `setup.md` after it. */
test.each(['setup', 'a-setup'])(
  'a section that moves to the page %s takes the translation of a person along, and plan says so',
  async (name) => {
    await using rig = await Rig.start({
      config: CONFIG,
      files: {
        'docs/en/guide.md': guide('en', INSTALL.en),
        'docs/fr/guide.md': guide('fr', INSTALL.fr),
        [`docs/en/${name}.md`]: SETUP.en,
        [`docs/fr/${name}.md`]: SETUP.fr,
      },
    });
    expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
    rig.write('docs/en/guide.md', guide('en'));
    rig.write(`docs/en/${name}.md`, SETUP.en + INSTALL.en);
    expect(await planned(rig)).toEqual({ characters: 0, bought: 0 });
    expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
    expect(rig.read(`docs/fr/${name}.md`)).toBe(SETUP.fr + INSTALL.fr);
    expect(rig.read('docs/fr/guide.md')).toBe(guide('fr'));
    expect(billed(rig)).toBe(0);
  },
);

test('a section comes to a new page in a later run than it left the old one, and is a person’s text there', async () => {
  await using rig = await Rig.start({ config: CONFIG, files: PAGES });
  await rig.once();
  const corrected = INSTALL.fr.replace('Lancez', 'Exécutez');
  rig.write('docs/fr/guide.md', guide('fr', corrected));
  await rig.once();
  rig.write('docs/en/guide.md', guide('en'));
  await rig.once();
  rig.write('docs/en/install.md', INSTALL.en);
  expect(await planned(rig)).toEqual({ characters: 0, bought: 0 });
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  expect(rig.read('docs/fr/install.md').trim()).toBe(corrected.trim());
  // An edit of a person is not replaced when its source changes.
  rig.write('docs/en/install.md', INSTALL.en.replace('Run', 'Now run'));
  await rig.once();
  expect(rig.read('docs/fr/install.md')).toContain('Exécutez');
});

test('the sections of a page that is deleted keep their translations in the pages that get them', async () => {
  await using rig = await Rig.start({ config: CONFIG, files: PAGES });
  await rig.once();
  rig.remove('docs/en/guide.md');
  rig.write('docs/en/setup.md', SETUP.en + INSTALL.en);
  expect(await planned(rig)).toEqual({ characters: 0, bought: 0 });
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  expect(rig.read('docs/fr/setup.md')).toBe(SETUP.fr + INSTALL.fr);
});

const json = (texts: Readonly<Record<string, string>>) => `${JSON.stringify(texts, null, 2)}\n`;

test('a key that moves to another file takes the translation of a person along, by its name where texts are equal', async () => {
  await using rig = await Rig.start({
    config: CONFIG,
    files: {
      'app/en/common.json': json({ open: 'Open', door: 'Open', save: 'Save it' }),
      'app/fr/common.json': json({ open: 'Ouvrir', door: 'Ouvert', save: 'Enregistrer' }),
      'app/en/dialog.json': json({ close: 'Close' }),
      'app/fr/dialog.json': json({ close: 'Fermer' }),
    },
  });
  await rig.once();
  rig.write('app/en/common.json', json({ save: 'Save it' }));
  rig.write('app/en/dialog.json', json({ close: 'Close', door: 'Open', open: 'Open' }));
  expect(await planned(rig)).toEqual({ characters: 0, bought: 0 });
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  expect(JSON.parse(rig.read('app/fr/dialog.json'))).toEqual({
    close: 'Fermer',
    door: 'Ouvert',
    open: 'Ouvrir',
  });
});

test('a text that two files lose with different translations is bought, and so is one that stays in its file', async () => {
  await using rig = await Rig.start({
    config: CONFIG,
    files: {
      'app/en/a.json': json({ a: 'Open', keep: 'Keep it', more: 'More' }),
      'app/fr/a.json': json({ a: 'Ouvrir', keep: 'Garder', more: 'Plus' }),
      'app/en/b.json': json({ b: 'Open', less: 'Less' }),
      'app/fr/b.json': json({ b: 'Ouvert', less: 'Moins' }),
    },
  });
  await rig.once();
  rig.write('app/en/a.json', json({ keep: 'Keep it', more: 'More' }));
  rig.write('app/en/b.json', json({ less: 'Less' }));
  rig.write('app/en/c.json', json({ c: 'Open', kept: 'Keep it' }));
  const plan = await planned(rig);
  expect(plan).toEqual({ characters: 'Open'.length + 'Keep it'.length, bought: 2 });
  await rig.once();
  expect(billed(rig)).toBe(plan.characters);
});

test('texts that move between large files, which are read on threads, take their translations along', async () => {
  const many = (name: string, language: string) =>
    Object.fromEntries(
      Array.from({ length: 800 }, (_, n) => [
        `${name}${n}`,
        `The text ${n} of ${name} in ${language}, with some more words`,
      ]),
    );
  const moved = (language: string) => ({ moved: `Moved from here in ${language}` });
  const files = (language: string) => ({
    a: many('a', language),
    b: { ...many('b', language), ...moved(language) },
  });
  const [en, fr] = [files('en'), files('fr')];
  await using rig = await Rig.start({
    config: CONFIG,
    files: {
      'app/en/a.json': json(en.a),
      'app/fr/a.json': json(fr.a),
      'app/en/b.json': json(en.b),
      'app/fr/b.json': json(fr.b),
    },
  });
  await rig.once();
  rig.write('app/en/a.json', json({ ...en.a, ...moved('en') }));
  rig.write('app/en/b.json', json(many('b', 'en')));
  expect(await planned(rig)).toEqual({ characters: 0, bought: 0 });
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  expect(JSON.parse(rig.read('app/fr/a.json'))).toEqual({ ...fr.a, ...moved('fr') });
  expect(JSON.parse(rig.read('app/fr/b.json'))).toEqual(many('b', 'fr'));
});

async function planned(rig: Rig): Promise<{ characters: number; bought: number }> {
  const { stdout } = await rig.run('plan', '--json');
  const plan = JSON.parse(stdout) as {
    estimated_characters: number;
    languages: readonly { bought: number }[];
  };
  return {
    characters: plan.estimated_characters,
    bought: plan.languages.reduce((sum, { bought }) => sum + bought, 0),
  };
}
