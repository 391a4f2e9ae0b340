/** How one try to tell a hook ended. */

export type HookOutcome =
  | { readonly kind: 'told' }
  /** Another try may do better. */
  | { readonly kind: 'passing'; readonly reason: string }
  | { readonly kind: 'permanent'; readonly reason: string };

/** Milliseconds that a command or an address may take. */
export const TIME_LIMIT_MS = 30_000;
