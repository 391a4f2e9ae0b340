/** Law: in HTML, TTML and plain text, each block of a person whose source stays is there afterwards, byte for byte and in its order. */
import { expect, test } from 'vitest';
import { Seeded } from '../seeded.ts';
import { TextJobs } from '../text-jobs.ts';
import { wholeNumber } from '../whole-number.ts';

/** More files: `DRAGOMAN_PAGES=200 DRAGOMAN_PAGE_SEED=5000 vitest run test/translate/random-frames.test.ts` */
const FILES = wholeNumber('files', process.env['DRAGOMAN_PAGES'] ?? '8');
const FIRST = wholeNumber('seed', process.env['DRAGOMAN_PAGE_SEED'] ?? '0');

interface Block {
  readonly id: number;
  readonly en: string;
  /** As the person has it, with its lines. */
  readonly own: string;
}

interface Writer {
  readonly path: string;
  readonly head: (language: string) => string;
  readonly tail: string;
  readonly source: (id: number, text: string) => string;
  readonly persons: readonly ((id: number, text: string) => string)[];
  /** What only the person has, on lines of its own. */
  readonly notes: readonly string[];
}

const begin = (id: number) => `00:00:${String(10 + id).padStart(2, '0')}.000`;
const WRITERS: Readonly<Record<string, Writer>> = {
  html: {
    path: 'LANG/a.html',
    head: (language) =>
      `<!doctype html>\n<html lang="${language}">\n<head><meta charset="utf-8"></head>\n<body>\n`,
    tail: '</body>\n</html>\n',
    source: (id, text) => `<p id="p${id}">${text}</p>\n`,
    persons: [
      (id, text) => `<p id="p${id}">${text}</p>\n`,
      (id, text) => `  <p class="x" id="p${id}">\n    ${text}\n  </p>\n`,
      (id, text) => `<p id="p${id}" lang="de" title>${text}</p>\n\n`,
      (id, text) => `<p id="p${id}"\n  title>${text}</p>\n`,
      (id, text) => `<p\n  id="p${id}"\n  class="y"\n>\n  ${text}\n</p>\n\n`,
    ],
    notes: ['<!-- von Anna -->\n', '<script>let a = 1;</script>\n', '<hr class="von-anna">\n'],
  },
  txt: {
    path: 'LANG/a.txt',
    head: () => '',
    tail: '',
    source: (_, text) => `${text}\n\n`,
    persons: [(_, text) => `${text}\n\n`, (_, text) => `${text}\n\n\n`],
    notes: ['----\n\n', '***\n\n'],
  },
  ttml: {
    path: 'LANG/a.ttml',
    head: (language) =>
      `<?xml version="1.0"?>\n<tt xmlns="http://www.w3.org/ns/ttml" xml:lang="${language}"><body><div>\n`,
    tail: '</div></body></tt>\n',
    source: (id, text) => `  <p begin="${begin(id)}" end="${begin(id)}">${text}</p>\n`,
    persons: [
      (id, text) => `  <p begin="${begin(id)}" end="${begin(id)}">${text}</p>\n`,
      (id, text) =>
        `  <p xml:id="c${id}" begin="${begin(id)}" end="${begin(id)}" region="r1">${text}</p>\n\n`,
    ],
    notes: ['  <!-- von Anna -->\n'],
  },
};

