/**
 * Pages of a team: a fresh clone follows moved, new and removed paragraphs of the source like the checkout that translated the page.
 */
import { expect, test } from 'vitest';
import { notedGit } from '../git.ts';
import { Seeded } from '../seeded.ts';
import { Team } from '../team.ts';

const PAGES = `defaults: { settle_ms: 0 }
projects:
  docs:
    source: en
    targets: [de]
    routes: [{ from: "docs/{locale}/*.md" }]`;

const WORDS =
  'open close start stop server client file folder page line token key user team order price list image video sound table graph'.split(
    ' ',
  );

function sentence(random: Seeded): string {
  const words = Array.from(
    { length: 5 + random.below(8) },
    () => WORDS[random.below(WORDS.length)],
  );
  return `The ${words.join(' ')}.`;
}

/** Paragraphs, items of a list and code: as documentation has them. */
function pageOf(texts: readonly string[]): string {
  const blocks = texts.map((text, at) =>
    text.startsWith('# ') || at % 3 > 0 ? text : `${text}\n\n\`\`\`sh\nrun\n\`\`\``,
  );
  return `${blocks.join('\n\n')}\n`;
}

function edited(texts: readonly string[], random: Seeded): string[] {
  const now = [...texts];
  for (let moves = random.below(3); moves > 0; moves -= 1) {
    const [text = ''] = now.splice(1 + random.below(now.length - 1), 1);
    now.splice(1 + random.below(now.length), 0, text);
  }
  if (random.below(2) === 0) now.splice(1 + random.below(now.length - 1), 1);
  if (random.below(2) === 0) now.splice(1 + random.below(now.length), 0, sentence(random));
  if (random.below(2) === 0) {
    const at = 1 + random.below(now.length - 1);
    now[at] = `${now[at]} And more.`;
  }
  return now;
}

test('a fresh clone writes every page as the checkout that made it does, whatever the source moved, added, took out and changed', async () => {
  const pages = Array.from({ length: 60 }, (_, seed) => {
    const random = new Seeded(seed, 14);
    const texts = [
      `# Page ${seed}`,
      ...Array.from({ length: 4 + random.below(5) }, () => sentence(random)),
    ];
    return { path: `docs/en/page-${seed}.md`, texts, now: edited(texts, random) };
  });
  const files = (of: 'texts' | 'now') =>
    Object.fromEntries(pages.map((page) => [page.path, pageOf(page[of])]));
  const { team, first } = await Team.start(PAGES, files('texts'));
  await first.run('once');
  first.commit('translate');
  for (const [nth, { path, texts, now }] of pages.entries()) {
    const stays = texts.findIndex((text, at) => at > 1 && now.includes(text));
    if (nth % 3 > 0 || stays < 0) continue;
    const german = path.replace('/en/', '/de/');
    const blocks = (await first.read(german)).split('\n\n');
    const paragraphs = blocks.flatMap((block, at) => (block.startsWith('```') ? [] : [at]));
    blocks[paragraphs[stays] ?? 0] = `Von einer Person ${nth}.`;
    await first.write({ [german]: blocks.join('\n\n') });
  }
  first.commit('a person edits');
  await first.write(files('now'));
  await first.run('once');
  const fresh = await team.clone();
  await fresh.write(files('now'));
  await fresh.run('once');
  const others: string[] = [];
  for (const { path } of pages) {
    const german = path.replace('/en/', '/de/');
    if ((await fresh.read(german)) !== (await first.read(german))) others.push(path);
  }
  expect(others).toEqual([]);
});

test('a fresh clone asks git once for the history of each page, and one process for all of its earlier contents', async () => {
  const pages = Array.from({ length: 10 }, (_, seed) => {
    const random = new Seeded(seed, 14);
    const texts = [`# Page ${seed}`, ...Array.from({ length: 5 }, () => sentence(random))];
    const [title = '', first = '', ...others] = texts;
    const now = [title, ...others, sentence(random), `${first} And more.`];
    return { path: `docs/en/page-${seed}.md`, texts, now };
  });
  const files = (of: 'texts' | 'now') =>
    Object.fromEntries(pages.map((page) => [page.path, pageOf(page[of])]));
  const { team, first } = await Team.start(PAGES, files('texts'));
  await first.run('once');
  first.commit('translate');
  const fresh = await team.clone();
  await fresh.write(files('now'));
  using git = await notedGit();
  await fresh.run('once');
  const logs = await git.asked(' log ');
  expect(logs).toBeGreaterThan(pages.length / 2);
  expect(logs).toBeLessThanOrEqual(pages.length);
  // Small files are read on this thread, and on others where it is busy.
  expect(await git.asked('cat-file')).toBeLessThan(4);
});

