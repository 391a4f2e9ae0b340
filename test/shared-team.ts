/** Checkouts of a team that share one database, and one service that counts. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Clock } from '../src/clock.ts';
import type { SimulatedFault } from '../src/sandbox/faults.ts';
import { type Sandbox, startSandbox } from '../src/sandbox/server.ts';
import { HURRIED_MAIN, MAIN } from './main.ts';
import type { Postgres } from './postgres.ts';
import { withQuickSettle } from './quick-settle.ts';
import type { Finished } from './rig.ts';
import { runHere, type StartedCommand, startHere } from './run-here.ts';

const TEXTS_PER_FILE = 10;
/** By which runners go on with documents of each other; `state: ', key: { env: STATE_KEY }'` names it. */
const KEY = Buffer.alloc(32, 7).toString('base64');

interface TeamOptions {
  readonly members: number;
  readonly texts: number;
  /** Each member has texts of its own; absent: all have the same. */
  readonly own?: boolean;
  /** The text with that number of a member; absent: a short one. */
  text?(member: string, n: number): string;
  /** The program of every process; absent: the usual one of the tests. */
  readonly program?: string;
  /** Further settings of `service`. */
  readonly service?: string | undefined;
  /** Milliseconds that the first translations take; what else a runner asks is answered at once. */
  readonly slowMs?: number;
  /** Further lines of the config. */
  readonly more?: string;
  /** Languages of the project; absent: German. */
  readonly targets?: readonly string[] | undefined;
  /** Further settings of the project, and further routes. */
  readonly project?: string | undefined;
  readonly routes?: string | undefined;
  /** Lines of further projects. */
  readonly projects?: string | undefined;
  /** Further settings of `state`. */
  readonly state?: string;
  /** The tree whose queues the database has. */
  readonly tree?: string | undefined;
  /** Further files of each checkout, by path. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly faults?: readonly SimulatedFault[];
  /** How many times as fast as the wall the service's time runs. */
  readonly timeScale?: number;
}

