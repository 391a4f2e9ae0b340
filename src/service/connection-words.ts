/** Says in words why a connection failed. Codes of undici and of the HTTP parser are internals; those of the system stay, in brackets. */

/** Of undici and of the parser of Node: a person can do nothing with the code. */
const INTERNALS: readonly (readonly [code: RegExp, words: string])[] = [
  [/^UND_ERR_CONNECT_TIMEOUT$/, 'no connection within 10 s'],
  [/^UND_ERR_HEADERS_TIMEOUT$/, 'nothing came for 60 s'],
  [/^UND_ERR_BODY_TIMEOUT$/, 'it broke off, and nothing came for 60 s'],
  [/^UND_ERR_SOCKET$/, 'the other side closed the connection'],
  [/^UND_ERR_RES_CONTENT_LENGTH_MISMATCH$/, 'its length is not the one that its head says'],
  [/^UND_ERR_HEADERS_OVERFLOW$/, 'its head is too large'],
  [/^UND_ERR_PRX/, 'the proxy refuses the connection'],
  [/^UND_ERR_(DESTROYED|CLOSED|ABORTED)$/, 'the connection was closed'],
  [/^HPE_/, 'it is no valid HTTP'],
];

const OF_SYSTEM: readonly (readonly [code: RegExp, words: string])[] = [
  [/^ECONNREFUSED$/, 'nothing listens there'],
  [/^(ECONNRESET|EPIPE)$/, 'the other side closed the connection'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'its name is not known here'],
  [/^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN)$/, 'no way leads there'],
];

export function connectionProblem(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Several addresses of one name were tried.
  if (error instanceof AggregateError && error.errors.length > 0) {
    return connectionProblem(error.errors[0]);
  }
  const { code, address, port, hostname } = error as NodeJS.ErrnoException & Address;
  const message = error.message === '' ? 'the connection failed' : error.message;
  if (typeof code !== 'string') return message;
  const internal = phraseFor(INTERNALS, code);
  if (internal !== undefined) return internal;
  if (/^UND_ERR/.test(code)) return message;
  const words = phraseFor(OF_SYSTEM, code) ?? message;
  const place = hostname ?? (address === undefined ? undefined : `${address}:${port}`);
  return words.includes(code) ? words : `${words} (${[code, place].filter(Boolean).join(' ')})`;
}

/** What Node knows of the failed connection. */
interface Address {
  readonly address?: string;
  readonly port?: number;
  readonly hostname?: string;
}

function phraseFor(table: typeof INTERNALS, code: string): string | undefined {
  return table.find(([pattern]) => pattern.test(code))?.[1];
}
