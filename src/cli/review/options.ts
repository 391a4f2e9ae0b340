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

/** The actions that read each option; all others refuse it. */
const ACTIONS = {
  only: ['list', 'export'],
  since: ['list', 'export'],
  format: ['export'],
  output: ['export'],
  force: ['export'],
  as: ['import'],
  dryRun: ['import'],
  expires: ['link'],
  revoke: ['link'],
  reviewed: ['mark'],
  wanted: ['mark'],
} as const satisfies Partial<Record<keyof ReviewOptions, readonly string[]>>;

/** @throws UsageError for an option that the action would not read */
export function refuseForeignOptions(action: string | undefined, options: ReviewOptions): void {
  for (const [option, actions] of Object.entries(ACTIONS)) {
    const isGiven = options[option as keyof typeof ACTIONS] !== undefined;
    if (!isGiven || actions.some((each) => each === action)) continue;
    const name = option === 'dryRun' ? 'dry-run' : option;
    throw new UsageError(
      `--${name} is for review ${actions.join(' and ')}, not for ${action ?? 'nothing'}`,
    );
  }
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
