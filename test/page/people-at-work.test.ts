/**
 * Three people work through the texts of ten formats at once. Each in turn saves, approves and takes back, while sources change and the
 * daemon runs. The answers to each of them agree with files and lock. More of it, and another order:
 * `DRAGOMAN_REVIEW_OPERATIONS=1000 DRAGOMAN_REVIEW_SEED=7 npx vitest run test/page/people-at-work.test.ts`
 */
import { expect, test } from 'vitest';
import type { ReviewPortion, ReviewRow } from '../../src/control/review-report.ts';
import type { Mark } from '../../src/segments/statements.ts';
import { parseLock } from '../../src/state/lock-text.ts';
import { billed } from '../counts.ts';
import { Rig } from '../rig.ts';
import { Seeded } from '../seeded.ts';
import { wholeNumber } from '../whole-number.ts';
import { addressOf } from './installation.ts';

/** Of each person. */
const OPERATIONS = wholeNumber('operations', process.env['DRAGOMAN_REVIEW_OPERATIONS'] ?? '30');
const SEED = wholeNumber('seed', process.env['DRAGOMAN_REVIEW_SEED'] ?? '21');
/** Operations of each person between two changes of a source. */
const TURN = 10;
const PEOPLE = ['owner', 'anna', 'bert'] as const;
const TEXTS_EACH = 5;

type Person = (typeof PEOPLE)[number];

/** Texts of one file, by key; each text names its author. */
type Texts = ReadonlyMap<string, string>;

interface Kind {
  readonly route: string;
  readonly path: string;
  readonly content: (texts: Texts) => string;
  /** A German target without texts. */
  readonly german?: string;
}

const lines = (texts: Texts, line: (key: string, text: string) => string) =>
  [...texts].map(([key, text]) => line(key, text)).join('');

const QT = (language: string, body: string) =>
  `<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n<TS version="2.1" language="${language}">\n<context>\n    <name>Main</name>\n${body}</context>\n</TS>\n`;
const PO = (language: string) =>
  `msgid ""\nmsgstr ""\n"Language: ${language}\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n`;

const KINDS: readonly Kind[] = [
  {
    route: '{ from: "json/{locale}.json" }',
    path: 'json/en.json',
    content: (texts) => `${JSON.stringify(Object.fromEntries(texts), null, 2)}\n`,
  },
  {
    route: '{ from: "yaml/{locale}.yml" }',
    path: 'yaml/en.yml',
    content: (texts) => `en:\n${lines(texts, (key, text) => `  ${key}: ${text}\n`)}`,
  },
  {
    route: '{ from: "po/app.pot", to: "po/{locale}.po" }',
    path: 'po/app.pot',
    content: (texts) => PO('') + lines(texts, (_, text) => `\nmsgid "${text}"\nmsgstr ""\n`),
    german: PO('de'),
  },
  {
    route: '{ from: "xliff/{locale}.xlf" }',
    path: 'xliff/en.xlf',
    content: (texts) =>
      `<?xml version="1.0" encoding="UTF-8"?>\n<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">\n  <file original="app" source-language="en" datatype="plaintext">\n    <body>\n${lines(texts, (key, text) => `      <trans-unit id="${key}">\n        <source>${text}</source>\n      </trans-unit>\n`)}    </body>\n  </file>\n</xliff>\n`,
  },
  {
    route: '{ from: "ios/App.xcstrings" }',
    path: 'ios/App.xcstrings',
    content: (texts) =>
      `{\n  "sourceLanguage" : "en",\n  "strings" : {\n${[...texts].map(([key, text]) => `    "${key}" : {\n      "localizations" : {\n        "en" : { "stringUnit" : { "state" : "translated", "value" : "${text}" } }\n      }\n    }`).join(',\n')}\n  },\n  "version" : "1.0"\n}\n`,
  },
  {
    route:
      '{ from: "table/texts.csv", columns: { key: id, source: en, targets: { de: de, fr: fr } } }',
    path: 'table/texts.csv',
    content: (texts) => `id,en,de,fr\n${lines(texts, (key, text) => `${key},${text},,\n`)}`,
  },
  {
    route: '{ from: "res/values/strings.xml", to: "res/values-{locale}/strings.xml" }',
    path: 'res/values/strings.xml',
    content: (texts) =>
      `<?xml version="1.0" encoding="utf-8"?>\n<resources>\n${lines(texts, (key, text) => `    <string name="${key}">${text}</string>\n`)}</resources>\n`,
  },
  {
    route: '{ from: "mac/{locale}.lproj/Main.strings" }',
    path: 'mac/en.lproj/Main.strings',
    content: (texts) => lines(texts, (key, text) => `"${key}" = "${text}";\n`),
  },
  {
    route: '{ from: "qt/app_{locale}.ts" }',
    path: 'qt/app_en.ts',
    content: (texts) =>
      QT(
        'en',
        lines(
          texts,
          (_, text) =>
            `    <message>\n        <source>${text}</source>\n        <translation type="unfinished"></translation>\n    </message>\n`,
        ),
      ),
  },
  {
    route: '{ from: "docs/{locale}/*.md" }',
    path: 'docs/en/guide.md',
    content: (texts) => `# The guide\n\n${lines(texts, (_, text) => `${text}\n\n`)}`,
  },
];

