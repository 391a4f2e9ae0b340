/** Waiting faults: added by option, file or control endpoint, and removed as they occur. */
import type { FaultKind, FaultOf, SimulatedFault } from './fault.ts';

export type { FaultKind, FaultOf, SimulatedFault } from './fault.ts';

/** The facts of a call by which a fault is looked up; before the body is read, only the operation. */
export interface FaultTarget {
  readonly operation: string;
  readonly target_lang?: string | undefined;
  readonly texts?: readonly string[] | undefined;
  /** Only faults that need a language or text: the others were applied before the body was read. */
  readonly only?: 'aimed' | undefined;
}

interface ArmedFault {
  readonly fault: SimulatedFault;
  readonly pattern: RegExp | undefined;
  skip: number;
  left: number;
}

export class Faults {
  #waiting: ArmedFault[] = [];

  /** @throws SyntaxError when `matches` is not a regular expression. */
  add(faults: readonly SimulatedFault[]): void {
    const added = faults.map((fault) => ({
      fault: { ...fault },
      pattern: fault.matches === undefined ? undefined : new RegExp(fault.matches, 'u'),
      skip: fault.skip ?? 0,
      left: fault.times === 'always' ? Number.POSITIVE_INFINITY : (fault.times ?? 1),
    }));
    this.#waiting.push(...added);
  }

  clear(): void {
    this.#waiting = [];
  }

  /** Faults that may still occur, with the number of times left. */
  list(): readonly SimulatedFault[] {
    return this.#waiting.map(({ fault, left, skip }) => ({
      ...fault,
      skip,
      times: left === Number.POSITIVE_INFINITY ? 'always' : left,
    }));
  }

  /** The first waiting fault of that kind that matches the call; its count is reduced. */
  take<K extends FaultKind>(kind: K, target: FaultTarget): FaultOf<K> | undefined {
    for (const waiting of this.#waiting) {
      if (waiting.fault.kind !== kind || !meets(waiting, target)) continue;
      if (target.only === 'aimed' && !isAimed(waiting.fault)) continue;
      if (waiting.skip > 0) {
        waiting.skip--;
        continue;
      }
      waiting.left--;
      if (waiting.left <= 0) this.#waiting = this.#waiting.filter((each) => each !== waiting);
      return waiting.fault as SimulatedFault & FaultOf<K>;
    }
    return undefined;
  }

  /** Reduces a `quota` fault; false when fewer characters are left. */
  spend(characters: number, target: FaultTarget): boolean {
    const quota = this.#waiting.find((each) => each.fault.kind === 'quota' && meets(each, target));
    if (quota?.fault.kind !== 'quota') return true;
    if (characters > quota.fault.characters) return false;
    quota.fault.characters -= characters;
    return true;
  }
}

function isAimed(fault: SimulatedFault): boolean {
  return fault.target_lang !== undefined || fault.matches !== undefined;
}

function meets({ fault, pattern }: ArmedFault, target: FaultTarget): boolean {
  if (fault.operation !== undefined && fault.operation !== target.operation) return false;
  if (fault.target_lang !== undefined) {
    if (fault.target_lang.toLowerCase() !== target.target_lang?.toLowerCase()) return false;
  }
  return pattern === undefined || (target.texts?.some((text) => pattern.test(text)) ?? false);
}
