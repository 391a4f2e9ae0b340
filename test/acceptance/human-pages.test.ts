/** Pages that people translated: their lines around the sentences stay, at first contact and in every later run. */
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
      - { from: "docs/{locale}/**/*.{md,mdx,html,txt,ttml}", lane: text }
`;

const PAGES: Readonly<Record<string, { readonly en: string; readonly fr: string }>> = {
  'guide.md': {
    en: 'See [the guide][x] first.\n\n```js\n// start here\nrun();\n```\n\n<!-- keep -->\nThe end.\n\n[x]: /en/x/\n',
    fr: 'Voir [le guide][x] d’abord.\n\n```js\n// commencez ici\nrun();\n```\n\n<!-- garder -->\nLa fin.\n\n[x]: /fr/x/\n',
  },
  'page.mdx': {
    en: 'import Foo from \'../../c/foo.astro\'\n\n# Hello\n\n<Foo to="/en/" />\n',
    fr: 'import Foo from \'../../../c/foo.astro\'\n\n# Bonjour\n\n<Foo to="/fr/" />\n',
  },
  'windows.md': {
    en: '# Hello\n\nA text.\n',
    fr: '\ufeff# Bonjour\r\n\r\nUn texte.\r\n',
  },
  'index.html': {
    en: '<!doctype html>\n<html lang="en"><body>\n<p>Hello</p>\n<script>\n// start\n</script>\n</body></html>\n',
    fr: '<!doctype html>\r\n<html lang="fr-FR"><body class="fr">\r\n<p>Bonjour</p>\r\n<script>\r\n// début\r\n</script>\r\n</body></html>\r\n',
  },
  'note.txt': { en: 'Hello\n\nBye\n', fr: '  Bonjour\r\n\r\n\r\n  Salut' },
  'film.ttml': {
    en: '<tt xml:lang="en"><body><div>\n<p begin="00:01" end="00:02">Hello</p>\n</div></body></tt>\n',
    fr: '<tt xml:lang="fr"><body><div>\n<p begin="00:01.5" end="00:02">Bonjour</p>\n</div></body></tt>\n',
  },
};

const FILES = Object.fromEntries(
  Object.entries(PAGES).flatMap(([name, { en, fr }]) => [
    [`docs/en/${name}`, en],
    [`docs/fr/${name}`, fr],
  ]),
);

test('at first contact and later, pages that people translated keep every byte and cost nothing', async () => {
  await using rig = await Rig.start({ config: CONFIG, files: FILES });
  const modified = Object.keys(PAGES).map((name) => rig.modified(`docs/fr/${name}`));
  for (const _run of ['first', 'second']) {
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 0, requests: 0 });
    for (const [name, { fr }] of Object.entries(PAGES)) {
      expect(rig.read(`docs/fr/${name}`), name).toBe(fr);
    }
  }
  expect(Object.keys(PAGES).map((name) => rig.modified(`docs/fr/${name}`))).toEqual(modified);
  expect(billed(rig)).toBe(0);
});

test('front matter is matched by its keys: another order is adopted, and no key is written twice', async () => {
  const page = (matter: string, rest: string) => `---\n${matter}---\n\n${rest}`;
  const rest = { en: '# Getting started\n\nA text.\n', fr: '# Pour commencer\n\nUn texte.\n' };
  const fr = page('sidebar_label: Début\ntagline: Un mot\ndraft: false\ntitle: Guide\n', rest.fr);
  await using rig = await Rig.start({
    config: CONFIG,
    files: {
      'docs/en/a.md': page('title: The guide\nsidebar_label: Start\n', rest.en),
      'docs/fr/a.md': fr,
    },
  });
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 0, requests: 0 });
  rig.write(
    'docs/en/a.md',
    page('title: The guide\ntagline: A word\nsidebar_label: Start\n', rest.en),
  );
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  expect(rig.read('docs/fr/a.md')).toBe(fr);
  rig.write(
    'docs/en/a.md',
    page('title: The guide\ntagline: A word\nsidebar_label: Begin\n', rest.en),
  );
  expect(await rig.once()).toMatchObject({ code: 0, billed_characters: 'Begin'.length });
  expect(rig.read('docs/fr/a.md').replace(/(?<=^sidebar_label: ).*/m, 'Début')).toBe(fr);
});

