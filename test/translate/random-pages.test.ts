/** Law: whatever the source changes, each line of a person's page whose source stays is there afterwards, in its place, byte for byte. */
import { fromMarkdown } from 'mdast-util-from-markdown';
import { afterAll, expect, test } from 'vitest';
import { Seeded } from '../seeded.ts';
import { type Ran, TextJobs } from '../text-jobs.ts';
import { wholeNumber } from '../whole-number.ts';
import {
  DIALECTS,
  type Dialect,
  type Part,
  partsOf,
  plainStyle,
  RandomPages,
  type Style,
} from './random-page.ts';
import { isClear, written } from './written-page.ts';

/** More pages: `DRAGOMAN_PAGES=2000 DRAGOMAN_PAGE_SEED=5000 vitest run test/translate/random-pages.test.ts` */
const PAGES = wholeNumber('pages', process.env['DRAGOMAN_PAGES'] ?? '80');
const FIRST = wholeNumber('seed', process.env['DRAGOMAN_PAGE_SEED'] ?? '0');

interface Case {
  readonly dialect: Dialect;
  readonly style: Style;
  readonly isOfWindows: boolean;
  /** The page as the person knows it, and after each change. */
  readonly pages: readonly [Part, ...Part[]];
}

function caseOf(seed: number): Case {
  const random = new Seeded(seed);
  const dialect = random.pick(DIALECTS);
  const made = new RandomPages(random, dialect);
  let page = made.page();
  while (!isClear(page)) page = made.page();
  const pages: [Part, ...Part[]] = [page];
  for (let changes = 1 + random.below(2); changes > 0; changes -= 1) {
    for (let edits = 1 + random.below(4); edits > 0; ) {
      const next = made.edited(page);
      if (next === undefined || !isClear(next)) continue;
      page = next;
      edits -= 1;
    }
    pages.push(page);
  }
  return { dialect, style: made.style(3), isOfWindows: random.isOneIn(5), pages };
}

type Outcome = { readonly kind: 'kept' | 'held' } | { readonly kind: 'lost'; readonly why: string };

const ROUTE = '{ from: "docs/{locale}/*.{md,mdx}" }';

async function outcomeOf(given: Case): Promise<Outcome> {
  const [first, ...changes] = given.pages;
  const name = given.dialect === 'mdx' ? 'a.mdx' : 'a.md';
  const [source, target] = [`docs/en/${name}`, `docs/de/${name}`];
  const files = { [source]: sourceOf(first, given), [target]: ownOf(first, given) };
  const jobs = await TextJobs.of(ROUTE, files, 'de');
  const { isWritten, bought, state } = await jobs.run(source);
  if (isWritten || !['done', 'held'].includes(state.kind)) {
    return lost(`first contact: ${JSON.stringify(state)}\n${await jobs.read(target)}`);
  }
  // A person's own paragraph beside a translated one: a hold asks which is which.
  if (state.kind === 'held') return { kind: 'held' };
  if (bought.length > 0) return lost(`bought at first contact: ${bought}`);
  let before = first;
  for (const after of changes) {
    await jobs.write(source, sourceOf(after, given));
    const run = await jobs.run(source);
    const now = await jobs.read(target);
    const again = await jobs.run(source);
    if (again.isWritten) return lost(`a second run writes:\n${await jobs.read(target)}`);
    if (run.state.kind === 'held') {
      const missing = missingFrom(now, before, after);
      return missing.length === 0 ? { kind: 'held' } : lost(`held, and gone: ${missing}\n${now}`);
    }
    const why = faultOf(run, again, now) ?? purchaseFault(run, before, after);
    if (why !== undefined) return lost(why);
    const wanted = ownOf(after, given);
    if (!isSame(now, wanted, first)) return lost(`wanted:\n${wanted}\nfound:\n${now}`);
    before = after;
  }
  return { kind: 'kept' };
}

const lost = (why: string): Outcome => ({ kind: 'lost', why });

function faultOf(run: Ran, again: Ran, now: string): string | undefined {
  if (run.state.kind !== 'done') return JSON.stringify(run.state);
  if (again.bought.length > 0) return `a second run buys ${again.bought}`;
  return /\r\n/.test(now) && /[^\r]\n/.test(now) ? 'line ends are mixed' : undefined;
}

function purchaseFault(run: Ran, before: Part, after: Part): string | undefined {
  const known = new Set(partsOf(before).map(({ en }) => en));
  const wanted = partsOf(after).flatMap(({ en }) => (en === undefined || known.has(en) ? [] : en));
  const bought = run.bought.toSorted().join('; ');
  return bought === wanted.toSorted().join('; ') ? undefined : `bought ${bought}, not ${wanted}`;
}

