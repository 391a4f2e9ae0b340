/** `once` does exactly the work that `plan` foretells: for each format, with sources and targets of any shape. */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import type { PlanLine, PlanReport } from '../../src/control/plan-report.ts';
import type { AttentionLine } from '../../src/control/report.ts';
import { billed } from '../counts.ts';
import { mutate } from '../fuzz/mutate.ts';
import { Rig } from '../rig.ts';
import { Seeded } from '../seeded.ts';

const SAMPLES = join(import.meta.dirname, '..', 'upgrade', 'sources', 'settled');
const PLACES = ['app/en', 'app/android/res/values', 'app/ios', 'app/sheets', 'film/en', 'docs/en'];
const OTHERS = [
  'app/qt/app_en.ts',
  'app/po/mail.pot',
  'docs/office/en/letter.docx',
  'talks/welcome.wav',
];

const CONFIG = `
defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de]
    routes:
      - { from: "{locale}/*.{txt,html,ttml,ini,toml,php,js,ts}", lane: text }
      - { from: "{locale}/*latin.properties", encoding: iso-8859-1 }
      - { from: "{locale}/*.csv", columns: { key: id, source: text } }
      - { from: "{locale}/*.tsv", columns: { key: id, source: text, delimiter: "\\t" } }
      - { from: "{locale}/*.pot", to: "{locale}/{name}.po" }
      - { from: "{locale}/*.wav", to: { transcript: "{locale}/{name}.txt" } }
      - from: "{locale}/*.{json,jsonc,json5,arb,yaml,yml,ftl,resx,stringsdict,strings,md,mdx,xlf,xliff,xml,xcstrings,srt,docx,properties}"
        exclude: ["*/*latin.properties"]
`;

interface Sample {
  readonly name: string;
  readonly bytes: Buffer;
}

function samples(): Sample[] {
  const inPlaces = PLACES.flatMap((place) =>
    readdirSync(join(SAMPLES, place)).map((name) => `${place}/${name}`),
  );
  // all.csv has all languages in columns of its own.
  return [...inPlaces, ...OTHERS]
    .filter((path) => !path.endsWith('/all.csv'))
    .map((path) => ({ name: basename(path), bytes: readFileSync(join(SAMPLES, path)) }));
}

/** The file, folder or link at the path of a target or a source. */
function obstacles({ bytes }: Sample, random: Seeded): [string, Uint8Array | string][] {
  return [
    ['half', bytes.subarray(0, bytes.length / 2)],
    ['mutated', mutate(bytes, random, bytes)],
    random.pick([
      ['words', 'not at all <that> { ['],
      ['empty', ''],
      ['scalar', '"text"\n'],
      ['list', '["text", 1]\n'],
      ['flat', 'a: text\nmenu: text\nboats: text\n'],
      ['nul', new Uint8Array(50)],
      ['utf16', Buffer.from(`\ufeff${bytes.toString('utf8')}`, 'utf16le')],
    ]),
  ];
}

type Verdict = 'fails' | 'waits' | 'is done';

function foretold({ would_fail, would_hold, texts }: PlanLine): Verdict {
  if (would_fail !== undefined) return 'fails';
  const waiting = (texts?.held ?? 0) + (texts?.conflicts ?? 0);
  return would_hold !== undefined || waiting > 0 ? 'waits' : 'is done';
}

const verdictOf = ({ state }: AttentionLine): Verdict => (state === 'failed' ? 'fails' : 'waits');

/** By source: the verdict, and its reason. */
type Told = Map<string, { readonly verdict: Verdict; readonly why: string }>;

const attentionTold = (lines: readonly AttentionLine[]): Told =>
  new Map(lines.map((line) => [line.source, { verdict: verdictOf(line), why: line.reason }]));

