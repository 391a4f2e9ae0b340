/**
 * A remembered answer is taken only by a text that can use it. The same characters are a placeholder in one format and words in another.
 */
import { expect, test } from 'vitest';
import { billed } from '../counts.ts';
import { type OnceJson, Rig } from '../rig.ts';
import { Seeded } from '../seeded.ts';

const config = (targets: string) => `
defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [${targets}]
    routes:
      - { from: "text/{locale}/*.{json,md,strings,properties,yaml}" }
      - { from: "text/{locale}/*.{php,txt,ini}", lane: text }
`;

const RULE = 'The value must be at least :min and at most :max characters.';
const page = `# Rules\n\n${RULE}\n`;
const laravel = `<?php\n\nreturn [\n    'size' => '${RULE}',\n];\n`;

async function estimated(rig: Rig): Promise<number> {
  const { stdout } = await rig.run('plan', '--json');
  return (JSON.parse(stdout) as { estimated_characters: number }).estimated_characters;
}

/** What `plan` tells, `once` bills. */
async function onceAsTold(rig: Rig): ReturnType<Rig['once']> {
  const [told, before] = [await estimated(rig), billed(rig)];
  const run = await rig.once();
  expect([run.estimated_characters, billed(rig) - before]).toEqual([told, told]);
  return run;
}

test('a placeholder that is words in a page is bought for the format in which it is a placeholder, in every language', async () => {
  await using rig = await Rig.start({ config: config('de, fr'), files: { 'text/en/a.md': page } });
  await onceAsTold(rig);
  rig.write('text/en/b.php', laravel);
  expect(await estimated(rig)).toBeGreaterThan(0);
  expect((await rig.run('once', '--frozen')).code).toBe(1);
  expect(await onceAsTold(rig)).toMatchObject({ code: 0, held: [] });
  for (const language of ['de', 'fr']) {
    expect(rig.read(`text/${language}/b.php`)).toMatch(/:min .*:max/s);
  }
  // The page can use that answer, and a copy of either file is free.
  rig.write('text/en/c.md', page);
  rig.write('text/en/d.php', laravel);
  expect(await onceAsTold(rig)).toMatchObject({ code: 0, billed_characters: 0, held: [] });
});

test('an imported translation that lacks a placeholder is not taken, and one that has it is', async () => {
  await using rig = await Rig.start({
    config: config('de'),
    files: { 'text/en/b.php': laravel, 'text/en/c.json': '{ "hi": "Hello {name}" }\n' },
  });
  const unit = (en: string, de: string) =>
    `<tu><tuv xml:lang="en"><seg>${en}</seg></tuv><tuv xml:lang="de"><seg>${de}</seg></tuv></tu>`;
  rig.write(
    'old.tmx',
    `<?xml version="1.0"?><tmx version="1.4"><header srclang="en" datatype="plaintext" segtype="block" adminlang="en" o-tmf="x" creationtool="x" creationtoolversion="1"/><body>${unit(RULE, 'Der Wert ist zu kurz.')}${unit('Hello {name}', 'Grüß dich {name}')}</body></tmx>`,
  );
  expect((await rig.run('memory', 'import', 'old.tmx')).code).toBe(0);
  const run = await onceAsTold(rig);
  expect(run).toMatchObject({ code: 0, held: [] });
  expect(run.billed_characters).toBeGreaterThan(0);
  expect(rig.read('text/de/b.php')).toMatch(/:min .*:max/s);
  expect(rig.read('text/de/c.json')).toContain('Grüß dich {name}');
});

const TOKENS = [':min', '{name}', '%1$s', '%d', '%@', '%1', '$user', '%(n)s', '{{x}}', '@NAME@'];
const WORDS = ['Save', 'the', 'files', 'of', 'at least', 'must be', 'characters', 'now'];

function randomText(random: Seeded): string {
  const words = Array.from({ length: 3 + random.below(4) }, () => random.pick(WORDS));
  for (let n = random.below(3); n > 0; n--)
    words.splice(1 + random.below(words.length), 0, random.pick(TOKENS));
  return words.join(' ');
}

const WRITERS: Record<string, (texts: readonly string[]) => string> = {
  json: (texts) => `${JSON.stringify(Object.fromEntries(texts.entries()), null, 2)}\n`,
  md: (texts) => `${texts.join('\n\n')}\n`,
  txt: (texts) => `${texts.join('\n\n')}\n`,
  php: (texts) =>
    `<?php\n\nreturn [\n${texts.map((t, n) => `    'k${n}' => '${t}',\n`).join('')}];\n`,
  strings: (texts) => texts.map((text, n) => `"k${n}" = "${text}";\n`).join(''),
  properties: (texts) => texts.map((text, n) => `k${n}=${text}\n`).join(''),
  yaml: (texts) => texts.map((text, n) => `k${n}: "${text}"\n`).join(''),
  ini: (texts) => texts.map((text, n) => `k${n}=${text}\n`).join(''),
};

/** Files with some of the texts each, in formats that have other placeholders. */
function randomFiles(random: Seeded, texts: readonly string[], name: string) {
  return Array.from({ length: 3 }, (_, n): [string, string] => {
    const format = random.pick(Object.keys(WRITERS));
    const some = [...new Set(Array.from({ length: 4 }, () => random.pick(texts)))];
    return [`text/en/${name}${n}.${format}`, WRITERS[format]?.(some) ?? ''];
  });
}

const heldIn = ({ held }: OnceJson) => held.map(({ source, reason }) => ({ source, reason }));

test.each([1, 2, 3, 4, 5, 6])(
  'the bill of texts that several formats share is the one that plan told, and nothing is held that a purchase delivers (seed %i)',
  async (seed) => {
    const random = new Seeded(14, seed);
    const texts = Array.from({ length: 6 }, () => randomText(random));
    await using rig = await Rig.start({ config: config('de'), files: {} });
    for (const name of ['a', 'b', 'c']) {
      const files = randomFiles(random, texts, name);
      for (const [path, content] of files) rig.write(path, content);
      const run = await onceAsTold(rig);
      await using alone = await Rig.start({
        config: config('de'),
        files: Object.fromEntries(files),
      });
      expect(heldIn(run)).toEqual(heldIn(await alone.once()));
    }
  },
);