test('texts in the head of an HTML page are matched by their names, in any order', async () => {
  const head = (...lines: string[]) =>
    `<!doctype html>\n<html><head>\n${lines.join('\n')}\n</head><body><p>x 1</p></body></html>\n`;
  const meta = (name: string, text: string) => `<meta name="${name}" content="${text}">`;
  const fr = head(
    '<meta content="Une page" name="description">',
    meta('keywords', 'page, site'),
    '<title>Titre</title>',
  );
  await using rig = await Rig.start({
    config: CONFIG,
    files: {
      'docs/en/a.html': head('<title>Title</title>', meta('description', 'A page')),
      'docs/fr/a.html': fr,
    },
  });
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  expect(rig.read('docs/fr/a.html')).toBe(fr);
  rig.write('docs/en/a.html', head('<title>Title</title>', meta('description', 'A whole page')));
  expect(await rig.once()).toMatchObject({ code: 0, billed_characters: 'A whole page'.length });
  expect(
    rig.read('docs/fr/a.html').replace(/(?<=content=")[^"]*(?=" name="desc)/, 'Une page'),
  ).toBe(fr);
});

test('changes of a person around the sentences of a delivered page stay', async () => {
  const { en } = PAGES['guide.md'] ?? { en: '' };
  await using rig = await Rig.start({ config: CONFIG, files: { 'docs/en/guide.md': en } });
  await rig.once();
  const edited = rig
    .read('docs/fr/guide.md')
    .replace('// start here', '// commencez ici')
    .replace('/en/x/', '/fr/x/');
  rig.write('docs/fr/guide.md', edited);
  const before = billed(rig);
  await rig.once();
  expect(rig.read('docs/fr/guide.md')).toBe(edited);
  await rig.once();
  expect(rig.read('docs/fr/guide.md')).toBe(edited);
  expect(billed(rig)).toBe(before);
});

test('the plan says what it adopts, buys and holds', async () => {
  const { en, fr } = PAGES['guide.md'] ?? { en: '', fr: '' };
  const added = 'A paragraph that the French page lacks, and which is longer than the others.\n\n';
  await using rig = await Rig.start({
    config: CONFIG,
    files: {
      'docs/en/guide.md': en.replace('The end.', `${added}The end.`),
      'docs/fr/guide.md': fr,
      'docs/en/other.md': '# One\n\nTwo\n\n- Three\n- Four\n',
      'docs/fr/other.md': `${'Une page tout à fait différente. '.repeat(20)}\n`,
    },
  });
  const plan = JSON.parse((await rig.run('plan', '--json')).stdout) as {
    jobs: Record<string, unknown>[];
  };
  expect(plan.jobs).toMatchObject([
    { source: 'docs/en/guide.md', texts: { adopted: 2, bought: 1, held: 0, conflicts: 0 } },
    { source: 'docs/en/other.md', would_hold: expect.stringContaining('another structure') },
  ]);
  const { stdout } = await rig.run('plan');
  expect(stdout).toContain('adopts 2, buys 1');
  expect(stdout).toContain('2 texts adopted unchanged');
  expect(await rig.once()).toMatchObject({ code: 2, billed_characters: added.trim().length });
});

