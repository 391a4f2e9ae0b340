/** Requests to the daemon, as JSON, within the session of the browser. */

/** A refusal of the daemon, with its message. */
export class Declined extends Error {
  override readonly name = 'Declined';
  readonly status: number;
  /** The present text, when somebody else saved first. */
  readonly row: unknown;
  constructor(status: number, { error, row }: { error: string; row?: unknown }) {
    super(error);
    this.status = status;
    this.row = row;
  }
}

/** Sends a POST request. @throws Declined when the daemon refuses; TypeError when it cannot be reached */
export async function askDaemon<T>(path: string, body: object): Promise<T> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer: unknown = await response.json();
  if (response.ok) return answer as T;
  throw new Declined(response.status, answer as { error: string });
}

/** Whether the address has a token that opens a session. */
export function hasToken(): boolean {
  return tokenHere() !== null;
}

function tokenHere(): string | null {
  return new URLSearchParams(location.hash.slice(1)).get('token');
}

/** Exchanges the token of the address for a cookie, and removes it from the address and the history. */
export async function openSession(): Promise<void> {
  const token = tokenHere();
  if (token === null) return;
  history.replaceState(null, '', location.pathname);
  await askDaemon('/api/session', { token });
}

export function reasonOfError(error: unknown): string {
  return error instanceof Declined ? error.message : 'the daemon cannot be reached';
}