test('a fresh clone leaves a paragraph held whose place has a text that stands in the page twice', async () => {
  const page = (...texts: string[]) => `${texts.join('\n\n')}\n`;
  const german = page('Absatz 101 über Boote', 'Absatz 103 über Boote', 'Absatz 103 über Boote');
  const { team, first } = await Team.start(PAGES, {
    'docs/en/boats.md': page(...[101, 102, 103].map((n) => `Paragraph ${n} about boats`)),
    'docs/de/boats.md': german,
  });
  expect(await first.run('once')).toMatchObject({ code: 2, texts: 0 });
  first.commit('adopt');
  const fresh = await team.clone();
  expect(await fresh.run('once')).toMatchObject({ code: 2, texts: 0 });
  expect(await fresh.read('docs/de/boats.md')).toBe(german);
  expect(fresh.git('status', '--short')).toBe('');
});

/** A section of a page about settings, as they are written in many projects. */
const setting = (name: string, ...lines: readonly string[]) =>
  `### \`${name}\`\n\n${lines.map((line) => `- ${line}\n`).join('')}\n`;

const SETTINGS_PAGES = {
  'docs/en/settings.md': [
    setting(
      'KEY',
      'Type: Required',
      'Description: This is your key.',
      'Default: -',
      'Example: `sk_xxxxxxxxxx`',
    ),
    setting(
      'API_KEY',
      'Type: Required',
      'Description: This is the key for the service of Perplexity',
      'Default: -',
      'Example: `pplx-xxxxxx...xxxxxx`',
    ),
    setting(
      'PROXY_URL',
      'Type: Optional',
      'Description: Replaces the usual address of the requests',
      'Default: `https://api.example.com`',
      'Example: `https://my.example.com`',
    ),
    setting(
      'LIST',
      'Type: Optional',
      'Description: Names all models, use `+` to add a model, use `-` to hide a model.',
      'Default: `-`',
      'Example: `-all,+llama-3.1`',
    ),
  ].join(''),
  'docs/de/settings.md': [
    setting(
      'KEY',
      'Art: Pflicht',
      'Beschreibung: Dies ist dein Schlüssel.',
      'Vorgabe: -',
      'Beispiel: `sk_xxxxxxxxxxxx`',
    ),
    setting(
      'API_KEY',
      'Art: Pflicht',
      'Beschreibung: Dies ist der Schlüssel für den Dienst von Perplexity',
      'Vorgabe: -',
      'Beispiel: `pplx-xxxxxx...xxxxxx`',
    ),
    setting(
      'LIST',
      'Art: freiwillig',
      'Beschreibung: Nennt eigene Modelle von Perplexity. [Regeln][list]',
      'Vorgabe: -',
      'Beispiel: `-all,+llama-3.1`',
    ),
    setting(
      'PROXY_URL',
      'Art: freiwillig',
      'Beschreibung: Ersetzt die übliche Adresse der Anfragen',
      'Vorgabe: `https://api.example.com`',
      'Beispiel: `https://my.example.com`',
    ),
  ].join(''),
};

test('a fresh clone leaves a paragraph held although the paragraph that was bought beside it would make its place clear', async () => {
  const { team, first } = await Team.start(PAGES, SETTINGS_PAGES);
  expect(await first.run('once')).toMatchObject({ code: 2 });
  first.commit('translate');
  expect(await first.run('once')).toMatchObject({ code: 2, texts: 0 });
  const fresh = await team.clone();
  expect(await fresh.run('once')).toMatchObject({ code: 2, texts: 0 });
  expect(fresh.git('status', '--short')).toBe('');
});

test('a fresh clone takes the translation that a person wrote since for a paragraph that was held', async () => {
  const { team, first } = await Team.start(PAGES, SETTINGS_PAGES);
  await first.run('once');
  first.commit('translate');
  const page = await first.read('docs/de/settings.md');
  const now = page.replace('sk_xxxxxxxxxxxx', 'sk_xxxxxxxxxx');
  await first.write({ 'docs/de/settings.md': now });
  first.commit('correct');
  const fresh = await team.clone();
  expect(await fresh.run('once')).toMatchObject({ code: 0, texts: 0 });
  expect(await fresh.read('docs/de/settings.md')).toBe(now);
});

test('a fresh clone gives a person’s sentence the new destination of its source, and leaves one that both changed to a person', async () => {
  const pages = (own: string, theirs: string) => ({
    'docs/en/a.md': `# Page\n\nSee [the guide](/guide${own}/) first.\n\nOr ask [the team](/en/team${own}/) there.\n`,
    'docs/de/a.md': `# Seite\n\nLies zuerst [den Leitfaden](/guide${theirs}/).\n\nOder frag [das Team](/de/team/) dort.\n`,
  });
  const { team, first } = await Team.start(PAGES, pages('', ''));
  await first.run('once');
  first.commit('adopt');
  const clone = await team.clone();
  const now = pages('-new', '-new');
  await clone.write({ 'docs/en/a.md': now['docs/en/a.md'] });
  const { out } = await clone.run('once');
  expect(await clone.read('docs/de/a.md'), out).toBe(now['docs/de/a.md']);
  const again = await clone.run('once', '--json');
  expect(JSON.parse(again.out)).toMatchObject({ billed_characters: 0 });
  expect(await clone.read('docs/de/a.md')).toBe(now['docs/de/a.md']);
});