const CONFIG = `
lock: dragoman.lock
page:
  listen: "127.0.0.1:0"
  reviewers: [{ name: anna, languages: [de] }, { name: bert, languages: [de] }]
defaults: { settle_ms: 50, review: { want: [machine] } }
projects:
  app:
    source: en
    targets: [de, fr]
    routes:
${KINDS.map(({ route }) => `      - ${route}\n`).join('')}`;

function textsOf({ path }: Kind): Texts {
  const kind = path.split('/')[0] ?? '';
  const texts = new Map<string, string>();
  for (let nth = 0; nth < TEXTS_EACH; nth += 1) {
    for (const person of PEOPLE)
      texts.set(`${person}${nth}`, `What ${person} sees ${nth} of ${kind}`);
    texts.set(`dev${nth}`, `Developers write ${nth} of ${kind} v0`);
  }
  return texts;
}

/** A text as its person left it. */
interface Known {
  readonly target: string;
  readonly mark: Mark;
  readonly state: 'unreviewed' | 'reviewed' | 'done';
}

interface Place {
  readonly file: string;
  readonly source: string;
}

/** One person, with the texts that nobody else touches. */
class Worker {
  readonly person: Person;
  readonly known = new Map<string, Known & Place>();
  readonly #rig: Rig;
  readonly #send: (path: string, body: object) => Promise<{ status: number; body: unknown }>;
  readonly #random: Seeded;
  #last: { readonly row: ReviewRow; readonly before: Known & Place } | undefined;
  #count = 0;
  readonly done = new Map<string, number>();

  constructor(person: Person, own: { rig: Rig; random: Seeded; send: Worker['send'] }) {
    this.person = person;
    this.#rig = own.rig;
    this.#random = own.random;
    this.#send = own.send;
  }

  get send() {
    return this.#send;
  }

  /** The texts of this person in a file, as the page shows them. */
  async rows(file: string): Promise<ReviewRow[]> {
    const asked = { language: 'de', file, states: [], text: `What ${this.person} sees` };
    const { body } = await this.#send('/api/review/list', { ...asked, from: 0, count: 100 });
    return [...(body as ReviewPortion).rows];
  }

  async learn(): Promise<void> {
    for (const { path: file } of KINDS) {
      const rows = await this.rows(file);
      expect(rows, file).toHaveLength(TEXTS_EACH);
      for (const row of rows)
        this.#note(row, { target: row.text.target ?? '', mark: 'machine', state: 'unreviewed' });
    }
  }