export class Team implements AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly schema: string;
  readonly members: Member[] = [];
  readonly #postgres: Postgres;
  readonly #options: TeamOptions;

  static async start(postgres: Postgres, options: TeamOptions): Promise<Team> {
    const { slowMs, timeScale = 1 } = options;
    const times = (slowMs ?? 0) > 10_000 ? 1 : 2;
    const slow: readonly SimulatedFault[] =
      slowMs === undefined
        ? []
        : [{ kind: 'slow_headers', operation: 'POST /v2/translate', ms: slowMs, times }];
    const faults = [...slow, ...(options.faults ?? [])];
    const sandbox = await startSandbox({ faults, timeScale });
    const schema = await postgres.schema(options.tree);
    const team = new Team(postgres, { sandbox, schema, options });
    for (let n = 0; n < options.members; n++) team.members.push(await team.join(`member ${n}`));
    return team;
  }

  private constructor(
    postgres: Postgres,
    { sandbox, schema, options }: { sandbox: Sandbox; schema: string; options: TeamOptions },
  ) {
    this.#postgres = postgres;
    this.sandbox = sandbox;
    this.schema = schema;
    this.#options = options;
  }

  async join(name: string): Promise<Member> {
    const { texts, more = '', state = '', files = {}, service, project, routes } = this.#options;
    const { program } = this.#options;
    const member = new Member({ sandbox: this.sandbox, url: this.#postgres.runner, program });
    member.configure(this.schema, more, { state, service, project, routes });
    for (const [path, content] of Object.entries(files)) member.write(path, content);
    for (let from = 0; from < texts; from += TEXTS_PER_FILE) {
      const entries = Array.from({ length: Math.min(TEXTS_PER_FILE, texts - from) }, (_, n) => [
        `key_${n}`,
        this.#text(name, from + n),
      ]);
      const content = `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;
      member.write(`en/file_${from}.json`, content);
    }
    return member;
  }

  #text(member: string, n: number): string {
    const { own, text } = this.#options;
    if (text !== undefined) return text(member, n);
    return `Text number ${n}${own === true ? ` of ${member}` : ''}`;
  }

  async books() {
    const [row] = await this.#postgres.query(
      `select (select coalesce(sum(characters), 0)::int from ${this.schema}.charges) as charged,
        (select count(*)::int from ${this.schema}.requests) as requests,
        (select count(*)::int from ${this.schema}.text_leases) as leases`,
    );
    return row;
  }

  /** The certain and the doubtful sum of the books, and the open requests. */
  async account(): Promise<Account> {
    const sum = (of: string, from: string) =>
      `(select coalesce(sum(${of}), 0)::int from @.${from})`;
    const [row] = await this.#postgres.query(
      `select ${sum('characters', `charges where record->>'kind' <> 'possibly-twice'`)} as sure,
        ${sum('characters', `charges where record->>'kind' = 'possibly-twice'`)} as doubted,
        ${sum('reserved', 'budgets')} as reserved, ${sum('1', 'requests')} as requests,
        ${sum('seconds', 'charges')} as seconds,
        ${sum('1', 'text_leases')} as leases`.replaceAll('@', this.schema),
    );
    return row as unknown as Account;
  }

  /** Until the question has an answer. */
  async until(question: string): Promise<void> {
    await this.#postgres.until(question.replaceAll('@', this.schema));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const member of this.members) await member[Symbol.asyncDispose]();
    await this.sandbox[Symbol.asyncDispose]();
  }
}

export interface Account {
  readonly sure: number;
  readonly doubted: number;
  readonly reserved: number;
  /** Seconds of audio, also those that were possibly counted twice. */
  readonly seconds: number;
  readonly requests: number;
  readonly leases: number;
}

interface Ended {
  readonly code: number;
  readonly billed_characters: number;
  readonly held: readonly unknown[];
  readonly failed: readonly unknown[];
}

interface MemberOptions {
  readonly sandbox: Sandbox;
  /** The address of the database. */
  readonly url: string;
  readonly program?: string | undefined;
}

/** How time goes for one process. */
export interface ProcessTime {
  /** How many times as fast as the wall; absent: as fast. */
  readonly scale?: number;
  /** Milliseconds that its clock is wrong by; absent: none. */
  readonly ahead?: number;
}

export interface SpawnOptions {
  readonly url?: string;
  readonly time?: ProcessTime | undefined;
  /** The address of a module that the process loads first. */
  readonly preload?: string | undefined;
}

type Settings = Pick<TeamOptions, 'service' | 'targets' | 'project' | 'routes' | 'projects'>;

/** One checkout. */
export class Member implements AsyncDisposable {
  readonly #root = mkdtempSync(join(tmpdir(), 'dragoman-member-'));
  readonly #sandbox: Sandbox;
  readonly #url: string;
  readonly #program: string;
  readonly #children = new Set<ChildProcess>();
  readonly #here = new Set<StartedCommand>();

  constructor({ sandbox, url, program }: MemberOptions) {
    this.#sandbox = sandbox;
    this.#url = url;
    this.#program = program ?? MAIN;
  }

  configure(
    schema: string,
    more: string,
    { state = '', ...rest }: Pick<TeamOptions, 'state' | keyof Settings> = {},
  ): void {
    this.#configure(`state: { url: { env: STATE_URL }, schema: ${schema}${state} }\n${more}`, rest);
  }

  /** @param settings `state`: its folder; absent: the usual one */
  configureAlone({ state, ...settings }: Settings & { readonly state?: string } = {}): void {
    this.#configure(state === undefined ? '' : `state: "${state}"`, settings);
  }

  #configure(
    head: string,
    { service = '', targets = ['de'], project = '', routes = '', projects = '' }: Settings = {},
  ): void {
    this.write(
      'dragoman.yaml',
      withQuickSettle(`version: 1
service: { url: "${this.#sandbox.url}"${service} }
${head}
projects:
  app: { source: en, targets: [${targets.join(', ')}],${project} routes: [{ from: "{locale}/*.json" }, { from: "{locale}/*.txt" }${routes}] }
${projects}`),
    );
  }

  write(path: string, content: string | Uint8Array): void {
    mkdirSync(dirname(join(this.#root, path)), { recursive: true });
    writeFileSync(join(this.#root, path), content);
  }

  remove(path: string): void {
    rmSync(join(this.#root, path));
  }

  path(path: string): string {
    return join(this.#root, path);
  }

  has(path: string): boolean {
    return existsSync(join(this.#root, path));
  }

  read(path: string): string {
    return readFileSync(join(this.#root, path), 'utf8');
  }

  /** A process of its own: one of several that work at once, a daemon, or one that is killed. */
  spawn(
    command: string,
    { url = this.#url, time, preload }: SpawnOptions = {},
    ...args: readonly string[]
  ) {
    const program = time === undefined ? this.#program : HURRIED_MAIN;
    const { cwd, env } = this.#world(url);
    const told = JSON.stringify({ start: Date.now(), scale: 1, ahead: 0, ...time });
    const first = preload === undefined ? [] : ['--import', preload];
    const child = spawn(process.execPath, [...first, program, command, ...args, '--no-input'], {
      ...{ cwd, env: time === undefined ? env : { ...env, TEST_TIME: told } },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#children.add(child);
    child.once('close', () => this.#children.delete(child));
    return child;
  }

  /** A daemon in the process of the test. */
  start(...argv: readonly string[]): StartedCommand {
    const started = startHere([...argv, '--no-input'], this.#world(this.#url));
    this.#here.add(started);
    const forget = () => void this.#here.delete(started);
    started.code.then(forget, forget);
    return started;
  }

  /** In the process of the test, which takes a fraction of the time. */
  async run(
    command: string,
    { url = this.#url, clock }: { readonly url?: string; readonly clock?: Clock } = {},
    ...args: readonly string[]
  ): Promise<Finished> {
    return await runHere([command, ...args, '--no-input'], { ...this.#world(url), clock });
  }

  async once(): Promise<Ended> {
    return endedOf(await this.run('once', {}, '--json'));
  }

  /** By a process of its own. */
  async onceApart(): Promise<Ended> {
    const child = this.spawn('once', {}, '--json');
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    return endedOf({ code: code as number | null, stdout, stderr });
  }

  #world(url: string) {
    const own = { DRAGOMAN_KEY: this.#sandbox.key, STATE_URL: url, STATE_KEY: KEY };
    return { cwd: this.#root, env: { ...process.env, NO_COLOR: '1', ...own } };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#children) child.kill('SIGKILL');
    for (const each of this.#here) each.kill('SIGTERM');
    await Promise.all([...this.#here].map(({ code }) => code));
    rmSync(this.#root, { recursive: true, force: true });
  }
}

function endedOf({ code, stdout, stderr }: Finished): Ended {
  try {
    return { ...(JSON.parse(stdout) as Ended), code: code ?? -1 };
  } catch {
    throw new Error(`once printed no JSON (exit code ${code}): ${stdout}\n${stderr}`);
  }
}
