/** `once --frozen`: what a run would change, and what is missing all the same; nothing is done and nothing is sent. */

import { join } from 'node:path';
import type { Config } from '../config.ts';
import { failureOf } from '../failure.ts';
import { statOf } from '../files/disk.ts';
import { findWorkTree } from '../files/work-tree.ts';
import type { FollowUp } from '../intake/leaving.ts';
import { adviceForHold, describeHold, type Hold, type Job, shorten, targetList } from '../job.ts';
import type { OpenText } from '../lane.ts';
import type { PlannedJob } from '../plan/plan.ts';
import { attentionOf } from './attention.ts';
import { notesOfBlockers } from './blocker-words.ts';
import { blockersIn } from './blockers.ts';
import type { Scope } from './control.ts';
import type { LocalControlOptions } from './options.ts';
import type { AttentionLine, FrozenReport } from './report.ts';
import { inScope } from './scope.ts';

export async function frozenReport(
  options: LocalControlOptions,
  scope: Scope,
): Promise<FrozenReport> {
  await options.look();
  const { ledger, inForce } = options;
  const rootOf = (project: string) => inForce.planner.project(project)?.root;
  const { work } = await options.plan();
  const looked: Looked[] = [];
  for (const planned of work) {
    if (inScope(scope, planned.job, rootOf)) looked.push(await lookAt(options, planned));
  }
  const busy = new Set(looked.flatMap(({ kind, job }) => (kind === 'stands' ? [] : [job.id])));
  const decided = work.filter(({ reason }) => reason === 'decided elsewhere');
  const over = new Set([...busy, ...decided.map(({ job }) => job.id)]);
  const others = [...ledger.all('jobs')].filter(
    (job) => !over.has(job.id) && inScope(scope, job, rootOf) && inForce.planner.isTold(job),
  );
  const blockers = blockersIn(scope, options.blockers(), rootOf);
  const edits = looked.flatMap(({ job, named }) => editNote(job, named));
  return {
    jobs: [...options.followUps(scope), ...looked.filter(({ kind }) => kind === 'open')].map(
      lineOf,
    ),
    attention: [...attentionOf(others, blockers), ...looked.flatMap(attentionIn)],
    notes: [...notesOfBlockers(blockers), ...noLockNotes(inForce.config), ...edits],
    is_lock_behind: edits.length > 0 || blockers.some(({ kind }) => kind === 'lock-lost'),
  };
}

/** A planned job, and whether it has anything to do. `waits`: only for people. */
interface Looked extends PlannedJob {
  readonly kind: 'open' | 'waits' | 'stands';
  readonly named: readonly OpenText[];
  readonly hold?: Hold;
}

function lineOf(planned: PlannedJob | FollowUp | Looked): FrozenReport['jobs'][number] {
  const { project, source, language } = planned.job;
  const texts = 'named' in planned ? planned.named.filter(({ is }) => is !== 'edited') : [];
  const line = { project, source, language, reason: planned.reason };
  return texts.length === 0 ? line : { ...line, texts };
}

function attentionIn({ kind, job, hold }: Looked): AttentionLine[] {
  if (kind !== 'waits' || hold === undefined) return [];
  const { project, source, language } = job;
  const target = targetList(job.targets)[0] ?? source;
  const told = {
    code: hold.kind,
    reason: describeHold(hold),
    next_step: adviceForHold(hold, target),
  };
  return [{ project, source, target, language, state: 'held', ...told, price_characters: null }];
}

/** Whoever edits a translation need not have dragoman: the next run writes it into the lock. */
function editNote({ source, language }: Job, named: readonly OpenText[]): string[] {
  const edits = named.filter(({ is }) => is === 'edited').map(({ key }) => key);
  if (edits.length === 0) return [];
  return [
    `${source} -> ${language}: edited by a person and not in the lock yet: ${shorten(edits)}`,
  ];
}

/** Without a lock only what this machine has seen is known. Outside of git there are no other checkouts to which it matters. */
export function noLockNotes({ lock, base }: Config): string[] {
  return lock === undefined && findWorkTree(base) !== undefined ? [NO_LOCK] : [];
}

const NO_LOCK =
  'the config names no lock: in a fresh checkout a stale translation cannot be told from one that is up to date; "lock: dragoman.lock" keeps that in the repository';

/** A run only writes down that it knows what stands already and is up to date. */
async function lookAt(options: LocalControlOptions, planned: PlannedJob): Promise<Looked> {
  const { job, reason } = planned;
  const { inForce } = options;
  const isLocked = inForce.config.lock !== undefined;
  const isNews = NEWS.has(reason);
  if (reason !== 'new' && !(isLocked && isNews)) return { ...planned, kind: 'open', named: [] };
  const estimate = await options.estimate(job, new Set()).catch(withoutEstimate);
  const { named = [], hold = holdOf(named) } = estimate ?? {};
  const isStanding = await isThere(options, job);
  if (estimate?.stands === true && hold === undefined && isStanding) {
    return { ...planned, kind: 'stands', named };
  }
  if (isLocked && hold !== undefined) return { ...planned, kind: 'waits', named, hold };
  const isStale = isLocked && isStanding && !named.some(({ is }) => is === 'missing');
  return { ...planned, kind: 'open', named, reason: isStale ? STALE : reason };
}

/** A file that cannot be read is work; a lock that cannot be read tells nothing of any file. */
function withoutEstimate(error: unknown): undefined {
  if (failureOf(error).kind === 'damaged-state') throw error;
}

/** A translation that this machine sees for the first time is there, and of an older source. */
const STALE = 'source changed' satisfies PlannedJob['reason'];

/** Reasons that say nothing of what stands there, where the lock says it. */
const NEWS: ReadonlySet<string> = new Set([
  'new',
  'source changed',
  'recipe changed',
  'target edited',
  'waits',
  'decided elsewhere',
] satisfies PlannedJob['reason'][]);

/** What only people can end; undefined where a run has something to do. */
function holdOf(named: readonly OpenText[]): Hold | undefined {
  if (named.some(({ is }) => is === 'missing' || is === 'stale')) return undefined;
  const of = (...kinds: OpenText['is'][]) => named.filter(({ is }) => kinds.includes(is));
  const place = ({ key, line }: OpenText) => `${key} (line ${line})`;
  const conflicts = of('conflict', 'unknown');
  if (conflicts.length > 0) return { kind: 'conflict', keys: conflicts.map(place) };
  const held = of('held');
  if (held.length === 0) return undefined;
  const message = 'no answer was fit to be written when it was bought';
  return {
    kind: 'damaged-segments',
    problems: held.map(({ key, line }) => ({ key, line, message })),
  };
}

async function isThere({ inForce }: LocalControlOptions, job: Job): Promise<boolean> {
  const root = inForce.planner.project(job.project)?.root;
  if (root === undefined) return false;
  for (const path of targetList(job.targets)) {
    if ((await statOf(join(root, path))) === undefined) return false;
  }
  return true;
}
