/** The options of all actions of `review`, and their checks. */
import type { ExchangeFormatName } from '../../formats/exchange/exchange.ts';
import { REVIEW_STATES, type ReviewState } from '../../segments/review.ts';
import type { ImportAs } from '../../segments/review-import.ts';
import { CommandFailure, UsageError } from '../command.ts';
import type { ScopeOptions } from '../scope.ts';
import type { SinceOptions } from '../since.ts';

export interface ReviewOptions extends ScopeOptions, SinceOptions {
  readonly only?: readonly string[];
  readonly reviewed?: boolean;
  readonly wanted?: boolean;
  readonly format?: ExchangeFormatName;
  readonly output?: string;
  readonly force?: boolean;
  readonly as?: ImportAs;
  readonly dryRun?: boolean;
  readonly expires?: string;
  readonly revoke?: boolean;
}

/** The states without `--only`: texts that need a person. */
const ASKED: readonly ReviewState[] = ['missing', 'stale', 'held', 'unreviewed'];

/** The states of `--only`. @param more names that are allowed and are not states @throws UsageError for an unknown name */
export function reviewStatesFrom(
  only: readonly string[] | undefined,
  more: readonly string[] = [],
): readonly ReviewState[] {
  if (only === undefined) return ASKED;
  const isState = (name: string): name is ReviewState =>
    REVIEW_STATES.some((state) => state === name);
  return only.flatMap((name) => {
    if (isState(name)) return [name];
    if (more.includes(name)) return [];
    const known = [...REVIEW_STATES, ...more].join(', ');
    throw new UsageError(`--only knows ${known}, not "${name}"`);
  });
}

/** @throws CommandFailure 78 when the config names no lock */
export function requireLock({ lock }: { readonly lock: string | null }): void {
  if (lock !== null) return;
  throw new CommandFailure(
    78,
    'the config names no lock, which records reviews; add "lock: dragoman.lock"',
  );
}
