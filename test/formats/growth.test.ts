/** The time for a file grows with its size, not with the square of it, however often one thing is repeated in it. */
import { expect, test } from 'vitest';
import { TextJobs } from '../text-jobs.ts';

/** UTF-16 units of the smaller file; the larger one has four times as many. */
const SIZE = 50_000;

/** Where the time grows with the size, the larger file takes about 4 times as long; where it grows with its square, 16 times. */
const MOST_TIMES = 9;

/** Milliseconds of processor time: less is no reason to look further, and too short to be measured well. */
const NOTHING_MS = 200;

/** Each text is written in the files of these formats. */
const FILES: Readonly<Record<string, (text: string) => string>> = {
  json: (text) => JSON.stringify({ long: `Long ${text}end`, short: 'Bye now' }),
  txt: (text) => `Long ${text}end\n\nBye now\n`,
};

const repeated = (piece: string, times: number) => piece.repeat((SIZE * times) / piece.length);

test.each(
  Object.entries(FILES).flatMap(([format, write]) =>
    [
      ['joined emoji', '👨\u200d'],
      ['placeholders', '%s '],
      ['tags', '<b>x</b> '],
      ['numbers', '1,000 '],
      ['blanks', ' '],
      ['code', '`a` '],
      ['signs that begin nothing', '< & { $ % '],
      ['plurals', '{n, plural, one {a} other {b}} '],
      ['plurals of many arguments', '{n, plural, other {{a} <a href="{b}">c</a>}} '],
    ].map(([name, piece = '']) => [
      format,
      `${name} in one text`,
      (times: number) => write(repeated(piece, times)),
    ]),
  ) as [string, string, (times: number) => string][],
)('%s: %s', grows);

test.each<[string, string, (times: number) => string]>([
  [
    'properties',
    'lines that go on',
    (times) => `long=Long \\\n${repeated(' word\\\n', times)} end`,
  ],
  ['properties', 'a key of many lines', (times) => `long${repeated('\\\n  ', times)}=Long\n`],
  ['ini', 'blanks in a value', (times) => `long=Long${repeated(' ', times)}end\n`],
  ['ini', 'blanks behind a key', (times) => `long${repeated(' ', times)}x = Long\n`],
  ['md', 'openings of template calls', (times) => `Long ${repeated('%{', times)} end\n`],
  ['md', 'openings behind a template call', (times) => `{{ a }} ${repeated('{{ a ', times)} end\n`],
  ['md', 'openings on many lines', (times) => `Long ${repeated('{%\n', times)} {{ end }}\n`],
  ['md', 'quotes', (times) => repeated('> Long\n\n', times / 8)],
  ['html', 'attributes of one tag', (times) => `<p ${attributes(times)}>Last words</p>\n`],
  ['xliff', 'segments of one unit', segmentsOfUnit],
  ['txt', 'blank lines', (times) => `${repeated('\n', times)}\nLast words\n`],
])('%s: %s', grows);

/** Attributes of different names whose values have words. */
function attributes(times: number): string {
  return numbered(times, 'title0000="Word"'.length, (n) => `title${n}="Word"`).join(' ');
}

/** XLIFF 2.0 on one line. */
function segmentsOfUnit(times: number): string {
  const segments = numbered(
    times,
    60,
    (n) => `<segment id="s${n}"><source>Text ${n}. </source></segment>`,
  );
  return `<xliff version="2.0" xmlns="urn:oasis:names:tc:xliff:document:2.0" srcLang="en" trgLang="de"><file id="f"><unit id="1">${segments.join('')}</unit></file></xliff>`;
}

function numbered(times: number, length: number, write: (n: number) => string): string[] {
  return Array.from({ length: (SIZE * times) / length }, (_, n) => write(n));
}

/** Garbage of earlier work and the compiler of the engine take time, too, but not in each of several tries. */
const TRIES = 3;

async function grows(format: string, _: string, text: (times: number) => string): Promise<void> {
  let faults: string[] = [];
  for (let nth = 0; nth < TRIES; nth++) {
    const [small, large] = [await times(format, text(1)), await times(format, text(4))];
    faults = Object.entries(large).flatMap(([what, ms]) => {
      const least = Math.max(small[what] ?? 0, NOTHING_MS / MOST_TIMES);
      return ms / least < MOST_TIMES ? [] : `${what}: ${small[what]} ms, then ${ms} ms`;
    });
    if (faults.length === 0) return;
  }
  expect(faults).toEqual([]);
}

/** Processor time of this thread for a first run of a file, for a check of its target, and for a second run. */
async function times(format: string, text: string): Promise<Record<string, number>> {
  const source = `l/en/x.${format}`;
  const lane = ['ini', 'html'].includes(format) ? ', lane: text' : '';
  const route = `{ from: "l/{locale}/*.${format}"${lane} }`;
  const jobs = await TextJobs.of(route, { [source]: text });
  const found: Record<string, number> = {};
  const measure = async (what: string, work: () => Promise<unknown>) => {
    const before = process.threadCpuUsage();
    await work();
    const { user, system } = process.threadCpuUsage(before);
    found[what] = (user + system) / 1000;
  };
  await measure('run', async () => expect((await jobs.run(source)).isWritten).toBe(true));
  await measure('check', () => jobs.inspect(source));
  await measure('again', () => jobs.run(source));
  return found;
}

test('a text file of more lines than a call may have arguments is written', async () => {
  const source = 'l/en/x.txt';
  const text = `${'\n'.repeat(200_000)}Last words\n`;
  const jobs = await TextJobs.of('{ from: "l/{locale}/*.txt" }', { [source]: text });
  expect((await jobs.run(source)).isWritten).toBe(true);
  expect(await jobs.inspect(source)).toEqual([]);
});

test('a string that the parser of TOML cannot read is named with its line', async () => {
  const text = `short = "Bye now"\nlong = "${repeated('word ', 4)}"\n`;
  const jobs = await TextJobs.of('{ from: "l/{locale}/*.toml", lane: text }', {
    'l/en/x.toml': text,
  });
  await expect(jobs.run('l/en/x.toml')).rejects.toThrow('l/en/x.toml:2:8: this string is longer');
});
