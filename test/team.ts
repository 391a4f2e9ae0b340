/** A team in temp folders: one repository, clones of it with a state of their own, and one sandbox that counts what it is asked. */

import { existsSync } from 'node:fs';
import { appendFile, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Clock } from '../src/clock.ts';
import { type Sandbox, startSandbox } from '../src/sandbox/server.ts';
import { commitAll, git, gitInTurn, newRepository } from './git.ts';
import { withQuickSettle } from './quick-settle.ts';
import { runHere } from './run-here.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { waitingClock } from './waiting-clock.ts';

type Files = Readonly<Record<string, string>>;

export interface Ended {
  readonly code: number;
  readonly out: string;
  /** Requests that the service got, of all kinds. */
  readonly requests: number;
  /** Texts that it was asked to translate. */
  readonly texts: number;
}

/** Commands and service are in one time, which passes while they wait. */
interface Service {
  readonly sandbox: Sandbox;
  readonly clock: Clock;
}

export class Team {
  readonly sandbox: Sandbox;
  readonly #folder: string;
  readonly #service: Service;
  #clones = 0;

  private constructor(folder: string, service: Service) {
    this.#folder = folder;
    this.#service = service;
    this.sandbox = service.sandbox;
  }

  /** @param projects the `projects:` part of the config, and what else is beside it */
  static async start(projects: string, files: Files): Promise<{ team: Team; first: Checkout }> {
    const clock = waitingClock(Date.now());
    const sandbox = await startSandbox({ clock });
    onTestFinished(() => sandbox[Symbol.asyncDispose]());
    const team = new Team(await temporaryFolder(), { sandbox, clock });
    const first = await team.#firstClone();
    const config = `version: 1\nservice: { url: "${sandbox.url}", key: { env: DRAGOMAN_KEY } }\nlock: dragoman.lock\n${withQuickSettle(projects)}\n`;
    await first.write({ 'dragoman.yaml': config, '.gitignore': '.dragoman/\n', ...files });
    commitAll(first.root, 'begin');
    await team.#publish(first);
    return { team, first };
  }

  /** What `git clone` makes of an empty repository, without its processes. */
  async #firstClone(): Promise<Checkout> {
    const name = `clone-${++this.#clones}`;
    const root = join(this.#folder, name);
    newRepository(join(root, '.git'), { isBare: false });
    await appendFile(
      join(root, '.git', 'config'),
      `[user]
\tname = ${name}
\temail = ${name}@example.com
[remote "origin"]
\turl = ${this.#origin}
\tfetch = +refs/heads/*:refs/remotes/origin/*
[branch "main"]
\tremote = origin
\tmerge = refs/heads/main
`,
    );
    return new Checkout(root, this.#service);
  }

  /** What the first `git push` leaves, without the six processes of it. */
  async #publish({ root }: Checkout): Promise<void> {
    const origin = this.#origin;
    newRepository(origin, { isBare: true });
    // The repository gets each push without a search for garbage, which is a process of its own.
    await appendFile(join(origin, 'config'), '[receive]\n\tautogc = false\n');
    const [from, main] = [join(root, '.git'), join('refs', 'heads', 'main')];
    await cp(join(from, 'objects'), join(origin, 'objects'), { recursive: true });
    await cp(join(from, main), join(origin, main));
    await cp(join(from, main), join(from, 'refs', 'remotes', 'origin', 'main'));
  }

  get #origin(): string {
    return join(this.#folder, 'origin.git');
  }

  /** @param options of `git clone` */
  async clone(...options: readonly string[]): Promise<Checkout> {
    const name = `clone-${++this.#clones}`;
    const origin = this.#origin;
    // A part of the history is given by a server alone; a whole one is linked, which costs less.
    const url = options.length === 0 ? origin : `file://${origin}`;
    // Programs that a test starts in the checkout commit under this name.
    const who = ['--config', `user.name=${name}`, '--config', `user.email=${name}@example.com`];
    git(this.#folder, 'clone', '--quiet', ...who, ...options, url, name);
    return new Checkout(join(this.#folder, name), this.#service);
  }

  /** A folder beside or in the clones. */
  at(path: string): Checkout {
    return new Checkout(join(this.#folder, path), this.#service);
  }
}

export class Checkout {
  readonly root: string;
  readonly #service: Service;

  constructor(root: string, service: Service) {
    this.root = root;
    this.#service = service;
  }

  git(...args: readonly string[]): string {
    return git(this.root, ...args);
  }

  /** Commits everything and pushes it. */
  commit(message: string): void {
    gitInTurn(
      this.root,
      ['add', '--all'],
      ['commit', '--quiet', '--allow-empty', '--message', message],
      ['push', '--quiet', 'origin', 'HEAD:main'],
    );
  }

  pull(): void {
    this.git('pull', '--quiet', '--no-rebase', '--no-edit', 'origin', 'main');
  }

  async write(files: Files): Promise<void> {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(this.root, path)), { recursive: true });
      await writeFile(join(this.root, path), content);
    }
  }

  async writeBytes(path: string, content: Uint8Array): Promise<void> {
    await mkdir(dirname(join(this.root, path)), { recursive: true });
    await writeFile(join(this.root, path), content);
  }

  async read(path: string): Promise<string> {
    return await readFile(join(this.root, path), 'utf8');
  }

  async remove(path: string): Promise<void> {
    await rm(join(this.root, path), { recursive: true });
  }

  has(path: string): boolean {
    return existsSync(join(this.root, path));
  }

  /** All texts that the service was asked to translate, in order. */
  texts(): readonly string[] {
    return this.#service.sandbox.log().flatMap(({ texts = [] }) => texts);
  }

  /** Runs a command of the program in this process. */
  async run(...argv: readonly string[]): Promise<Ended> {
    const before = this.#asked();
    const { sandbox, clock } = this.#service;
    // A checkout of a person: with CI in its environment a command says less.
    const { CI: _, ...own } = process.env;
    const env = { ...own, NO_COLOR: '1', DRAGOMAN_KEY: sandbox.key };
    const world = { cwd: this.root, env, clock };
    const { code, printed } = await runHere([...argv, '--no-input'], world);
    const { requests, texts } = this.#asked();
    return {
      code: code ?? -1,
      out: printed.trimEnd(),
      requests: requests - before.requests,
      texts: texts - before.texts,
    };
  }

  #asked(): { readonly requests: number; readonly texts: number } {
    const log = this.#service.sandbox.log();
    const texts = log.reduce((sum, entry) => sum + (entry.texts?.length ?? 0), 0);
    return { requests: log.length, texts };
  }
}