  #note(row: ReviewRow, known: Known): void {
    const { file, text } = row;
    this.known.set(`${file} ${text.source}`, { ...known, file, source: text.source });
  }

  /** The page shows the last answer to this person. */
  expectKnown(rows: readonly ReviewRow[], when: string): void {
    const shown = rows.map(({ file, text: { source, target, mark, state } }) => ({
      file,
      source,
      target,
      mark,
      state,
    }));
    const known = rows.map(({ file, text }) => this.known.get(`${file} ${text.source}`));
    expect(shown, `${this.person} ${when}`).toEqual(known);
  }

  async step(): Promise<void> {
    const { path: file } = this.#random.pick(KINDS);
    const rows = await this.rows(file);
    this.expectKnown(rows, `operation ${this.#count} in ${file}`);
    this.#count += 1;
    const row = this.#random.pick(rows);
    const kinds = [
      'save',
      'save',
      'save and approve',
      'approve',
      'approve',
      'stale',
      'undo',
      'undo',
    ] as const;
    const act =
      this.person === 'owner' && this.#random.isOneIn(15) ? 'mark' : this.#random.pick(kinds);
    this.done.set(act, (this.done.get(act) ?? 0) + 1);
    if (act === 'undo') return await this.#undo();
    if (act === 'mark') return await this.#mark(row);
    const { text } = row;
    const said = act === 'approve' ? (text.target ?? '') : `Von ${this.person} ${this.#count} 🙂`;
    const isReviewed = act === 'approve' || act === 'save and approve';
    const was = act === 'stale' ? 'AAAAAA' : text.target_hash;
    const answer = await this.#send('/api/review/save', {
      ...seenIn(row),
      was,
      text: said,
      reviewed: isReviewed,
    });
    const told = `${this.person} ${this.#count} ${act} ${text.source}: ${JSON.stringify(answer.body)}`;
    expect(answer.status, told).toBe(act === 'stale' ? 409 : 200);
    if (act === 'stale') return;
    const before = this.known.get(`${file} ${text.source}`) as Known & Place;
    const mark = act === 'approve' ? before.mark : 'human';
    this.#note(row, { target: said, mark, state: isReviewed ? 'reviewed' : 'done' });
    const left = (answer.body as { row: ReviewRow }).row;
    this.expectKnown([left], told);
    this.#last = { row: left, before };
  }

  /** Like the page: undoes the last save, as long as nothing else changed its text. */
  async #undo(): Promise<void> {
    const last = this.#last;
    this.#last = undefined;
    if (last === undefined) return;
    const { row, before } = last;
    const body = { ...seenIn(row), at: row.edited?.at ?? '' };
    const answer = await this.#send('/api/review/undo', body);
    const told = `${this.person} ${this.#count} undo ${row.text.source}: ${JSON.stringify(answer.body)}`;
    expect(answer.status, told).toBe(200);
    this.#note(row, before);
    this.expectKnown([(answer.body as { row: ReviewRow }).row], told);
  }

  async #mark(row: ReviewRow): Promise<void> {
    const word = this.#random.pick(['reviewed', 'wanted'] as const);
    const { file, text } = row;
    if (text.key === '') return;
    const marked = await this.#rig.run(
      'review',
      'mark',
      file,
      text.id,
      `--${word}`,
      '--language',
      'de',
    );
    expect(marked, `${text.source} ${marked.stdout}${marked.stderr}`).toMatchObject({ code: 0 });
    const before = this.known.get(`${file} ${text.source}`) as Known & Place;
    this.#note(row, { ...before, state: word === 'reviewed' ? 'reviewed' : 'unreviewed' });
    this.#last = undefined;
  }
}

const seenIn = ({ project, file, language, text }: ReviewRow) => ({
  ...{ project, file, language, id: text.id, source: text.source_hash, was: text.target_hash },
});

