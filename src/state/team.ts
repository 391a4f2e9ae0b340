/** The contract of the state that a team shares. It is opened only when the config names a database. */

import { join } from 'node:path';
import { unlessAbsent } from '../files/disk.ts';
import { readText } from '../files/read-file.ts';
import { replaceFile } from '../files/replace.ts';
import type { Part } from '../format.ts';
import type { Job, JobId } from '../job.ts';
import type { Charge } from '../ledger.ts';
import type { Rate } from '../service/rate.ts';
import type { Books } from './books.ts';
import type { Funds, SharedLimit } from './funds.ts';
import type { LastAnswer } from './last-answer.ts';
import type { Leases } from './leases.ts';
import type { Memories } from './memory.ts';
import type { SharedPurchases } from './shared-purchases.ts';
import type { Till } from './till.ts';
import type { Tree, TreeEntry } from './tree.ts';

/** The file of the state folder that says with which database it worked last, and which charges that database had. */
export const SEEN = 'team.json';

/**
 * Notes that a folder which worked with a database now works without it: until it joins again, nobody else knows of its purchases.
 * @param folder the state folder, which this process has locked
 */
export async function recordAlone(folder: string): Promise<void> {
  const path = join(folder, SEEN);
  const seen = await unlessAbsent(readText(path));
  if (seen === undefined || seen.includes('"alone":true')) return;
  const content = `${JSON.stringify({ ...parsed(seen), alone: true })}\n`;
  await replaceFile({ path, root: folder, tempIn: folder, content, mode: 0o600 });
}

/** Whether a folder worked with a database the last time that it was used. */
export async function wasShared(folder: string): Promise<boolean> {
  const seen = await readText(join(folder, SEEN)).catch(() => undefined);
  return seen !== undefined && !seen.includes('"alone":true');
}

function parsed(json: string): object {
  try {
    return JSON.parse(json) as object;
  } catch {
    return {};
  }
}

/** Decides whether money may be spent. It is known only after the database is open. */
export interface SpendingLimits {
  /** The shared limits of a project. */
  sharedLimits(project: string): readonly SharedLimit[];
  /** Whether a person approved the price of a job: then budgets do not refuse it. */
  isApproved(job: JobId): boolean;
}

export interface TeamStatus {
  /** Host of the database. */
  readonly host: string;
  /**
   * Since when the database does not answer (ISO 8601), and why; absent: it answers. `isForgetful`: it answers, but lacks charges that
   * were seen there.
   */
  readonly away?: { readonly since: string; readonly reason: string; readonly isForgetful?: true };
  /** Number of answers and charges that are on the disk of this machine and not in the database yet. */
  readonly waiting: number;
}

/** The runners of the team, and their requests under way. */
export interface TeamWork {
  readonly runners: readonly {
    readonly name: string;
    /** Login at the database. */
    readonly login: string;
    /** Seconds since its last heartbeat. */
    readonly silentSeconds: number;
    readonly isThis: boolean;
  }[];
  readonly requests: number;
  readonly characters: number;
}

/** A bought text. */
interface TeamText {
  readonly project: string;
  readonly language: string;
  readonly source: string;
  readonly translation: readonly Part[];
}

/** Who bought something, and when (ISO 8601). */
export interface Buyer {
  readonly runner: string;
  readonly at: string;
}

export interface Team extends AsyncDisposable {
  readonly memories: Memories;
  readonly till: Till;
  readonly books: Books;
  readonly funds: Funds;
  readonly rate: Rate;
  readonly purchases: SharedPurchases;
  readonly leases: Leases;
  /**
   * Opens the part of the state that belongs to a folder tree. Close it before the team.
   * @throws JobFailure `team-state` when another daemon works on the tree
   */
  openTree(name: string, entry: TreeEntry): Promise<Tree>;
  status(): TeamStatus;
  work(): Promise<LastAnswer<TeamWork>>;
  /** Which runner bought the present translation; undefined when none did, or the database is away. */
  whoBought(text: TeamText): Promise<Buyer | undefined>;
  /**
   * Which runners bought the texts, the document or the recording of a job, the earliest first; none when the database is away.
   * @param spoken the language of a recording's outputs, as the API spells it
   */
  buyersOf(job: Job, spoken: string): Promise<readonly Buyer[]>;
  /** Sets the limits for spending. */
  follow(limits: SpendingLimits): void;
  /** Books charges of the ledger of a folder with the team; durable when it resolves. */
  book(charges: readonly Charge[]): Promise<void>;
  /** The process is about to end: it no longer waits for a database that is away. */
  stopWaiting(): void;
}
