/** What the watcher asks of the system's file events. They are hints: never complete, never trusted, only quick. */

export interface HintRequest {
  /** Absolute. */
  readonly folders: readonly string[];
  /** What need not be reported. */
  isOutside(absolute: string, kind: 'file' | 'folder' | 'unknown'): boolean;
  /** Must cost next to nothing: events are lost while it runs. */
  onHint(absolute: string, what: 'file' | 'folder'): void;
  /** From now on changes are reported. */
  onReady(): void;
  onError(error: unknown): void;
}

export interface Hints {
  close(): Promise<void>;
}

export type OpenHints = (request: HintRequest) => Promise<Hints>;
