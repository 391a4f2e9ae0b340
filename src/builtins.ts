/**
 * Adds built-ins that Node 22 lacks and Node 24 has: SuppressedError, DisposableStack and AsyncDisposableStack (ECMAScript explicit
 * resource management) and RegExp.escape (ECMAScript 2025). Each program and thread imports this file first.
 */
type Dispose = () => unknown;

const scope = globalThis as {
  SuppressedError?: unknown;
  DisposableStack?: unknown;
  AsyncDisposableStack?: unknown;
};

/** Two errors at once: the later one hides the earlier one. */
class Suppressed extends Error {
  override readonly name = 'SuppressedError';
  readonly error: unknown;
  readonly suppressed: unknown;

  constructor(error: unknown, suppressed: unknown, message = '') {
    super(message);
    this.error = error;
    this.suppressed = suppressed;
  }
}

/** The common part of both stacks. */
class Disposals {
  #disposals: Dispose[] = [];
  #disposed = false;

  get disposed(): boolean {
    return this.#disposed;
  }

  adopt<T>(value: T, onDispose: (value: T) => unknown): T {
    this.defer(() => onDispose(value));
    return value;
  }

  defer(onDispose: Dispose): void {
    if (this.#disposed) throw new ReferenceError('the stack is disposed');
    this.#disposals.push(onDispose);
  }

  move(): this {
    if (this.#disposed) throw new ReferenceError('the stack is disposed');
    const moved = new (this.constructor as new () => this)();
    moved.#disposals = this.#disposals;
    this.#disposals = [];
    this.#disposed = true;
    return moved;
  }

  /** Empties the stack. @returns its entries, the last one first */
  protected taken(): readonly Dispose[] {
    this.#disposed = true;
    return this.#disposals.splice(0).reverse();
  }
}

interface Thrown {
  readonly error: unknown;
}

function together(earlier: Thrown | undefined, error: unknown): Thrown {
  return { error: earlier === undefined ? error : new Suppressed(error, earlier.error) };
}

class SyncStack extends Disposals implements Disposable {
  get [Symbol.toStringTag](): string {
    return 'DisposableStack';
  }

  use<T extends Disposable | null | undefined>(value: T): T {
    if (value === null || value === undefined) return value;
    const dispose = (value as Partial<Disposable>)[Symbol.dispose];
    if (dispose === undefined) throw new TypeError('the value is not disposable');
    this.defer(() => dispose.call(value));
    return value;
  }

  /** Disposes each value, also when another one fails. @throws the last error; `suppressed` has the earlier ones */
  dispose(): void {
    let failure: Thrown | undefined;
    for (const dispose of this.taken()) {
      try {
        dispose();
      } catch (error) {
        failure = together(failure, error);
      }
    }
    if (failure !== undefined) throw failure.error;
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}

class AsyncStack extends Disposals implements AsyncDisposable {
  get [Symbol.toStringTag](): string {
    return 'AsyncDisposableStack';
  }

  use<T extends AsyncDisposable | Disposable | null | undefined>(value: T): T {
    if (value === null || value === undefined) return value;
    const dispose =
      (value as Partial<AsyncDisposable>)[Symbol.asyncDispose] ??
      (value as Partial<Disposable>)[Symbol.dispose];
    if (dispose === undefined) throw new TypeError('the value is not disposable');
    this.defer(() => dispose.call(value as AsyncDisposable & Disposable));
    return value;
  }

  /** Disposes each value, also when another one fails. @throws the last error; `suppressed` has the earlier ones */
  async disposeAsync(): Promise<void> {
    let failure: Thrown | undefined;
    for (const dispose of this.taken()) {
      try {
        await dispose();
      } catch (error) {
        failure = together(failure, error);
      }
    }
    if (failure !== undefined) throw failure.error;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.disposeAsync();
  }
}

/** A pattern that matches exactly this text. It may be anywhere in a longer pattern. */
function escapePattern(text: string): string {
  const code = (character: string) => {
    const point = character.codePointAt(0) ?? 0;
    return point < 0x100
      ? `\\x${point.toString(16).padStart(2, '0')}`
      : `\\u${point.toString(16).padStart(4, '0')}`;
  };
  return text
    .replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
    .replaceAll(/[,\-=<>#&!%:;@~'`"\s]/g, code)
    .replace(/^[0-9A-Za-z]/, code);
}

scope.SuppressedError ??= Suppressed;
scope.DisposableStack ??= SyncStack;
scope.AsyncDisposableStack ??= AsyncStack;
(RegExp as { escape?: (text: string) => string }).escape ??= escapePattern;
