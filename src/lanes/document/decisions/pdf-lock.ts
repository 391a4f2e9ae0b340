/** Finds PDFs that need a password to be opened (ISO 32000-1, 7.6.3: standard security handler, revisions 2 to 4). Pure. */
import { hash } from 'node:crypto';

/** The padding of passwords; alone, it is the empty password (algorithm 2, step a). */
const PADDING = Buffer.from(
  '28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a',
  'hex',
);

/**
 * @param text the whole file, one character per byte
 * @returns true when a password is certainly needed; false when none is, or when it is unknown
 */
export function asksForPassword(text: string): boolean {
  const lock = readLock(text);
  if (lock === undefined) return false;
  const key = keyOfNobody(lock);
  return !userMark(lock, key).equals(lock.user.subarray(0, lock.revision === 2 ? 32 : 16));
}

interface Lock {
  readonly revision: number;
  readonly keyBytes: number;
  readonly owner: Buffer;
  readonly user: Buffer;
  readonly permissions: number;
  readonly id: Buffer;
  readonly hidesMetadata: boolean;
}

/** The encryption of a file; undefined: none, or an unknown one. A file with an owner's password only can be read by everybody. */
function readLock(text: string): Lock | undefined {
  const [, number, generation] = /\/Encrypt\s+(\d+)\s+(\d+)\s+R/.exec(text) ?? [];
  if (number === undefined) return undefined;
  const start = new RegExp(`(?:^|[\\r\\n])${number}\\s+${generation}\\s+obj`).exec(text);
  if (start === null) return undefined;
  const end = text.indexOf('endobj', start.index);
  const dictionary = text.slice(start.index, end < 0 ? undefined : end);
  const integer = (name: string) =>
    Number(new RegExp(`/${name}\\s*(-?\\d+)`).exec(dictionary)?.[1]);
  const [revision, permissions] = [integer('R'), integer('P')];
  const [owner, user] = [stringAfter(dictionary, '/O'), stringAfter(dictionary, '/U')];
  const id = stringAfter(text, '/ID\\s*\\[');
  const isKnown = revision >= 2 && revision <= 4 && Number.isInteger(permissions);
  if (!isKnown || owner?.length !== 32 || user?.length !== 32 || id === undefined) return undefined;
  const keyBytes = revision === 2 ? 5 : (integer('Length') || 40) / 8;
  const hidesMetadata = /\/EncryptMetadata\s+false/.test(dictionary);
  return { revision, keyBytes, owner, user, permissions, id, hidesMetadata };
}

/** A string object, literal or hexadecimal (7.3.4). */
function stringAfter(text: string, name: string): Buffer | undefined {
  const found = new RegExp(
    String.raw`${name}\s*(?:<([\da-fA-F\s]*)>|\(((?:[^\\()]|\\.)*)\))`,
    's',
  ).exec(text);
  if (found === null) return undefined;
  const [, digits, literal = ''] = found;
  if (digits !== undefined) return Buffer.from(digits.replaceAll(/\s/g, ''), 'hex');
  return Buffer.from(literal.replaceAll(ESCAPE, unescaped), 'latin1');
}

const ESCAPE = /\\(?:([0-7]{1,3})|(\r\n|.))/gs;
const CHARACTER_OF_ESCAPE = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['b', '\b'],
  ['f', '\f'],
  // A backslash at the end of a line continues the line.
  ['\n', ''],
  ['\r', ''],
  ['\r\n', ''],
]);

function unescaped(_: string, octal: string | undefined, character = ''): string {
  if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
  return CHARACTER_OF_ESCAPE.get(character) ?? character;
}

/** Algorithm 2 with an empty password. */
function keyOfNobody(lock: Lock): Buffer {
  const { revision, keyBytes, owner, permissions, id, hidesMetadata } = lock;
  const number = Buffer.alloc(4);
  // Some programs write it unsigned.
  number.writeInt32LE(permissions | 0);
  const end = revision >= 4 && hidesMetadata ? [Buffer.from('ffffffff', 'hex')] : [];
  let digest = md5(PADDING, owner, number, id, ...end);
  for (let round = 0; revision >= 3 && round < 50; round++) {
    digest = md5(digest.subarray(0, keyBytes));
  }
  return digest.subarray(0, keyBytes);
}

/** The value of /U in the file for that key (algorithms 4 and 5). */
function userMark({ revision, id }: Lock, key: Buffer): Buffer {
  if (revision === 2) return rc4(key, PADDING);
  let mark = md5(PADDING, id);
  for (let round = 0; round < 20; round++)
    mark = rc4(
      key.map((byte) => byte ^ round),
      mark,
    );
  return mark;
}

function md5(...parts: readonly Uint8Array[]): Buffer {
  return hash('md5', Buffer.concat(parts), 'buffer');
}

/** Own code, because OpenSSL 3 does not have it any more. */
function rc4(key: Uint8Array, data: Uint8Array): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, at) => at);
  const swap = (a: number, b: number) => {
    [state[a], state[b]] = [state[b] ?? 0, state[a] ?? 0];
  };
  for (let at = 0, other = 0; at < 256; at++) {
    other = (other + (state[at] ?? 0) + (key[at % key.length] ?? 0)) & 0xff;
    swap(at, other);
  }
  let other = 0;
  return Buffer.from(
    data.map((byte, nth) => {
      const at = (nth + 1) & 0xff;
      other = (other + (state[at] ?? 0)) & 0xff;
      swap(at, other);
      return byte ^ (state[((state[at] ?? 0) + (state[other] ?? 0)) & 0xff] ?? 0);
    }),
  );
}
