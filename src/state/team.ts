/** What a team shares, as the rest of the program sees it: opened only where the config names a database. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAbsent } from '../files/disk.ts';
import { replaceFile } from '../files/replace.ts';
import type { Part } from '../format.ts';
import type { Job, JobId } from '../job.ts';
import type { Charge } from '../ledger.ts';
import type { Rate } from '../service/rate.ts';
import type { Books } from './books.ts';
import type { Funds, SharedLimit } from './funds.ts';
import type { Leases } from './leases.ts';
import type { Memories } from './memory.ts';
import type { SharedPurchases } from './shared-purchases.ts';
import type { Till } from './till.ts';
import type { Tree, TreeEntry } from './tree.ts';

/** The file of the state folder that says which database it worked with last, and how far that was. */
export const SEEN = 'team.json';

/**
 * Notes that a folder is worked on without the database that it worked with: what it buys until it joins again, nobody else knows.
 * @param folder the state folder, which this process has locked
 */
export async function noteAlone(folder: string): Promise<void> {
  const path = join(folder, SEEN);
  const seen = await readFile(path, 'utf8').catch((error: unknown) => {
    if (isAbsent(error)) return undefined;
    throw error;
  });
  if (seen === undefined || seen.includes('"alone":true')) return;
  const content = `${JSON.stringify({ ...parsed(seen), alone: true })}\n`;
  await replaceFile({ path, root: folder, tempIn: folder, content, mode: 0o600 });
}

function parsed(json: string): object {
  try {
    return JSON.parse(json) as object;
  } catch {
    return {};
  }
}

/** What decides whether money may be spent; it is known later than the database is open. */
export interface TeamRules {
  /** Of the characters of a project. */
  limits(project: string): readonly SharedLimit[];
  /** Whether a person approved the price of a job whatever the budgets say. */
  isApproved(job: JobId): boolean;
}

export interface TeamStatus {
  /** Host of the database. */
  readonly host: string;
  /** Since when it is away, and why; absent: it answers. */
  readonly away?: { readonly since: string; readonly reason: string };
  /** Answers and charges that are on this machine's disk and not in the database yet. */
  readonly waiting: number;
}

/** Who works on it, and what they have under way. */
export interface TeamWork {
  readonly runners: readonly {
    readonly name: string;
    /** Of the database. */
    readonly login: string;
    /** Seconds since it was heard of. */
    readonly silentSeconds: number;
    readonly isThis: boolean;
  }[];
  readonly requests: number;
  readonly characters: number;
}

/** A text that somebody bought. */
interface BoughtText {
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
   * Opens the half of the state that belongs to a folder tree. Close it before the team.
   * @throws JobFailure `team-state` where another daemon works on it
   */
  openTree(name: string, entry: TreeEntry): Promise<Tree>;
  status(): TeamStatus;
  /** As it was seen last where the database is away. */
  work(): Promise<TeamWork>;
  /** Which runner brought the translation that stands there; undefined when nobody did, or the database is away. */
  whoBought(text: BoughtText): Promise<Buyer | undefined>;
  /**
   * Which runners bought the texts, the document or the recording of a job, in order of time; none when the database is away.
   * @param spoken the language of a recording's outputs, as the API spells it
   */
  buyersOf(job: Job, spoken: string): Promise<readonly Buyer[]>;
  /** Money is spent by these rules from now on. */
  follow(rules: TeamRules): void;
  /** Charges of the ledger of a folder reach the team's books: durable when it resolves. */
  book(charges: readonly Charge[]): Promise<void>;
  /** The process is about to end: a database that is away is not waited for. */
  hurry(): void;
}
