/** Links that let people review: whose, until when, and the hash of each token. The token itself is told once and kept nowhere. */
import { hash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod';
import type { Clock } from '../clock.ts';
import { JobFailure } from '../failure.ts';
import { isAbsent } from '../files/disk.ts';
import { makeFolder, PRIVATE } from '../files/make-folder.ts';
import { replaceFile } from '../files/replace.ts';

/** 256 bits. */
const TOKEN_BYTES = 32;
/** So that the page knows at once which kind of token it was given. */
const PREFIX = 'review-';

const Link = z.strictObject({
  name: z.string(),
  /** ISO 8601. */
  made: z.string(),
  expires: z.string(),
  /** SHA-256 of the token, hexadecimal. */
  hash: z.string(),
});
const Kept = z.strictObject({ links: z.array(Link) });

export type ReviewLink = z.output<typeof Link>;

export interface NewLink {
  readonly name: string;
  readonly lastsMs: number;
}

export class ReviewLinks {
  readonly #file: string;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #listeners = new Set<() => void>();
  /** A failure: the file cannot be read, so no link is good. One that was revoked must not come back. */
  #links: readonly ReviewLink[] | JobFailure;

  private constructor(
    file: string,
    clock: Pick<Clock, 'now'>,
    links: readonly ReviewLink[] | JobFailure,
  ) {
    this.#file = file;
    this.#clock = clock;
    this.#links = links;
  }

  static async open(file: string, clock: Pick<Clock, 'now'>): Promise<ReviewLinks> {
    return new ReviewLinks(file, clock, await readLinks(file));
  }

  /** Those that are good now, oldest first. @throws JobFailure `damaged-state` */
  list(): readonly ReviewLink[] {
    if (this.#links instanceof JobFailure) throw this.#links;
    const now = this.#clock.now();
    return this.#links.filter(({ expires }) => Date.parse(expires) > now);
  }

  /** @returns the token, which nobody can be told again */
  async make({ name, lastsMs }: NewLink): Promise<{ token: string; link: ReviewLink }> {
    const token = `${PREFIX}${randomBytes(TOKEN_BYTES).toString('base64url')}`;
    const link = {
      name,
      made: new Date(this.#clock.now()).toISOString(),
      expires: new Date(this.#clock.now() + lastsMs).toISOString(),
      hash: hash('sha256', token),
    };
    await this.#write([...this.list(), link]);
    return { token, link };
  }

  /** @returns how many links of that name were good until now */
  async revoke(name: string): Promise<number> {
    const good = this.list();
    const left = good.filter((link) => link.name !== name);
    await this.#write(left);
    return good.length - left.length;
  }

  /** The link of a token, as long as it is good. Hashes are compared: how long that takes tells nothing of the token. */
  find(token: string): ReviewLink | undefined {
    return token.startsWith(PREFIX) ? this.named(hash('sha256', token)) : undefined;
  }

  /** @param name hash of its token */
  named(name: string): ReviewLink | undefined {
    if (this.#links instanceof JobFailure) return undefined;
    return this.list().find((link) => link.hash === name);
  }

  /** Hears when a link was made or revoked. @returns what ends that */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** What stands in memory is what the file says, also when it cannot be written. */
  async #write(links: readonly ReviewLink[]): Promise<void> {
    const folder = dirname(this.#file);
    await makeFolder(folder, PRIVATE);
    const content = `${JSON.stringify({ links }, null, 2)}\n`;
    await replaceFile({ path: this.#file, root: folder, content, mode: 0o600 });
    this.#links = links;
    for (const listener of this.#listeners) listener();
  }
}

async function readLinks(file: string): Promise<readonly ReviewLink[] | JobFailure> {
  try {
    return Kept.parse(JSON.parse(await readFile(file, 'utf8'))).links;
  } catch (error) {
    if (isAbsent(error)) return [];
    const message = 'no link of a reviewer is good; remove the file, start again, make them anew';
    return new JobFailure({ kind: 'damaged-state', file, message }, { cause: error });
  }
}