test('when a person joined two paragraphs and one source changes, there is a conflict, and the page has the paragraph once', async () => {
  const en = [
    '# Install',
    'First, download the archive from the page.',
    'Then unpack it into a folder.',
    'See 8080.',
  ];
  const fr = [
    '# Installer',
    "Téléchargez d'abord l'archive de la page et décompressez-la ensuite dans un dossier.",
    'Voir 8080.',
  ];
  const page = (lines: readonly string[]) => `${lines.join('\n\n')}\n`;
  await using rig = await Rig.start({
    config: CONFIG,
    files: {
      'docs/en/a.md': page(en),
      'docs/fr/a.md': page(
        fr.toSpliced(
          1,
          1,
          "Téléchargez d'abord l'archive de la page.",
          'Décompressez-la ensuite dans un dossier.',
        ),
      ),
    },
  });
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  rig.write('docs/fr/a.md', page(fr));
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  rig.write('docs/en/a.md', page(en.with(2, 'Then unpack it into a directory.')));
  expect(await rig.once()).toMatchObject({ code: 2, held: [{ reason: expect.any(String) }] });
  expect(rig.read('docs/fr/a.md')).toBe(page(fr));
  expect((await rig.run('status')).stdout).toContain('Then unpack it into a directory.');
});

const STEPS = [
  ['Run the first command in the folder.', 'Lancez la première commande dans le dossier.'],
  ['Then wait until the machine is ready.', 'Attendez ensuite que la machine soit prête.'],
  ['At last open the door to the garden.', 'Ouvrez enfin la porte du jardin.'],
] as const;
const stepsPage = (between: string, language: 0 | 1, last = ['That was all.', 'C’était tout.']) =>
  `${[['# Steps', '# Étapes'][language], STEPS.map((step) => step[language]).join(between), last[language]].join('\n\n')}\n`;

/** A page of the guide with its translation, both adopted. */
async function stepsWith(between: string): Promise<Rig> {
  const files = { 'docs/en/a.md': stepsPage(between, 0), 'docs/fr/a.md': stepsPage(between, 1) };
  const rig = await Rig.start({ config: CONFIG, files });
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  return rig;
}

test.each([
  { name: 'cuts a paragraph into pieces', from: ' ', to: '\n\n' },
  { name: 'joins paragraphs', from: '\n\n', to: ' ' },
])(
  'when a person $name on both sides, nothing is bought, and both pages stay',
  async ({ from, to }) => {
    await using rig = await stepsWith(from);
    const edited = ['That is all.', 'C’était tout.'];
    rig.write('docs/en/a.md', stepsPage(to, 0, edited));
    rig.write('docs/fr/a.md', stepsPage(to, 1));
    const plan = JSON.parse((await rig.run('plan', '--json')).stdout);
    expect(plan.estimated_characters).toBe('That is all.'.length);
    expect(await rig.once()).toMatchObject({ code: 0, billed_characters: 'That is all.'.length });
    expect(rig.read('docs/fr/a.md').split('\n\n').slice(0, -1)).toEqual(
      stepsPage(to, 1).split('\n\n').slice(0, -1),
    );
    // Each piece goes on by itself.
    rig.write('docs/en/a.md', stepsPage(to, 0, edited).replace('first', 'second'));
    await rig.once();
    expect(rig.read('docs/fr/a.md')).not.toContain('Lancez');
    expect(rig.read('docs/fr/a.md').includes('Ouvrez')).toBe(to !== ' ');
  },
);

test('a source that is cut into pieces where its translation is cut since an earlier run buys nothing', async () => {
  await using rig = await stepsWith(' ');
  rig.write('docs/fr/a.md', stepsPage('\n\n', 1));
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  rig.write('docs/en/a.md', stepsPage('\n\n', 0));
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  expect(rig.read('docs/fr/a.md')).toBe(stepsPage('\n\n', 1));
});

test('a text that a person added behind a translation is no piece of it when the source is cut', async () => {
  await using rig = await stepsWith(' ');
  const note = 'Une remarque de la traductrice sur tout cela, pour vous.';
  rig.write('docs/fr/a.md', stepsPage(' ', 1).replace('jardin.', `jardin.\n\n${note}`));
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  rig.write('docs/en/a.md', stepsPage(' ', 0).replace(' At last', '\n\nAt last'));
  expect((await rig.once()).billed_characters).toBeGreaterThan(0);
  expect(rig.read('docs/fr/a.md')).toContain(note);
});

