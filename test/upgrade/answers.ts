/** The answers and the work of a version with a folder of the fixture; without sentences, which may change. */
import { readdirSync, statSync } from 'node:fs';
import { apart, Daemon } from '../rig.ts';
import type { Installation } from './installation.ts';
import { makeKnown } from './known.ts';

type Answers = Readonly<Record<string, unknown>>;
/** The answers of the service of the past about files under way, by their paths. */
export type Words = Readonly<Record<string, readonly string[]>>;

export interface Case {
  readonly folder: 'settled' | 'killed';
  /** ISO 8601. */
  readonly date: string;
  ask(at: Installation, words: Words): Promise<Answers>;
}

/** An hour after the last run of 0.1.0. */
const NEXT = { folder: 'settled', date: '2026-08-21T09:00:00Z' } as const;
/** Everything that is kept for a limited time is gone, the books are folded, another period has begun. */
const YEARS_LATER = { folder: 'settled', date: '2028-02-21T09:00:00Z' } as const;
/** Minutes after the kill: the service still has everything. */
const AT_ONCE = { folder: 'killed', date: '2026-09-07T08:03:00Z' } as const;
const TOO_LATE = { folder: 'killed', date: '2026-09-09T08:00:00Z' } as const;

export const CASES: Readonly<Record<string, Case>> = {
  'a run': { ...NEXT, ask: run },
  'a run years later': { ...YEARS_LATER, ask: run },
  plan: { ...NEXT, ask: plan },
  status: { ...NEXT, ask: status },
  usage: { ...NEXT, ask: usage },
  'explain of a text in conflict': {
    ...NEXT,
    ask: (at) => explain(at, 'people/de/app.json', 'conflict'),
  },
  'the daemon': { ...NEXT, ask: daemon },
  'what can be brought back': { ...NEXT, ask: kept },
  'undo of a run': { ...NEXT, ask: undo },
  'a run after a kill, on a service that knows what was sent': {
    ...AT_ONCE,
    async ask(at, words) {
      await makeKnown(at, words);
      return { first: await run(at), second: await run(at) };
    },
  },
  'a run after a kill, on a service that forgot what was sent': { ...TOO_LATE, ask: run },
};

type Json = { readonly [name: string]: Json } & readonly Json[];

/** One run: its output, its requests and its files. */
async function run(at: Installation): Promise<Answers> {
  const before = at.gateway.seen.length;
  const files = filesOf(at);
  const { code, json } = await ask(at, 'once');
  const { delivered, unchanged, held, failed, estimated_characters, billed_characters } = json;
  return {
    code,
    delivered,
    unchanged,
    held: linesOf(held),
    failed: linesOf(failed),
    estimated_characters,
    billed_characters,
    ...sentSince(at, before),
    wrote: changesOf(files, filesOf(at)),
  };
}

/** It watches, does what is to be done, and is stopped. */
async function daemon(at: Installation): Promise<Answers> {
  const files = filesOf(at);
  const running = new Daemon(apart(at.spawn({}, 'run')));
  await running.logged(({ kind }) => kind === 'started');
  // This entry comes after the only work that is tried every time.
  await running.logged(({ kind }) => kind === 'job-failed');
  const code = await running.stop();
  const { bought } = sentSince(at, 0);
  return { code, bought, wrote: changesOf(files, filesOf(at)) };
}

async function plan(at: Installation): Promise<Answers> {
  const { code, json } = await ask(at, 'plan');
  const { jobs, drift, held, skipped, unchanged, estimated_characters } = json;
  return {
    // 0.1.0 ended with 0 also where a job would fail or wait for a person.
    code: code === 1 || code === 2 ? 0 : code,
    jobs: pick(jobs, 'project lane source target language reason estimated_characters'),
    drift: pick(drift, 'kind name pair'),
    // 0.1.0 named what is kept for a source that is gone in `status` alone.
    held: pick(
      list(held).filter((line) => String(line['code']) !== 'source-gone'),
      LINE,
    ),
    skipped: pick(skipped, 'path'),
    unchanged,
    estimated_characters,
  };
}

async function status(at: Installation): Promise<Answers> {
  const { code, json } = await ask(at, 'status');
  const { jobs, projects, attention, conflicts, tasks, subtitles, billed_characters } = json;
  const kinds = list(tasks).map((task) => ({ ...task, kind: String(task['key']).split('\n')[0] }));
  return {
    code,
    jobs,
    projects: projectsOf(projects),
    attention: pick(unlessSeen(attention, 'code'), LINE),
    conflicts: pick(conflicts, 'file language key old_source new_source human machine'),
    tasks: pick(
      unlessSeen(kinds, 'kind'),
      'kind project state action price_characters sources languages',
    ),
    subtitles: pick(subtitles, 'project source target language cues machine human adopted held'),
    billed_characters,
  };
}

