/** Classifies the errors of the database's driver: whether a retry may succeed, and a message for people. Pure. */

/** Errors that pass, by codes of PostgreSQL (the first two characters are the class) and of the network. The first match counts. */
const PASSING: readonly (readonly [code: RegExp, words: string])[] = [
  [/^57014$|^55P03$|^ETIMEDOUT$/, 'it answers too slowly'],
  [/^53100$/, 'its disk is full'],
  [/^53200$/, 'its memory is used up'],
  [/^53300$/, 'it has no connection left'],
  [/^53/, 'it has no space left'],
  [/^25006$/, 'it is read-only'],
  [/^57P0[123]$/, 'it restarts'],
  [/^40/, 'other transactions were in the way'],
  [/^58/, 'its disk fails'],
  [/^(ECONNREFUSED|ENOENT)$/, 'nobody answers there'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'its name is not known here'],
  [/^(EHOSTUNREACH|ENETUNREACH|ENETDOWN)$/, 'there is no way to it'],
  [/^(08|ECONN|EPIPE|57P05|25P0[34])/, 'the connection broke'],
];
/** Errors of the driver itself have no code. */
const PASSING_MESSAGES: readonly (readonly [message: RegExp, words: string])[] = [
  [/timeout/i, 'it answers too slowly'],
  [/terminated|closed|not queryable|connect/i, 'the connection broke'],
];
/** Codes of OpenSSL and Node, and messages of the driver, for failed TLS handshakes and wrong certificates. */
const INSECURE_CODE =
  /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA)/;
const INSECURE_MESSAGE = /SSL|TLS|certificate/i;

/** The trouble in a few words, with the driver's message; undefined when a retry does not help. */
export function passingTrouble(error: unknown): string | undefined {
  if (isInsecure(error)) return undefined;
  const code = sqlState(error);
  const words =
    code === ''
      ? PASSING_MESSAGES.find(([message]) => message.test(driverMessage(error)))?.[1]
      : PASSING.find(([codes]) => codes.test(code))?.[1];
  return words === undefined ? undefined : `${words} (${driverMessage(error)})`;
}

export function isInsecure(error: unknown): boolean {
  const code = sqlState(error);
  return code === '' ? INSECURE_MESSAGE.test(driverMessage(error)) : INSECURE_CODE.test(code);
}

/** As a standby of a failover is, or a full one of some providers. */
export function isReadOnly(error: unknown): boolean {
  return sqlState(error) === '25006';
}

/** Whether the database lacks a charge that was seen there. */
export function isOlder(error: unknown): boolean {
  return sqlState(error) === 'DG002';
}

/** Whether PostgreSQL refused the statement: a retry would fail again. */
export function isRefusedBySql(error: unknown): boolean {
  return /^[0-9A-Z]{5}$/.test(sqlState(error)) && passingTrouble(error) === undefined;
}

/** The driver's message; it contains no password. */
export function driverMessage(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(driverMessage).join('; ');
  return error instanceof Error ? error.message : String(error);
}

function sqlState(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : '';
}