test('an item of which the target has only the code is neither added nor bought, and new items beside it are', async () => {
  const en = '# Events\n\n* `open` Opens it\n* `event` Event\n* `close` Closes it\n';
  const de = '# Ereignisse\n\n* `open` Öffnet es\n* `event`\n* `close` Schließt es\n';
  await using rig = await Rig.start({
    config: CONFIG.replace('[fr]', '[de]'),
    files: { 'docs/en/a.md': en, 'docs/de/a.md': de },
  });
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  expect(rig.read('docs/de/a.md')).toBe(de);
  rig.write('docs/en/a.md', en.replace('` Event', '` The event'));
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  expect(rig.read('docs/de/a.md')).toBe(de);
  rig.write('docs/en/a.md', en.replace('* `close`', '* `error` Something failed\n* `close`'));
  expect(await rig.once()).toMatchObject({ code: 0, requests: 1 });
  expect(rig.read('docs/de/a.md')).toMatch(/\* `event`\n\* `error` .+\n\* `close` Schließt es\n$/);
});

test('a page where many paragraphs cannot be paired is named once by each command', async () => {
  const sections = [...Array(6).keys()].map((nth) => {
    const head = (word: string) => [1, 2, 3, 4].map((part) => `## ${word} \`c${nth}${part}\``);
    return {
      en: [
        ...head('Part'),
        'Some words of text here.',
        'Other words of text there.',
        'Third words.',
      ],
      fr: [...head('Partie'), 'Des mots de texte ici.', 'Autres mots de texte.'],
    };
  });
  const page = (language: 'en' | 'fr') =>
    `${sections.flatMap((section) => section[language]).join('\n\n')}\n`;
  await using rig = await Rig.start({
    config: CONFIG,
    files: { 'docs/en/a.md': page('en'), 'docs/fr/a.md': page('fr') },
  });
  const count = (text: string) => text.split('it is not clear which paragraphs').length - 1;
  for (const command of ['plan', 'once', 'status', 'check']) {
    const { stdout, stderr } = await rig.run(command);
    const said = command === 'plan' ? stderr : stdout;
    expect(count(said), `${command}:\n${said}`).toBe(1);
    expect(said).not.toMatch(/[0-9a-f]{16}/);
  }
  expect((await rig.run('status')).stdout).toContain(
    'of the target and 3 places more; make both files equal',
  );
});

test('the tags that a person wrote beside a text stay beside it, when new texts of the source come in', async () => {
  const item = (tag: string, name: string, text: string) =>
    `<${tag}><a id="${name}">${text}</a></${tag}>\n<dd>${text}, <a href="${name}.html">${name}</a>.</dd>\n`;
  const en = `<dl>\n${item('dt', 'one', 'First text')}\n${item('dt', 'two', 'Second text')}</dl>\n`;
  const fr = `<dl>\n${item('dd', 'two', 'Second texte')}</dl>\n`;
  await using rig = await Rig.start({
    config: CONFIG,
    files: { 'docs/en/a.html': en, 'docs/fr/a.html': fr },
  });
  expect(await rig.once()).toMatchObject({ code: 0 });
  const [, mine] = rig.read('docs/fr/a.html').split('\n\n');
  expect(`<dl>\n${mine}`).toBe(fr);
});

test('a new text that would leave a tag of a page unclosed is held, and not paid for', async () => {
  const end = '<p>The end of <a href="c.html">C</a>.</p>\n';
  const en = `<p>The state, see <a href="a.html">A</a>.</p>\n<dl>\n<dt>HIT</dt><dd>From the cache, see <a href="b.html">B</a>.</dd>\n</dl>\n${end}`;
  const fr =
    '<p>L’état, voir <a href="a.html">A</a>.</p>\n<p>Du cache, voir <a href="b.html">B</a>.</p>\n<p>La fin de <a href="c.html">C</a>.</p>\n';
  await using rig = await Rig.start({
    config: CONFIG,
    files: { 'docs/en/a.html': en, 'docs/fr/a.html': fr },
  });
  expect(await rig.once()).toMatchObject({ code: 2 });
  expect(rig.read('docs/fr/a.html')).toBe(fr);
  expect(billed(rig)).toBe(0);
});

