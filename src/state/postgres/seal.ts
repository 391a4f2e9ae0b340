/** Encrypts secrets for a team's database: AES-256-GCM, with a key that only the runners have. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { JobFailure } from '../../failure.ts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

export class Seal {
  readonly #key: Buffer;

  private constructor(key: Buffer) {
    this.#key = key;
  }

  /** @param written 32 bytes as base64 or hexadecimal. @returns undefined for anything else */
  static from(written: string): Seal | undefined {
    const isHexadecimal = /^[0-9a-f]{64}$/i.test(written);
    const key = Buffer.from(written, isHexadecimal ? 'hex' : 'base64');
    const isWhole = isHexadecimal || /^[A-Za-z0-9+/_-]{43}=?$/.test(written);
    return isWhole && key.length === KEY_BYTES ? new Seal(key) : undefined;
  }

  /** @param name names the record of the secret: under another name it cannot be opened */
  close(name: string, text: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, nonce).setAAD(Buffer.from(name));
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
  }

  /** @returns undefined when the secret was encrypted with another key or for another place, or was changed */
  open(name: string, sealed: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64');
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
    try {
      const options = { authTagLength: TAG_BYTES };
      const cipher = createDecipheriv(CIPHER, this.#key, nonce, options)
        .setAAD(Buffer.from(name))
        .setAuthTag(tag);
      const body = cipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([body, cipher.final()]).toString('utf8');
    } catch {
      return undefined;
    }
  }
}

/** @throws JobFailure `team-state` */
export function sealFrom(key: string): Seal {
  const seal = Seal.from(key);
  if (seal !== undefined) return seal;
  const message = 'expected 32 bytes, base64 or hexadecimal';
  throw new JobFailure({ kind: 'team-state', problem: 'key', host: 'state.key', message });
}
