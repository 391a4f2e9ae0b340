/** Asks the daemon: one session per browser, then JSON both ways. */

/** What the daemon answered instead of doing it, in its own words. */
export class Declined extends Error {
  override readonly name = 'Declined';
  readonly status: number;
  /** What stands there instead, where somebody else was faster. */
  readonly row: unknown;
  constructor(status: number, { error, row }: { error: string; row?: unknown }) {
    super(error);
    this.status = status;
    this.row = row;
  }
}

/** @throws Declined; TypeError when the daemon cannot be reached */
export async function ask<T>(path: string, body: object): Promise<T> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer: unknown = await response.json();
  if (response.ok) return answer as T;
  throw new Declined(response.status, answer as { error: string });
}

/** Whether somebody came with an address that opens a session. */
export function hasToken(): boolean {
  return tokenHere() !== null;
}

function tokenHere(): string | null {
  return new URLSearchParams(location.hash.slice(1)).get('token');
}

/** Trades the token of the address for a cookie, and takes it out of the address and the history. */
export async function openSession(): Promise<void> {
  const token = tokenHere();
  if (token === null) return;
  history.replaceState(null, '', location.pathname);
  await ask('/api/session', { token });
}

export function wordsOf(error: unknown): string {
  return error instanceof Declined ? error.message : 'the daemon cannot be reached';
}