const REMOVALS = {
  'docs/en/p.md': '# A title\n\nThe first words.\n\nThe last words.\n',
  'docs/en/f.srt':
    '1\n00:00:01,000 --> 00:00:03,000\nHello.\n\n2\n00:00:10,000 --> 00:00:13,000\nGoodbye.\n',
};

test.each(['', 'lock: dragoman.lock\n'])(
  'outside of git, plan and run say which texts of a translation count as removed by a person (%j)',
  async (lock) => {
    await using rig = await Rig.start({
      config: `${lock}${CONFIG.replace('ttml}", lane: text }', 'ttml}", lane: text }\n      - { from: "docs/{locale}/*.srt" }')}`,
      files: REMOVALS,
    });
    expect(await rig.once()).toMatchObject({ code: 0 });
    for (const path of Object.keys(REMOVALS)) {
      const target = path.replace('/en/', '/fr/');
      const text = rig.read(target).trimEnd();
      rig.write(target, `${text.slice(0, text.lastIndexOf('\n\n'))}\n`);
    }
    const said = Object.entries({ p: 'md', f: 'srt' }).map(([name, ending]) =>
      expect.stringMatching(
        new RegExp(
          `docs/en/${name}.${ending} .fr.: 1 text of the translation left it, and will not`,
        ),
      ),
    );
    for (const command of ['plan', 'once']) {
      const { notes } = JSON.parse((await rig.run(command, '--json')).stdout);
      expect.soft(notes, command).toEqual(expect.arrayContaining(said));
    }
    const { code, notes } = (await rig.once()) as unknown as { code: number; notes: string[] };
    expect({ code, left: notes.filter((note) => note.includes('left it')) }).toEqual({
      ...{ code: 0, left: [] },
    });
  },
);

test('a glossary that is sorted by the translated terms keeps them, and a changed explanation replaces its own', async () => {
  const terms = (...entries: readonly (readonly [id: string, term: string, text: string])[]) =>
    entries.map(([id, term, text]) => `<dt id="${id}">${term}</dt><dd>${text}</dd>\n`).join('');
  const access = 'Limits of what somebody may open.';
  const en = (text: string) =>
    `<dl>\n${terms(['access', 'Access', text], ['cipher', 'Cipher', 'A way to hide what is written.'], ['key', 'Key', 'Opens what is hidden.'])}</dl>\n`;
  const fr = (text: string) =>
    `<dl>\n${terms(['cipher', 'Chiffre', 'Un moyen de cacher ce qui est écrit.'], ['key', 'Clé', 'Ouvre ce qui est caché.'], ['access', 'Contrôle', text])}</dl>\n`;
  const kept = 'Limites de ce qu’on peut ouvrir.';
  await using rig = await Rig.start({
    config: CONFIG,
    files: { 'docs/en/words.html': en(access), 'docs/fr/words.html': fr(kept) },
  });
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  expect(rig.read('docs/fr/words.html')).toBe(fr(kept));
  const changed = 'Limits of what anybody may open.';
  rig.write('docs/en/words.html', en(changed));
  expect(await rig.once()).toMatchObject({ code: 0, requests: 1 });
  expect(billed(rig)).toBe(changed.length);
  expect(rig.read('docs/fr/words.html')).toMatch(/^<dl>\n<dt id="cipher">Chiffre/);
  expect(rig.read('docs/fr/words.html')).not.toContain(kept);
  const bought = /Contrôle<\/dt><dd>(.*)<\/dd>/.exec(rig.read('docs/fr/words.html'))?.[1] ?? '';
  expect(rig.read('docs/fr/words.html')).toBe(fr(bought));
});
