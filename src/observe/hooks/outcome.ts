/** The result of one try to send a message to a hook. */

export type HookOutcome =
  | { readonly kind: 'sent' }
  /** Another try may succeed. */
  | { readonly kind: 'passing'; readonly reason: string }
  | { readonly kind: 'permanent'; readonly reason: string };

/** Milliseconds that a command or a request may take. */
export const TIME_LIMIT_MS = 30_000;