/** Whether a page is as wanted. A person's note stays somewhere, also where the block below it goes. */
function isSame(now: string, wanted: string, first: Part): boolean {
  const notes = partsOf(first).flatMap(({ note }) => note ?? []);
  const without = (text: string) =>
    notes.reduce((rest, note) => rest.replace(note, ''), text.replaceAll('\r', ''));
  const [found, expected] = [without(now), without(wanted)];
  const hasAll = notes.every((note) => now.split(note).length === 2);
  return hasAll && linesOf(found) === linesOf(expected) && shapeOf(found) === shapeOf(expected);
}

const sourceOf = (page: Part, { dialect }: Case) =>
  written(page, { language: 'en', dialect, style: plainStyle() });

function ownOf(page: Part, { dialect, style, isOfWindows }: Case): string {
  const text = written(page, { language: 'de', dialect, style });
  return isOfWindows ? `\uFEFF${text.replaceAll('\n', '\r\n')}` : text;
}

/** The person's texts that are not in a page although their source stays. */
function missingFrom(now: string, before: Part, after: Part): string[] {
  const stays = new Set(partsOf(after).map(({ id, en }) => `${id} ${en}`));
  const found = now.replace(/\s+(?:>\s+)*/g, ' ');
  const own = partsOf(before).flatMap(({ id, en, de = '', note = '' }) =>
    stays.has(`${id} ${en}`) ? [de, note] : [note],
  );
  return own.filter((words) => !found.includes(words));
}

/** The lines with words or signs: a moved block may bring its blank lines along or not. */
const linesOf = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !['', '>'].includes(line.trim()))
    .join('\n');

/** The containers and texts of a page as a reader of Markdown sees them. */
function shapeOf(text: string): string {
  const visit = (node: ReturnType<typeof fromMarkdown> | Node): unknown => {
    if (!('children' in node)) return 'value' in node ? node.value : node.type;
    return [node.type, ...node.children.map(visit)];
  };
  // The line of a box ends a paragraph, which a reader of plain Markdown does not know.
  return JSON.stringify(visit(fromMarkdown(text.replaceAll(/^:::.*$/gm, '\n$&\n'))));
}

type Node = ReturnType<typeof fromMarkdown>['children'][number];

/** The smallest case that can be cut out of one and is lost, too. */
async function smallest(given: Case): Promise<Case> {
  for (const smaller of smallerThan(given)) {
    if ((await outcomeOf(smaller)).kind === 'lost') return await smallest(smaller);
  }
  return given;
}

function* smallerThan(given: Case): Generator<Case> {
  const without = (part: Part, id: number): Part => ({
    ...part,
    parts: part.parts.filter((inner) => inner.id !== id).map((inner) => without(inner, id)),
  });
  const [first, ...changes] = given.pages;
  if (changes.length > 1) for (const change of changes) yield { ...given, pages: [first, change] };
  const size = (pages: readonly Part[]) => pages.flatMap(partsOf).length;
  for (const { id } of given.pages.flatMap(partsOf)) {
    const pages = [without(first, id), ...changes.map((page) => without(page, id))] as const;
    if (size(pages) < size(given.pages) && pages.every(isWhole)) yield { ...given, pages };
  }
  if (given.isOfWindows) yield { ...given, isOfWindows: false };
  for (const [name, plain] of Object.entries(plainStyle())) {
    if (given.style[name as keyof Style] === plain) continue;
    yield { ...given, style: { ...given.style, [name]: plain } };
  }
}

const LEAST: Partial<Record<Part['kind'], number>> = {
  ...{ page: 1, section: 1, list: 2, box: 1, table: 2, row: 2, quote: 1, details: 1, element: 1 },
};

const isWhole = (page: Part): boolean =>
  isClear(page) && partsOf(page).every(({ kind, parts }) => parts.length >= (LEAST[kind] ?? 0));

/** Seeds whose page waits for a person: that loses nothing, but it must stay the exception. */
const held: number[] = [];

afterAll(() => expect(held.length, `${held}`).toBeLessThanOrEqual(PAGES / 5));

test.each(Array.from({ length: PAGES }, (_, at) => FIRST + at))(
  'what a person wrote stays when the source changes, seed %i',
  async (seed) => {
    const random = caseOf(seed);
    const outcome = await outcomeOf(random);
    if (outcome.kind === 'held') held.push(seed);
    expect(outcome.kind, outcome.kind === 'lost' ? await reportOf(random) : '').not.toBe('lost');
  },
);

async function reportOf(random: Case): Promise<string> {
  const least = await smallest(random);
  const outcome = await outcomeOf(least);
  const sources = least.pages.map((page) => sourceOf(page, least)).join('--- then\n');
  const why = outcome.kind === 'lost' ? outcome.why : '';
  return `${sources}--- person\n${ownOf(least.pages[0], least)}--- ${why}`;
}