async function atWork(rig: Rig): Promise<readonly Worker[]> {
  const address = await addressOf(rig);
  const post = async (path: string, body: object, cookie: string) =>
    await fetch(new URL(path, address), {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify(body),
    });
  const workers: Worker[] = [];
  for (const [nth, person] of PEOPLE.entries()) {
    const link =
      person === 'owner' ? address : (await rig.run('review', 'link', person)).stdout.trim();
    const token = new URLSearchParams(new URL(link).hash.slice(1)).get('token');
    const opened = await post('/api/session', { token }, '');
    const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
    const send = async (path: string, body: object) => {
      const response = await post(path, body, cookie);
      return { status: response.status, body: (await response.json()) as unknown };
    };
    workers.push(new Worker(person, { rig, random: new Seeded(SEED, nth), send }));
  }
  return workers;
}

test('texts that three people saved are in files and lock as the page confirmed, whatever the daemon does at the same time', {
  timeout: 120_000 + OPERATIONS * 5000,
}, async () => {
  const files = Object.fromEntries(KINDS.map((kind) => [kind.path, kind.content(textsOf(kind))]));
  await using rig = await Rig.start({ config: CONFIG, files: { ...files, 'po/de.po': PO('de') } });
  expect(await rig.once()).toMatchObject({ code: 0 });
  const daemon = await rig.daemonApart();
  const workers = await atWork(rig);
  for (const worker of workers) await worker.learn();
  const random = new Seeded(SEED, PEOPLE.length);
  for (let turn = 0; turn * TURN < OPERATIONS; turn += 1) {
    // Nobody saves while a file is changed by hand: the last writer would win.
    const { path } = random.pick(KINDS);
    const text = `Developers write ${random.below(TEXTS_EACH)} of ${path.split('/')[0]} v`;
    rig.write(
      path,
      rig.read(path).replaceAll(new RegExp(`${text}\\d+`, 'g'), `${text}${turn + 1}`),
    );
    await Promise.all(
      workers.map(async (worker) => {
        for (let nth = 0; nth < TURN; nth += 1) await worker.step();
      }),
    );
  }
  expect(await daemon.stop()).toBe(0);
  expect(await rig.once()).toMatchObject({ code: 0, failed: [], held: [] });
  const [lock, before] = [rig.read('dragoman.lock/app/de'), billed(rig)];
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 0 });
  expect(billed(rig)).toBe(before);
  expect(rig.read('dragoman.lock/app/de')).toBe(lock);
  await expectIn(rig, workers);
});

interface Listed {
  readonly files: readonly {
    readonly source: string;
    readonly texts: readonly ReviewRow['text'][];
  }[];
}

/** The content of files and lock, read again, and the statement of the lock about each text. */
async function expectIn(rig: Rig, workers: readonly Worker[]): Promise<void> {
  const { stdout } = await rig.run(
    'review',
    'list',
    '--json',
    '--only',
    'unreviewed,reviewed,done',
    '--language',
    'de',
  );
  const { files } = JSON.parse(stdout) as Listed;
  const rows = files.flatMap(({ source: file, texts }) => texts.map((text) => ({ file, text })));
  const statements = [...parseLock(rig.read('dragoman.lock/app/de')).sections.values()].flat();
  for (const { person, known, done } of workers) {
    const own = rows.filter(({ text }) => text.source.startsWith(`What ${person} sees`));
    expect(own).toHaveLength(known.size);
    for (const { file, text } of own) {
      const { source, target, mark, state } = text;
      expect({ file, source, target, mark, state }).toEqual(known.get(`${file} ${source}`));
      const said = statements.filter(
        (each) =>
          each.unit === text.unit &&
          each.source === text.source_hash &&
          each.target === text.target_hash,
      );
      const review = { reviewed: 'reviewed', unreviewed: 'wanted', done: undefined }[
        known.get(`${file} ${source}`)?.state ?? 'done'
      ];
      expect(said, `${file} ${source}`).toMatchObject([{ mark }]);
      expect(said[0]?.review, `${file} ${source}`).toBe(review);
    }
    expect([...done.values()].reduce((sum, each) => sum + each, 0)).toBeGreaterThanOrEqual(
      OPERATIONS,
    );
  }
}
