/** The contract of the file events of the system. They are hints: fast, but not complete, and passes check them. */

export interface HintRequest {
  /** Absolute paths. */
  readonly folders: readonly string[];
  /** True for a path that need not be reported. */
  isOutside(absolute: string, kind: 'file' | 'folder' | 'unknown'): boolean;
  /** Must be very fast: events are lost while it runs. */
  onHint(absolute: string, what: 'file' | 'folder'): void;
  /** Called when changes are reported from now on. */
  onReady(): void;
  onError(error: unknown): void;
}

export interface Hints {
  close(): Promise<void>;
}

export type OpenHints = (request: HintRequest) => Promise<Hints>;