test.each([
  ['with the history', [], 2],
  // Which source the line of the person belongs to is not in the clone.
  ['without the history', ['--depth', '1'], 0],
  ['of one commit', ['--branch', 'one'], 0],
] as const)(
  'a fresh clone %s leaves a line to a person that the person and the source both changed, also when the run that saw it is committed',
  async (_, options, code) => {
    const page = (title: string, line: string) =>
      `# ${title}\n\nThe text of the page.\n\n\`\`\`sh\n# ${line}\nrun\n\`\`\`\n`;
    const { team, first } = await Team.start(PAGES, {
      'docs/en/a.md': page('The page', 'start here'),
      'docs/de/a.md': page('Die Seite', 'hier beginnen').replace('The', 'Der'),
    });
    await first.run('once');
    first.commit('adopt');
    await first.write({ 'docs/en/a.md': page('The pages', 'begin here') });
    expect(await first.run('once')).toMatchObject({ code: 2, texts: 1 });
    first.commit('translate');
    first.git('checkout', '--quiet', '--orphan', 'one');
    first.git('commit', '--quiet', '--message', 'all at once');
    first.git('push', '--quiet', 'origin', 'one');
    const fresh = await team.clone(...options);
    for (let runs = 0; runs < 2; runs += 1) {
      const ran = await fresh.run('once');
      expect(fresh.git('diff'), ran.out).toBe('');
      expect(ran, ran.out).toMatchObject({ code, texts: 0 });
    }
  },
);

const [FIRST, ADDED, LAST] = ['The first words.', 'The new words.', 'The last words.'];
const EN = { page: 'docs/en/a.md', film: 'films/en/a.srt' };
const DE = { page: 'docs/de/a.md', film: 'films/de/a.srt' };
const BOTH = `${PAGES}
  films:
    source: en
    targets: [de]
    routes: [{ from: "films/{locale}/*.srt" }]`;

function filesOf(texts: readonly string[]) {
  const cue = (text: string, at: number) => {
    const second = [FIRST, ADDED, LAST].indexOf(text);
    return `${at + 1}\n00:00:0${second},000 --> 00:00:0${second},900\n${text}\n`;
  };
  return { [EN.page]: pageOf(texts), [EN.film]: texts.map(cue).join('\n') };
}

test.each(['before', 'after'])(
  'a translation that git puts back to its last commit gets the texts that the commit lacks, the source committed %s it',
  async (when) => {
    const { first } = await Team.start(BOTH, filesOf([FIRST, LAST]));
    await first.run('once');
    first.commit('translate');
    await first.write(filesOf([FIRST, ADDED, LAST]));
    if (when === 'before') first.commit('add words');
    await first.run('once');
    const whole = await Promise.all([first.read(DE.page), first.read(DE.film)]);
    first.git('checkout', '--quiet', '--', DE.page, DE.film);
    expect(await first.read(DE.page)).not.toBe(whole[0]);
    expect(await first.run('once')).toMatchObject({ code: 0, texts: 0 });
    expect(await Promise.all([first.read(DE.page), first.read(DE.film)])).toEqual(whole);
  },
);

test('a merge with the translation of one side and the source of both gets the texts of the other side', async () => {
  const { first } = await Team.start(BOTH, filesOf([FIRST, LAST]));
  await first.run('once');
  first.commit('translate');
  const commit = (message: string) => {
    first.git('add', '--all');
    first.git('commit', '--quiet', '--message', message);
  };
  first.git('checkout', '--quiet', '-b', 'other');
  await first.write(filesOf([FIRST, ADDED, LAST]));
  await first.run('once');
  commit('add words');
  const ofOther = await first.read(DE.page);
  first.git('checkout', '--quiet', 'main');
  await first.write({ 'notes.txt': 'Ours.' });
  commit('change something else');
  first.git('merge', '--quiet', '--no-commit', 'other');
  first.git('checkout', '--quiet', 'HEAD', '--', DE.page, DE.film);
  commit('merge with our translations');
  expect(await first.run('once')).toMatchObject({ code: 0, texts: 0 });
  expect(await first.read(DE.page)).toBe(ofOther);
});

test('a paragraph that a person removed after it was committed stays removed, also where the page is as in an older commit', async () => {
  const { first } = await Team.start(BOTH, filesOf([FIRST, LAST]));
  await first.run('once');
  first.commit('translate');
  const [page, film] = [await first.read(DE.page), await first.read(DE.film)];
  await first.write(filesOf([FIRST, ADDED, LAST]));
  await first.run('once');
  first.commit('add words');
  await first.write({ [DE.page]: page, [DE.film]: film });
  expect(await first.run('once')).toMatchObject({ code: 0, texts: 0 });
  expect([await first.read(DE.page), await first.read(DE.film)]).toEqual([page, film]);
});
