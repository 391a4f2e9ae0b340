/**
 * The contract of a file that is bought text by text: the same for resource files, pages and subtitles. The lane finds the
 * price and buys.
 */

import type { BaselineRecord } from '../baseline.ts';
import type { ReadFile } from '../files/disk.ts';
import type { Right } from '../files/right.ts';
import type { Hold, Lane } from '../job.ts';
import type { OpenCounts, OpenText, OpenUnit, TextCounts } from '../lane.ts';
import type { TextAnswer } from '../segments/record-for.ts';
import type { Finished } from '../translate/draft-outcome.ts';
import type { JobText, TextPortions } from '../translate/order.ts';
import type { TextCase } from '../translate/text-case.ts';
import type { PurchaseSizes } from '../translate/text-orders.ts';

/** @throws JobFailure from every method, as the file, its format or the disk threw it */
export interface TextModel {
  readonly facts: ModelFacts;
  /** The texts to buy, in the order of the file. They are read again at each call, so that no caller needs to hold them. */
  texts(): TextPortions;
  /** Takes the next answers, in the order of the texts that were asked last. */
  answer(answers: readonly TextAnswer[]): Promise<void>;
  /** Called when all of them are answered. @returns texts to ask again in another form */
  again(): Promise<readonly JobText[]>;
  /** Called before anything is bought. @throws JobFailure when the present target cannot be written. @param at ISO 8601 */
  foresee(at: string): Promise<void>;
  /** How many lines between the texts would wait for a person's choice. @param at ISO 8601 */
  frameConflicts(at: string): Promise<number>;
  /** Composes the target. @param at the present time, ISO 8601 */
  compose(at: string): Promise<ComposedFile>;
  /** Stores the baseline of the composed target: called before the target is replaced. */
  prepare(): Promise<void>;
  /** Stores the baseline of a target that stays as it is. @param at ISO 8601 */
  keep(at: string): Promise<void>;
  /** Writes the report beside a delivered target, where there is one. @param right the right to write it */
  report(right: Right): Promise<void>;
  /** Whether a run would not change the target, and would need no person. @param at ISO 8601 */
  isUpToDate(at: string): Promise<boolean>;
  /** The records of the composed target; undefined: nothing would be written. @param at ISO 8601 */
  records(at: string): Promise<BaselineRecord | undefined>;
  /** The texts to buy, the held ones, and those that wait for a person; undefined for a file without single texts. */
  openUnits(): Promise<readonly OpenUnit[] | undefined>;
  /** Notes for people before they pay, one sentence each. */
  notes(): Promise<readonly string[]>;
}

export interface ModelFacts {
  readonly source: Pick<ReadFile, 'hash' | 'stat'>;
  readonly target: Pick<ReadFile, 'hash' | 'stat'> | undefined;
  /** Why the present target cannot be merged. It stays as it is, unless a person lets it be replaced. */
  readonly blocker: Hold | undefined;
  /** True: the present target needs nothing, although it cannot be merged. */
  readonly needsNothing: boolean;
  /** For formats whose texts are counted in a plan. */
  readonly counts?: TextCounts;
  /** For each segment to buy, in the order of `texts`; together with `counts`. */
  readonly sizes?: PurchaseSizes;
  /** The first texts of each kind that are not up to date. */
  readonly named: readonly OpenText[];
  /** How many texts of each kind there are in all. */
  readonly states: OpenCounts;
  /** Parts of the source that cannot be read and are missing in the target, one sentence each. */
  readonly damage: readonly string[];
  /** Translations of people that leave the target with their source texts, and texts that count as removed by a person, one sentence each. */
  readonly removed: readonly string[];
}

export interface ComposedFile extends Finished {
  /** Why the composed target is not delivered. */
  readonly problem?: Hold;
}

/** How the files of a lane are opened. */
export interface ModelSource {
  readonly lane: Lane;
  /**
   * Waits until the file may be open. Called before the job joins the translator, because a job that waits adds no texts.
   * @param purpose `read`: the target is never composed
   */
  reserve(text: TextCase, purpose: 'buy' | 'read'): Promise<ModelReservation>;
}

export interface ModelReservation extends Disposable {
  /** Opens the file for the work; opens it again when a thread with the open file was lost. */
  use<T>(work: (model: TextModel) => Promise<T>): Promise<T>;
}
