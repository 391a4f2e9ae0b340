/** Links for reviewers: their names, their ends, and the hash of each token. The token itself is shown once and stored nowhere. */
import { hash, randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import * as z from 'zod';
import type { Clock } from '../clock.ts';
import { JobFailure } from '../failure.ts';
import { isAbsent } from '../files/disk.ts';
import { makeFolder, PRIVATE } from '../files/make-folder.ts';
import { readText } from '../files/read-file.ts';
import { replaceFile } from '../files/replace.ts';

/** 256 bits. */
const TOKEN_BYTES = 32;
/** Shows the page which kind of token it is. */
const TOKEN_PREFIX = 'review-';

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
  /** A failure when the file cannot be read. Then no link is valid, because a revoked link must not become valid again. */
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

  /** The valid links, oldest first. @throws JobFailure `damaged-state` */
  list(): readonly ReviewLink[] {
    if (this.#links instanceof JobFailure) throw this.#links;
    const now = this.#clock.now();
    return this.#links.filter(({ expires }) => Date.parse(expires) > now);
  }

  /** @returns the token, which cannot be read again later */
  async make({ name, lastsMs }: NewLink): Promise<{ token: string; link: ReviewLink }> {
    const token = `${TOKEN_PREFIX}${randomBytes(TOKEN_BYTES).toString('base64url')}`;
    const link = {
      name,
      made: new Date(this.#clock.now()).toISOString(),
      expires: new Date(this.#clock.now() + lastsMs).toISOString(),
      hash: hash('sha256', token),
    };
    await this.#write([...this.list(), link]);
    return { token, link };
  }

  /** @returns how many valid links with that name there were */
  async revoke(name: string): Promise<number> {
    const good = this.list();
    const left = good.filter((link) => link.name !== name);
    await this.#write(left);
    return good.length - left.length;
  }

  /** The valid link of a token. Hashes are compared, so that the time of the comparison reveals nothing about the token. */
  find(token: string): ReviewLink | undefined {
    return token.startsWith(TOKEN_PREFIX) ? this.named(hash('sha256', token)) : undefined;
  }

  /** The valid link with this hash. @param name hash of the token */
  named(name: string): ReviewLink | undefined {
    if (this.#links instanceof JobFailure) return undefined;
    return this.list().find((link) => link.hash === name);
  }

  /** Calls the listener when a link was made or revoked. @returns a function that ends the subscription */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Writes the file first: so memory and file agree, also when the write fails. */
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
    return Kept.parse(JSON.parse(await readText(file))).links;
  } catch (error) {
    if (isAbsent(error)) return [];
    const message = 'no link of a reviewer is valid; remove the file, start again, make new links';
    return new JobFailure({ kind: 'damaged-state', file, message }, { cause: error });
  }
}
