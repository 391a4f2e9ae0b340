/** Who may see and act: whoever shows the token of this daemon gets a session, kept in a cookie that scripts cannot read. */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** 256 bits. */
const TOKEN_BYTES = 32;
/** The oldest session ends when there are more: nobody fills our memory with them. */
const MOST = 32;

export class Sessions {
  /** For the fragment of the page's address: a fragment never leaves the browser. */
  readonly token: string = randomBytes(TOKEN_BYTES).toString('base64url');
  readonly #cookie: string;
  /** Hashes: what is compared has one length, and the time it takes tells nothing. */
  readonly #known = new Set<string>();

  /** @param port cookies are shared between the ports of a host, so their name tells them apart */
  constructor(port: number) {
    this.#cookie = `dragoman_${port}`;
  }

  /** @returns the value of a Set-Cookie header; undefined when the token is wrong */
  open(token: string): string | undefined {
    if (!timingSafeEqual(digest(token), digest(this.token))) return undefined;
    const session = randomBytes(TOKEN_BYTES).toString('base64url');
    this.#known.add(hash('sha256', session));
    const [oldest] = this.#known;
    if (this.#known.size > MOST && oldest !== undefined) this.#known.delete(oldest);
    return `${this.#cookie}=${session}; HttpOnly; SameSite=Strict; Path=/`;
  }

  isKnown({ cookie = '' }: IncomingHttpHeaders): boolean {
    const prefix = `${this.#cookie}=`;
    return cookie
      .split(/;\s*/)
      .filter((each) => each.startsWith(prefix))
      .some((each) => this.#known.has(hash('sha256', each.slice(prefix.length))));
  }
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
