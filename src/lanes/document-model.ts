/** A file of one job as texts: what a lane asks of it, whatever its kind. The lane prices and buys. */

import type { ReadFile } from '../files/disk.ts';
import type { Right } from '../files/right.ts';
import type { Hold, Lane } from '../job.ts';
import type { OpenCounts, OpenText, OpenUnit, TextCounts } from '../lane.ts';
import type { Finished } from '../translate/draft-outcome.ts';
import type { JobText, TextAnswer } from '../translate/order.ts';
import type { TextCase } from '../translate/text-case.ts';
import type { PurchaseSize } from '../translate/text-orders.ts';

/** @throws JobFailure from every method, as the file, its format or the disk threw it */
export interface DocumentModel {
  readonly facts: ModelFacts;
  /** What is to be bought, in the order of the file. */
  group(): Promise<readonly JobText[]>;
  /** Takes the answers to what was asked last. @returns what is asked once more in another form */
  settle(answers: readonly TextAnswer[]): Promise<readonly JobText[]>;
  /** The target. @param at ISO 8601 */
  compose(at: string): Promise<ComposedDocument>;
  /** Notes in the baseline what the target is about to hold: called before it is replaced. */
  prepare(): Promise<void>;
  /** The same for a target that stays as it is. @param at ISO 8601 */
  keep(at: string): Promise<void>;
  /** What stands beside a target that was delivered. @param right to write it */
  report(right: Right): Promise<void>;
  /** Whether a run would leave the target's bytes as they are, with nothing to be asked of a person. @param at ISO 8601 */
  stands(at: string): Promise<boolean>;
  /** Texts that are to be bought, are held, or wait for a person's choice; undefined where the file counts as a whole. */
  openUnits(): Promise<readonly OpenUnit[] | undefined>;
  /** What a person should hear before it is paid for, a sentence each. */
  notes(): Promise<readonly string[]>;
}

export interface ModelFacts {
  readonly source: Pick<ReadFile, 'hash' | 'stat'>;
  readonly target: Pick<ReadFile, 'hash' | 'stat'> | undefined;
  /** Why the target that stands cannot be merged; it stays as it is, unless a person has it replaced. */
  readonly blocker: Hold | undefined;
  /** Nothing is asked of the target that stands. */
  readonly isSettled: boolean;
  /** Of formats that count their texts in a plan. */
  readonly counts?: TextCounts;
  /** Of each segment to buy, in the order of `group`; with `counts`. */
  readonly sizes?: readonly PurchaseSize[];
  /** Which texts are not as they shall be, the first of each kind. */
  readonly named: readonly OpenText[];
  /** How many, of all. */
  readonly states: OpenCounts;
  /** What of the source cannot be read, and is missing in the target, a sentence each. */
  readonly damage: readonly string[];
}

export interface ComposedDocument extends Finished {
  /** Why what was composed is not delivered. */
  readonly problem?: Hold;
}

/** How the files of a lane are opened. */
export interface ModelSource {
  readonly lane: Lane;
  /** Taken before the job joins others: who waits for room adds no texts. @param purpose `look` for what is never composed */
  seat(text: TextCase, purpose: 'buy' | 'look'): Promise<ModelSeat>;
}

export interface ModelSeat extends Disposable {
  /** Opens the file for some work, and again where what was opened got lost. */
  use<T>(work: (model: DocumentModel) => Promise<T>): Promise<T>;
}