test.each([
  ['targets', 'de'],
  ['sources', 'en'],
])(
  'plan says about %s what a run then says, for each file, with its price and its exit code',
  async (_, side) => {
    const random = new Seeded(15);
    await using rig = await Rig.start({ config: CONFIG });
    const all = samples();
    for (const sample of all) {
      for (const [variant, bytes] of obstacles(sample, random)) {
        const file = `${variant}-${sample.name}`;
        rig.write(`en/${file}`, sample.bytes);
        rig.write(`${side}/${side === 'de' ? file.replace(/\.pot$/, '.po') : file}`, bytes);
      }
      if (side === 'de') {
        const file = `folder-${sample.name}`;
        rig.write(`en/${file}`, sample.bytes);
        mkdirSync(rig.path(`de/${file.replace(/\.pot$/, '.po')}`), { recursive: true });
      }
    }
    const planned = await rig.run('plan', '--json');
    const plan = JSON.parse(planned.stdout) as PlanReport;
    const told = attentionTold([...plan.attention, ...plan.held]);
    for (const line of plan.jobs) {
      told.set(line.source, {
        verdict: foretold(line),
        why: line.would_fail ?? line.would_hold ?? '',
      });
    }
    const run = await rig.once();
    const ended = attentionTold([...run.failed, ...run.held] as AttentionLine[]);
    const differing = [...told.keys(), ...ended.keys()].filter(
      (source) => told.get(source)?.verdict !== (ended.get(source)?.verdict ?? 'is done'),
    );
    expect(differing.map((source) => [source, told.get(source), ended.get(source)])).toEqual([]);
    expect(plan.estimated_characters).toBe(run.billed_characters);
    expect([planned.code, run.code]).toEqual([1, 1]);
  },
);

test('plan says of a text that no request can carry what a run says: it is held, and not bought', async () => {
  const texts = { small: 'Hello', large: 'a word '.repeat(20_000) };
  await using rig = await Rig.start({
    config: CONFIG,
    files: { 'en/app.json': JSON.stringify(texts) },
  });
  const planned = await rig.run('plan', '--json');
  const plan = JSON.parse(planned.stdout) as PlanReport;
  const run = await rig.once();
  expect([planned.code, plan.estimated_characters]).toEqual([2, texts.small.length]);
  expect(plan.jobs).toMatchObject([{ texts: { bought: 1, held: 1 } }]);
  expect([run.code, run.billed_characters]).toEqual([2, texts.small.length]);
});

const CONFIG_OF_DOCUMENTS = `
defaults: { settle_ms: 0 }
projects:
  app: { source: en, targets: [de], routes: [{ from: "notes/{locale}/*.txt", lane: document }] }
`;

/** Half of a character (a surrogate without the other one), as each format spells it. */
const HALVES: Readonly<Record<string, string>> = {
  'en/a.json': '{"small":"Hello.","half":"a \\ud800 b"}',
  'en/b.json5': "{small: 'Hello.', half: 'a \\ud800 b'}",
  'en/c.arb': '{"small":"Hello.","half":"a \\udc00 b"}',
  'en/d.yaml': 'small: Hello.\nhalf: "a \\ud800 b"\n',
  'en/e.properties': 'small=Hello.\nhalf=a \\ud800 b\n',
  'en/f.ts': "export default { small: 'Hello.', half: 'a \\ud800 b' };\n",
  'en/g.strings': '"small" = "Hello.";\n"half" = "a \\Ud800 b";\n',
};

test.each(Object.keys(HALVES))(
  'a text with half of a character is held before it is paid, and all commands say so: %s',
  async (path) => {
    await using rig = await Rig.start({ config: CONFIG, files: { [path]: HALVES[path] ?? '' } });
    const planned = await rig.run('plan', '--json');
    const plan = JSON.parse(planned.stdout) as PlanReport;
    const run = await rig.once();
    const ends = [planned.code, plan.estimated_characters, run.code, run.billed_characters];
    expect(ends).toEqual([2, 'Hello.'.length, 2, 'Hello.'.length]);
    expect(run.held).toMatchObject([{ reason: expect.stringContaining('half of a character') }]);
    for (const command of ['plan', 'once --frozen', 'once']) {
      expect
        .soft({ command, ...(await rig.run(...command.split(' '))) })
        .toMatchObject({ code: 2 });
    }
    expect(billed(rig)).toBe('Hello.'.length);
  },
);

test('a document in UTF-16 with half of a character fails before it is sent, and all commands say so', async () => {
  const config = CONFIG_OF_DOCUMENTS;
  const text = Buffer.from('\ufeffA good line.\n\nHalf \ud800 of it.\n', 'utf16le');
  await using rig = await Rig.start({ config, files: { 'notes/en/n.txt': text } });
  for (const command of ['plan', 'once', 'plan', 'once --frozen']) {
    const { code, stdout, stderr } = await rig.run(...command.split(' '));
    expect.soft({ command, code }).toEqual({ command, code: 1 });
    if (command !== 'once --frozen') expect.soft(stdout + stderr).toContain('half of a character');
  }
  expect(billed(rig)).toBe(0);
  expect(rig.exists('notes/de/n.txt')).toBe(false);
});
