/**
 * Built-ins that Node 22 lacks and Node 24 has, put in place where they are missing: SuppressedError, AsyncDisposableStack
 * (ECMAScript explicit resource management) and RegExp.escape (ECMAScript 2025). Imported first by each program and thread.
 */
type Dispose = () => unknown;

const scope = globalThis as { SuppressedError?: unknown; AsyncDisposableStack?: unknown };

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

class Stack implements AsyncDisposable {
  #disposals: Dispose[] = [];
  #disposed = false;

  get disposed(): boolean {
    return this.#disposed;
  }

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

  adopt<T>(value: T, onDispose: (value: T) => unknown): T {
    this.defer(() => onDispose(value));
    return value;
  }

  defer(onDispose: Dispose): void {
    if (this.#disposed) throw new ReferenceError('the stack is disposed');
    this.#disposals.push(onDispose);
  }

  move(): Stack {
    if (this.#disposed) throw new ReferenceError('the stack is disposed');
    const moved = new Stack();
    moved.#disposals = this.#disposals;
    this.#disposals = [];
    this.#disposed = true;
    return moved;
  }

  /** The last one first; each is disposed, also where another one fails. */
  async disposeAsync(): Promise<void> {
    this.#disposed = true;
    let failure: { readonly error: unknown } | undefined;
    for (const dispose of this.#disposals.splice(0).reverse()) {
      try {
        await dispose();
      } catch (error) {
        failure = { error: failure === undefined ? error : new Suppressed(error, failure.error) };
      }
    }
    if (failure !== undefined) throw failure.error;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.disposeAsync();
  }
}

/** A pattern that matches the text itself, wherever it stands in a pattern. */
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
scope.AsyncDisposableStack ??= Stack;
(RegExp as { escape?: (text: string) => string }).escape ??= escapePattern;
