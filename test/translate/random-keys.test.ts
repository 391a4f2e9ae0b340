/** Law: whatever the source of a file of keys changes, each line of a person whose source stays is there afterwards, byte for byte. */
import { expect, test } from 'vitest';
import { Seeded } from '../seeded.ts';
import { TextJobs } from '../text-jobs.ts';
import { wholeNumber } from '../whole-number.ts';
import { type Entry, type Group, RandomKeys } from './random-keys.ts';
import { type Chunk, type KeyedWriter, WRITERS } from './written-keys.ts';

/** More files: `DRAGOMAN_KEYS=200 DRAGOMAN_KEY_SEED=5000 vitest run test/translate/random-keys.test.ts` */
const FILES = wholeNumber('files', process.env['DRAGOMAN_KEYS'] ?? '8');
const FIRST = wholeNumber('seed', process.env['DRAGOMAN_KEY_SEED'] ?? '0');

/** A CR alone is no line end there. */
const LF_ONLY = new Set(['ftl', 'toml', 'yaml']);

test.each(
  Object.entries(WRITERS).flatMap(([name, writer]) =>
    Array.from({ length: FILES }, (_, at) => [name, FIRST + at, writer] as const),
  ),
)(
  'what a person wrote in %s stays when the source changes, seed %i',
  async (name, seed, writer) => {
    const random = new Seeded(seed, name.length);
    const made = new RandomKeys(random, writer.hasGroups);
    const first = made.file();
    const chunks = writer.target(first, random);
    const own = textOf(chunks, lineEndOf(name, random));
    const [from, to] = [writer.path.replace('LANG', 'en'), writer.path.replace('LANG', 'de')];
    const jobs = await TextJobs.of(writer.route, { [from]: writer.source(first), [to]: own }, 'de');
    const untouched = { bought: [], isWritten: false, state: { kind: 'done' } };
    expect(await jobs.run(from), own).toMatchObject(untouched);
    const file = made.after(first, 1 + random.below(4));
    await jobs.write(from, writer.source(file));
    const { state, bought } = await jobs.run(from);
    const now = await jobs.read(to);
    const report = `${JSON.stringify(state)}\n${writer.source(file)}--- person\n${own}--- now\n${now}`;
    expect(state, report).toMatchObject({ kind: 'done' });
    const change = new Change(first, file, writer);
    expect(new Set(bought), report).toEqual(new Set(change.toBuy()));
    expect(change.faultsIn(now, chunks), report).toEqual([]);
    expect(await jobs.run(from), report).toMatchObject({ bought: [], isWritten: false });
    await editTwice({ jobs, made, random, writer, from, to, file });
  },
);

interface PersonsTurn {
  readonly jobs: TextJobs;
  readonly made: RandomKeys;
  readonly random: Seeded;
  readonly writer: KeyedWriter;
  readonly from: string;
  readonly to: string;
  readonly file: readonly Group[];
}

/** The person edits texts of the target between two edits of the source. */
async function editTwice(turn: PersonsTurn): Promise<void> {
  const { jobs, made, random, writer, from, to, file } = turn;
  const before = byPath(file, writer);
  let text = await jobs.read(to);
  const edited = [...before.values()].flatMap(({ id }) => {
    const now = random.isOneIn(3) ? text.replaceAll(personsWords(id), `Eigene${id}`) : text;
    const isEdited = now !== text;
    text = now;
    return isEdited ? [id] : [];
  });
  await jobs.write(to, text);
  expect(await jobs.run(from), text).toMatchObject({ bought: [], isWritten: false });
  const then = made.after(file, 1 + random.below(3));
  await jobs.write(from, writer.source(then));
  const { state } = await jobs.run(from);
  const now = await jobs.read(to);
  const report = `${JSON.stringify(state)}\n${writer.source(then)}--- person\n${text}--- now\n${now}`;
  const after = new Map(
    [...byPath(then, writer)].map(([path, entry]) => [entry.id, { path, entry }]),
  );
  const asked = [...before].filter(([path, { id, en }]) => {
    const next = after.get(id);
    const stays = next?.path === path || next?.entry.en === en;
    if (!edited.includes(id) || next === undefined || !stays) return false;
    const count = (of: string) => of.split(new RegExp(`Eigene${id}(?!\\d)`)).length;
    expect(count(now), `Eigene${id}\n${report}`).toBe(count(text));
    return next.entry.en !== en;
  });
  if (asked.length > 0) expect(state, report).toMatchObject({ hold: { kind: 'conflict' } });
  expect(await jobs.run(from), report).toMatchObject({ bought: [], isWritten: false });
}

/** What stands for the words of a person or of the service, as each format writes it. */
function personsWords(id: number): RegExp {
  return new RegExp(`(?:Worte|Words(?:ä|\\\\u00[eE]4))${id}(?!\\d)`, 'g');
}

function lineEndOf(name: string, random: Seeded): string {
  if (random.isOneIn(5)) return '\r\n';
  return !LF_ONLY.has(name) && random.isOneIn(4) ? '\r' : '\n';
}

function textOf(chunks: readonly Chunk[], lineEnd: string): string {
  const text = chunks.map((chunk) => chunk.text).join('');
  return text.replaceAll('\n', lineEnd);
}

/** What an edit of the source asks for. */
class Change {
  readonly #writer: KeyedWriter;
  /** By the path of the key. */
  readonly #was: ReadonlyMap<string, Entry>;
  readonly #is: ReadonlyMap<string, Entry>;
  readonly #groupsWere: readonly Group[];
  readonly #groups: ReadonlyMap<number, Group>;
  readonly #paths: ReadonlyMap<number, string>;