/** Without a daemon 0.1.0 told what the ledger holds; later versions look at the disk as well. */
function unlessSeen(lines: Json | readonly object[] | undefined, name: string): readonly object[] {
  const seen = ['incomplete', 'mass-deletion', 'deletions'];
  return list(lines).filter((line) => !seen.includes(String(line[name])));
}

/** Later versions order the projects as the config does, and tell more of a language. */
export function projectsOf(projects: Json | readonly object[] | undefined): readonly unknown[] {
  const named = list(projects).map(({ name, languages }) => ({
    name,
    languages: pick(languages as readonly object[], 'language done total'),
  }));
  return sorted(named);
}

async function usage(at: Installation): Promise<Answers> {
  const { code, json } = await ask(at, 'usage');
  const { period, notes: _, account: __, comparison: ___, ...books } = json;
  return { code, ...books, period: { start: period?.['start'], end: period?.['end'] } };
}

async function explain(at: Installation, ...about: readonly string[]): Promise<Answers> {
  const { code, json } = await ask(at, 'explain', ...about);
  const { kind, project, route, lane, jobs, segment } = json;
  return {
    code,
    kind,
    project,
    route,
    lane,
    jobs: pick(jobs, 'source target language delivered_at recipe billed_characters voice_seconds'),
    segment,
  };
}

/** The last run that is not undone yet, and then a run that leaves it so. */
async function undo(at: Installation): Promise<Answers> {
  const files = filesOf(at);
  const { code, json } = await ask(at, 'undo', '--yes');
  const { files: undone, left } = json;
  const wrote = changesOf(files, filesOf(at));
  return { code, undone: pick(undone, 'file became'), left: pick(left, 'file'), wrote };
}

/** The runs that can be taken back, the files in the trash and the days with a copy of the ledger. */
async function kept(at: Installation): Promise<Answers> {
  const { json: list } = await ask(at, 'undo', '--list');
  // The first versions did not say what each run changed.
  const { changes: _, ...undo } = list;
  const { json: restore } = await ask(at, 'restore', '--list');
  return { ...undo, ...restore };
}

async function ask(at: Installation, ...args: readonly string[]) {
  const { code, stdout, stderr } = await at.run(...args, '--json');
  try {
    // Paths are absolute, and the folder is another every time.
    return { code, json: JSON.parse(stdout.replaceAll(`${at.rig.root}/`, '')) as Json };
  } catch {
    throw new Error(`${args.join(' ')} printed no JSON (${code}): ${stdout}${stderr}`);
  }
}

const LINE = 'project source target language state price_characters';

function linesOf(lines: Json | undefined): unknown {
  return pick(lines, LINE);
}

const BILLING = [
  'POST /v2/translate',
  'POST /v2/write/rephrase',
  'POST /v2/document',
  'POST /v3/detect/language',
  'PUT /assets/{id}',
];

/** `bought`: each request that may be billed, with what it is about. `asked`: the kinds of all others. */
function sentSince(at: Installation, from: number) {
  const seen = at.gateway.seen.slice(from);
  const bought = seen.filter(({ operation }) => BILLING.includes(operation));
  const asked = seen.map(({ operation }) => operation).filter((each) => !BILLING.includes(each));
  return { bought: sorted(bought), asked: sorted([...new Set(asked)]) };
}

type Files = ReadonlyMap<string, string>;

/** Content and time of every file but the state's. */
function filesOf({ rig }: Installation): Files {
  const names = readdirSync(rig.root, { recursive: true, encoding: 'utf8' });
  const files = names
    .filter((name) => !/(^|\/)\.dragoman/.test(name))
    .filter((name) => statSync(rig.path(name)).isFile());
  return new Map(files.map((name) => [name, `${rig.modified(name)} ${rig.read(name)}`]));
}

function changesOf(before: Files, after: Files): readonly string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return sorted([...names].filter((name) => before.get(name) !== after.get(name)));
}

function pick(lines: Json | readonly object[] | undefined, fields: string): readonly unknown[] {
  const names = fields.split(' ');
  return sorted(
    list(lines).map((line) => Object.fromEntries(names.map((name) => [name, line[name]] as const))),
  );
}

function list(lines: Json | readonly object[] | undefined): readonly Json[] {
  return (lines ?? []) as readonly Json[];
}

/** The order in which jobs came to their end is not a promise. */
function sorted<T>(lines: readonly T[]): readonly T[] {
  return lines
    .map((line) => [JSON.stringify(line), line] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, line]) => line);
}