test.each(
  Object.entries(WRITERS).flatMap(([name, writer]) =>
    Array.from({ length: FILES }, (_, at) => [name, FIRST + at, writer] as const),
  ),
)(
  'what a person wrote in %s stays when the source changes, seed %i',
  async (name, seed, writer) => {
    const random = new Seeded(seed, name.length);
    const pages = new RandomBlocks(random, writer);
    const first = pages.file();
    const lineEnd = random.isOneIn(4) ? '\r\n' : '\n';
    const [from, to] = [writer.path.replace('LANG', 'en'), writer.path.replace('LANG', 'de')];
    const chunks = [
      writer.head('de'),
      ...first.flatMap(({ own }) => (random.isOneIn(4) ? [random.pick(writer.notes), own] : [own])),
      writer.tail,
    ];
    const own = chunks.join('').replaceAll('\n', lineEnd);
    const route = `{ from: "${writer.path.replace('LANG', '{locale}')}", lane: text }`;
    const jobs = await TextJobs.of(route, { [from]: sourceOf(first, writer), [to]: own }, 'de');
    const untouched = { bought: [], isWritten: false, state: { kind: 'done' } };
    expect(await jobs.run(from), own).toMatchObject(untouched);
    const file = pages.after(first);
    await jobs.write(from, sourceOf(file, writer));
    const { state, bought } = await jobs.run(from);
    const now = await jobs.read(to);
    const report = `${JSON.stringify(state)}\n${sourceOf(file, writer)}--- person\n${own}--- now\n${now}`;
    // Where the person's lines and those of the source changed side by side, the person decides: until then, all is in its place.
    const isContested = state.kind === 'held' && state.hold.kind === 'conflict';
    expect(isContested ? 'done' : state.kind, report).toBe('done');
    const known = new Set(first.map(({ en }) => en));
    const fresh = file.flatMap(({ en }) => (known.has(en) ? [] : [en]));
    expect(new Set(bought), report).toEqual(new Set(fresh));
    let at = 0;
    const stays = new Set(file.map(({ en }) => en));
    for (const { id, en, own: block } of file) {
      const text = known.has(en) ? block.replaceAll('\n', lineEnd).trim() : `Wordsä wä${id} `;
      const found = now.indexOf(text, at);
      expect(found, `${text} is gone or out of its place\n${report}`).toBeGreaterThan(-1);
      at = isContested ? 0 : found + 1;
    }
    for (const { en, id } of first) {
      if (!stays.has(en)) expect(now, report).not.toMatch(new RegExp(`Worte w${id}\\b`, 'u'));
    }
    for (const note of writer.notes) {
      const count = (text: string) => text.split(note.trim()).length;
      expect(count(now), `${note}\n${report}`).toBe(count(own));
    }
    if (lineEnd === '\r\n') expect(now, report).not.toMatch(/[^\r]\n/u);
    expect(await jobs.run(from), report).toMatchObject({ bought: [], isWritten: false });
  },
);

function sourceOf(file: readonly Block[], { head, tail, source }: Writer): string {
  return `${head('en')}${file.map(({ id, en }) => source(id, en)).join('')}${tail}`;
}

class RandomBlocks {
  readonly #random: Seeded;
  readonly #writer: Writer;
  #ids = 0;

  constructor(random: Seeded, writer: Writer) {
    this.#random = random;
    this.#writer = writer;
  }

  file(): Block[] {
    return Array.from({ length: 4 + this.#random.below(4) }, () => this.#block());
  }

  after(file: readonly Block[]): readonly Block[] {
    let now = [...file];
    for (let left = 1 + this.#random.below(3); left > 0; left--) {
      const at = this.#random.below(now.length);
      const block = now[at] as Block;
      switch (this.#random.pick(['change', 'add', 'remove', 'move'] as const)) {
        case 'change':
          now[at] = { ...block, en: `${block.en} now` };
          break;
        case 'add':
          now.splice(at, 0, this.#block());
          break;
        case 'remove':
          if (now.length > 3) now = now.filter((each) => each !== block);
          break;
        case 'move':
          now = now.filter((each) => each !== block);
          now.splice(this.#random.below(now.length + 1), 0, block);
      }
    }
    return now;
  }

  #block(): Block {
    this.#ids += 1;
    const id = this.#ids;
    const en = `Words w${id} of ${ownWords(id)} and ${ownWords(id + 7)} ${id}.`;
    const de = `Worte w${id} von ${ownWords(id + 3)} und ${ownWords(id + 11)} ${id}.`;
    return { id, en, own: this.#random.pick(this.#writer.persons)(id, de) };
  }
}

/** Two words that no other block has. */
function ownWords(id: number): string {
  const syllable = (at: number) =>
    `${'bdfgklmnprstvz'[(id * 5 + at * 3) % 14]}${'aeiou'[(id + at * 2) % 5]}`;
  return `${[0, 1, 2].map(syllable).join('')} ${[3, 4, 5].map(syllable).join('')}`;
}