  constructor(was: readonly Group[], is: readonly Group[], writer: KeyedWriter) {
    this.#writer = writer;
    this.#groupsWere = was;
    this.#was = byPath(was, writer);
    this.#is = byPath(is, writer);
    this.#groups = new Map(is.map((group) => [group.id, group]));
    this.#paths = new Map([...this.#was].map(([path, { id }]) => [id, path]));
  }

  toBuy(): string[] {
    const known = new Set([...this.#was.values()].map(({ en }) => en));
    return [...this.#is.values()].flatMap(({ en }) => (known.has(en) ? [] : en));
  }

  faultsIn(text: string, chunks: readonly Chunk[]): string[] {
    const now = new PersonsFile(text, this.#writer);
    const bought = this.toBuy().map((en) => /Words(\d+)/.exec(en)?.[1] ?? en);
    return [
      ...(/\r\n/.test(text) && /[^\r]\n|\r(?!\n)/.test(text) ? ['line ends are mixed'] : []),
      ...chunks.flatMap((chunk) => this.#faultOf(chunk, now) ?? []),
      ...bought
        .filter((id) => now.count(`Wordsä${id}`) !== this.#writer.forms)
        .map((id) => `not there once: ${id}`),
    ];
  }

  #faultOf(chunk: Chunk, now: PersonsFile): string | undefined {
    const { of, kind } = chunk;
    if (of === undefined) return now.next(chunk);
    if ('entries' in of)
      return this.#groups.get(of.id)?.key === of.key ? now.next(chunk) : undefined;
    if (of.isOwn) return this.#faultOfOwn(of, chunk, now);
    const then = this.#is.get(this.#paths.get(of.id) ?? '');
    if (then?.en === of.en || (then !== undefined && kind === 'note')) return now.next(chunk);
    if (then !== undefined) return now.isCounted(of, 0, chunk);
    // A bilingual file keeps a person's translation as an obsolete entry.
    const stays = this.#writer.isBilingual === true || this.#hasText(of);
    if (kind === 'entry') return now.isCounted(of, stays ? 1 : 0, chunk);
    const isOfProgram = this.#writer.isBilingual && chunk.text.includes('about');
    return stays && !isOfProgram ? now.isBeside(of, chunk) : undefined;
  }

  /** The entry moves with its group, and stays where its group leaves the source. */
  #faultOfOwn(entry: Entry, chunk: Chunk, now: PersonsFile): string | undefined {
    const group = this.#groupsWere.find(({ own }) => own?.id === entry.id);
    const isInPlace = group !== undefined && this.#groups.get(group.id)?.key === group.key;
    if (isInPlace || !this.#writer.hasGroups) return now.next(chunk);
    return chunk.kind === 'entry' ? now.isCounted(entry, 1, chunk) : now.isBeside(entry, chunk);
  }

  /** Its key is another one, and its translation moved along. */
  #hasText({ en }: Entry): boolean {
    return [...this.#is.values()].some((entry) => entry.en === en);
  }
}

function byPath(file: readonly Group[], writer: KeyedWriter): ReadonlyMap<string, Entry> {
  const pathOf = (group: Group, { key, en }: Entry) => {
    if (writer.isBilingual) return en;
    return writer.hasGroups ? `${group.key}.${key}` : key;
  };
  return new Map(
    file.flatMap((group) => group.entries.map((entry) => [pathOf(group, entry), entry])),
  );
}

/** A file of a person after a run, read from its first line to its last. */
class PersonsFile {
  readonly #lines: readonly string[];
  readonly #words: string;
  readonly #hasCommas: boolean;
  readonly #forms: number;
  #at = 0;

  constructor(text: string, { hasCommas, forms }: KeyedWriter) {
    this.#forms = forms;
    this.#hasCommas = hasCommas === true;
    this.#lines = text.replace(/\r\n?/g, '\n').split('\n').map(this.#withoutComma, this);
    this.#words = text.replace(/\\u([\da-f]{4})/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
  }

  count(word: string): number {
    return this.#words.split(new RegExp(`${word}(?!\\d)`)).length - 1;
  }

  /** @returns the fault when the lines are not there, below those of the chunk before */
  next({ text, kind }: Chunk): string | undefined {
    for (const line of text.split('\n').slice(0, -1)) {
      // A blank line beside an entry that leaves may go with it.
      if (line.trim() === '') continue;
      const found = this.#lines.indexOf(this.#withoutComma(line), this.#at);
      if (found < 0)
        return `${kind ?? 'frame'} is gone or out of its place: ${JSON.stringify(line)}`;
      this.#at = found + 1;
    }
    return undefined;
  }

  isCounted({ id }: Entry, times: number, { text }: Chunk): string | undefined {
    const found = this.count(`Worte${id}`);
    const meant = times * this.#forms;
    return found === meant ? undefined : `${found} times instead of ${meant}: ${text}`;
  }

  /** A comment is above the entry that it is about. */
  isBeside({ id }: Entry, { text }: Chunk): string | undefined {
    const plain = (line: string) => line.trim().replace(/^#~ /, '');
    const note = plain(text.split('\n').find((line) => /\d/.test(line)) ?? '');
    const [place, ...others] = this.#lines.flatMap((line, at) =>
      plain(line) === note ? [at] : [],
    );
    if (place === undefined || others.length > 0)
      return `${others.length + 1} of the note: ${text}`;
    const below = this.#lines.slice(place + 1, place + 9 * this.#forms).join('\n');
    const isThere = new RegExp(`(?:Worte|Wordsä)${id}(?!\\d)`).test(below);
    return isThere ? undefined : `the note is elsewhere: ${text}`;
  }

  #withoutComma(line: string): string {
    return this.#hasCommas ? line.replace(/,(?=\s*(?:\/\/.*|\/\*.*)?$)/, '') : line;
  }
}
