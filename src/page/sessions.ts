/**
 * Sessions of the page. The token of the daemon opens a session, in a cookie that scripts cannot read. The cookie of a reviewer
 * is the token of their link. The link is looked up for each request, so the session ends with the link, and a restart of the daemon
 * does not end it.
 */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../clock.ts';
import type { Reviewer, Reviewers } from './reviewers.ts';

/** 256 bits. */
const TOKEN_BYTES = 32;
/** Number of sessions. With one more, the oldest ends, so that sessions cannot fill the memory. */
const MOST_SESSIONS = 32;

/** Milliseconds that a ticket is valid: it is for a browser that is just starting. */
const TICKET_MS = 60_000;

export interface SessionsOptions {
  /** Part of the cookie's name, since all ports of a host share cookies. */
  readonly port: number;
  readonly clock: Clock;
  readonly reviewers: Reviewers;
}

/** The person who sends a request. */
export type Visitor = { readonly kind: 'owner' } | Reviewer;

export class Sessions {
  /** The token of the daemon. It is in the fragment of the page's address, which browsers do not send to a server. */
  readonly token = secret();
  readonly #clock: Clock;
  readonly #cookie: string;
  readonly #reviewers: Reviewers;
  /** Hashes of sessions: they have one length, so that comparing takes the same time. */
  readonly #known = new Set<string>();
  /** Hashes of tickets, with the time at which each ends. */
  readonly #tickets = new Map<string, number>();

  constructor({ port, clock, reviewers }: SessionsOptions) {
    this.#clock = clock;
    this.#reviewers = reviewers;
    this.#cookie = `dragoman_${port}`;
  }

  /** @returns a token that opens one session within a minute */
  ticket(): string {
    const now = this.#clock.now();
    for (const [ticket, end] of this.#tickets) if (end <= now) this.#tickets.delete(ticket);
    const ticket = secret();
    this.#tickets.set(hash('sha256', ticket), now + TICKET_MS);
    return ticket;
  }

  /**
   * @param origin of the page that asks
   * @returns the value of a Set-Cookie header; undefined when the token is wrong
   */
  open(token: string, origin = ''): string | undefined {
    const reviewer = this.#reviewers.find(token);
    if (reviewer !== undefined) {
      const seconds = Math.ceil((reviewer.until - this.#clock.now()) / 1000);
      return `${this.#cookieOf(token, origin)}; Max-Age=${seconds}`;
    }
    if (!this.#isToken(token) && !this.#useTicket(token)) return undefined;
    const session = secret();
    this.#known.add(hash('sha256', session));
    const [oldest] = this.#known;
    if (this.#known.size > MOST_SESSIONS && oldest !== undefined) this.#known.delete(oldest);
    return this.#cookieOf(session, origin);
  }

  #cookieOf(value: string, origin: string): string {
    const secure = origin.startsWith('https:') ? '; Secure' : '';
    return `${this.#cookie}=${value}; HttpOnly; SameSite=Strict; Path=/${secure}`;
  }

  /** The visitor of a request; undefined without a valid session or link. */
  visitor({ cookie = '' }: IncomingHttpHeaders): Visitor | undefined {
    const prefix = `${this.#cookie}=`;
    const values = cookie
      .split(/;\s*/)
      .filter((each) => each.startsWith(prefix))
      .map((each) => each.slice(prefix.length));
    if (values.some((value) => this.#known.has(hash('sha256', value)))) return { kind: 'owner' };
    for (const value of values) {
      const reviewer = this.#reviewers.find(value);
      if (reviewer !== undefined) return reviewer;
    }
    return undefined;
  }

  #isToken(token: string): boolean {
    return timingSafeEqual(tokenHash(token), tokenHash(this.token));
  }

  #useTicket(ticket: string): boolean {
    const key = hash('sha256', ticket);
    const end = this.#tickets.get(key);
    this.#tickets.delete(key);
    return end !== undefined && this.#clock.now() < end;
  }
}

function secret(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

function tokenHash(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
