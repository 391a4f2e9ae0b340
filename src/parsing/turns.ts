/** The order in which a parser thread gets its calls: those of quick files pass those of slow ones, which still get their share. Pure. */

/** Calls that the thread has at a time, while all of them are quick. So the thread does not stand still until the main thread has time. */
const AHEAD = 4;
/** Milliseconds of quick calls after which a slow call gets its turn. */
const SHARE_MS = 5000;

export class ParserTurns<Call> {
  readonly #isQuick: (call: Call) => boolean;
  #waiting: Call[] = [];
  /** The calls that the thread has, and whether they are quick. */
  readonly #given = new Map<Call, boolean>();
  /** Milliseconds of quick calls since the last slow one. */
  #quickMs = 0;

  constructor(isQuick: (call: Call) => boolean) {
    this.#isQuick = isQuick;
  }

  add(call: Call): void {
    this.#waiting.push(call);
  }

  /** The calls to give to the thread now. */
  *next(): Generator<Call> {
    for (;;) {
      const call = this.#best();
      if (call === undefined) return;
      const isQuick = this.#isQuick(call);
      const isFree = this.#given.size === 0;
      const mayQueue = isQuick && this.#given.size < AHEAD && this.#areGivenQuick();
      if (!isFree && !mayQueue) return;
      this.#waiting.splice(this.#waiting.indexOf(call), 1);
      this.#given.set(call, isQuick);
      yield call;
    }
  }

  /** Whether the thread has it. */
  isGiven(call: Call): boolean {
    return this.#given.has(call);
  }

  /** @param ms how long the thread worked on it */
  done(call: Call, ms: number): void {
    const wasQuick = this.#given.get(call);
    this.#given.delete(call);
    this.#quickMs = wasQuick === false ? 0 : this.#quickMs + ms;
  }

  /** The first call that waits of the kind whose turn it is. */
  #best(): Call | undefined {
    const [first] = this.#waiting;
    const isSlowsTurn = this.#quickMs >= SHARE_MS;
    return this.#waiting.find((call) => this.#isQuick(call) !== isSlowsTurn) ?? first;
  }

  #areGivenQuick(): boolean {
    return [...this.#given.values()].every((isQuick) => isQuick);
  }
}
