/** `improve` on a project: the sources' texts are improved first, at a bill of their own, and their files stay as they are. */
import { expect, test } from 'vitest';
import { billed, requests } from '../counts.ts';
import { Rig } from '../rig.ts';

const CONFIG = `
projects:
  app:
    source: en
    targets: [de, fr]
    improve: { writing_style: business }
    routes:
      - { from: "locales/{locale}/**/*.json" }
`;
const TEXTS = { a: 'We fix your boat', b: 'Hello {name}, the boat is done' };
const FILES = { 'locales/en/app.json': `${JSON.stringify(TEXTS, null, 2)}\n` };

test('the improved text is translated; the plan names the bill, and nothing is improved twice', async () => {
  await using rig = await Rig.start({ config: CONFIG, files: FILES });
  const plan = JSON.parse((await rig.run('plan', '--json')).stdout);
  const pieces = `${TEXTS.a}Hello , the boat is done`.length - 1;
  expect(plan.notes.join()).toContain(`improving its texts first costs ${pieces}`);
  expect(await rig.once()).toMatchObject({ code: 0, held: [], billed_characters: billed(rig) });
  expect(rig.read('locales/en/app.json')).toBe(FILES['locales/en/app.json']);
  const { a, b } = rig.json('locales/de/app.json');
  // The sandbox marks what it improved; the translation is made of that.
  expect(a).toMatch(/^\[de \[.*·īḿƥřǿṽḗḓ/);
  expect(b).toContain('{name}');
  const sent = rig.sandbox.log().filter(({ operation }) => operation === 'POST /v2/write/rephrase');
  expect(sent.flatMap(({ texts = [] }) => texts).sort()).toEqual(
    [', the boat is done', 'Hello', 'We fix your boat'].sort(),
  );
  expect(await rig.once()).toMatchObject({ requests: 0 });
  rig.remove('locales/fr/app.json');
  await rig.once();
  expect(requests(rig, 'POST /v2/write/rephrase')).toBe(sent.length);
  expect(rig.sandbox.counters().asked_twice).toEqual([]);
});

test('a changed text is improved and translated alone', async () => {
  await using rig = await Rig.start({ config: CONFIG, files: FILES });
  await rig.once();
  const before = billed(rig);
  rig.write('locales/en/app.json', `${JSON.stringify({ ...TEXTS, a: 'We mend boats' })}\n`);
  expect(await rig.once()).toMatchObject({ code: 0 });
  const again = rig.sandbox.log().at(-1)?.texts ?? [];
  expect(again.every((text) => text.includes('We mend boats') || text.includes('improved'))).toBe(
    true,
  );
  expect(billed(rig)).toBeGreaterThan(before + 'We mend boats'.length);
});

test('the sentences of subtitles are improved as other texts are, and keep their cues', async () => {
  const film = (texts: readonly string[]) =>
    texts
      .map((text, nth) => `${nth + 1}\n00:00:0${nth},000 --> 00:00:0${nth},900\n${text}\n`)
      .join('\n');
  await using rig = await Rig.start({
    config: CONFIG.replace('[de, fr]', '[de]').replace('**/*.json', '*.srt'),
    files: {
      'locales/en/a.srt': film(['We fix your boat,', 'and paint it.', 'Bye, <i>boat</i>!']),
    },
  });
  const plan = JSON.parse((await rig.run('plan', '--json')).stdout);
  expect(plan.notes.join()).toContain('improving its texts first costs');
  expect(await rig.once()).toMatchObject({ code: 0, held: [], billed_characters: billed(rig) });
  expect(rig.read('locales/de/a.srt')).toMatch(
    /^1\n00:00:00,000 --> 00:00:00,900\n\[de .*·īḿƥřǿṽḗḓ/,
  );
  expect(rig.read('locales/de/a.srt').match(/-->/g)).toHaveLength(3);
  expect(await rig.once()).toMatchObject({ requests: 0 });
});

test('a source that text improvement does not know, or has no styles in, is a config error', async () => {
  await using rig = await Rig.start({
    config: CONFIG.replace('source: en', 'source: pl'),
    files: FILES,
  });
  expect((await rig.run('check')).stdout).toContain('text improvement does not know pl');
  rig.write('dragoman.yaml', rig.read('dragoman.yaml').replace('source: pl', 'source: ja'));
  expect((await rig.run('check')).stdout).toContain(
    'text improvement has no writing styles for ja; write "prefer_business"',
  );
});
