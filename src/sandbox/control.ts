/**
 * The control endpoint under `/sandbox/`, on the loopback address and without a key:
 *
 * | request | does |
 * | --- | --- |
 * | GET /sandbox/counters | calls, texts, bytes and billed characters per operation, what was asked twice, violations, warnings |
 * | GET /sandbox/log | the last 10,000 requests |
 * | GET, POST, DELETE /sandbox/faults | lists the waiting faults, adds one or an array, clears them |
 * | POST /sandbox/reset | `{"scope": "counters"}` (default) or `"everything"`: accounts, glossaries, jobs and faults too |
 * | POST /sandbox/account | `{key, character_limit?, key_limit?, character_count?}` changes an account by one of its keys |
 * | GET /sandbox/accounts | the keys, their accounts and what they used |
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { charactersOf, charactersOfAccount, periodAt, setCharacters } from './billing.ts';
import { readBodyBytes } from './body.ts';
import type { SimulatedFault } from './fault.ts';
import { parseFaults } from './fault-file.ts';
import { isObject } from './fields.ts';
import type { ApiKey } from './keyring.ts';
import { UNLIMITED } from './keyring.ts';
import { badParameter, notFound, Refusal, refusalOf } from './refusal.ts';
import type { SandboxWorld } from './resource.ts';
import type { ResourceRouter } from './router.ts';

export interface AccountChange {
  /** Any of the account's keys. */
  readonly key: string;
  readonly character_limit?: number | undefined;
  /** null removes the limit. */
  readonly key_limit?: number | null | undefined;
  /** The characters that the key has used in the current period. */
  readonly character_count?: number | undefined;
}

export class SandboxControl {
  readonly #fresh: () => SandboxWorld;
  readonly #build: (world: SandboxWorld) => ResourceRouter;
  world: SandboxWorld;
  router: ResourceRouter;

  constructor(fresh: () => SandboxWorld, build: (world: SandboxWorld) => ResourceRouter) {
    this.#fresh = fresh;
    this.#build = build;
    this.world = fresh();
    this.router = build(this.world);
  }

  /** Resets counters and log, or the whole service to its state at start. */
  reset(scope: 'counters' | 'everything' = 'counters'): void {
    this.world.counters.reset();
    if (scope === 'counters') return;
    this.world.faults.clear();
    this.world = this.#fresh();
    this.router = this.#build(this.world);
  }

  /** @throws Refusal 404 for an unknown key. */
  change(change: AccountChange): void {
    const key = this.world.keyring.find(change.key);
    if (key === undefined) throw notFound('Key');
    if (change.character_limit !== undefined) key.account.character_limit = change.character_limit;
    if (change.key_limit !== undefined) key.limit = change.key_limit;
    if (change.character_count !== undefined) {
      setCharacters(key, change.character_count, this.world.clock);
    }
  }

  /** @throws Refusal 400 for an operation that does not exist: such a fault would never occur. */
  addFaults(faults: readonly SimulatedFault[]): void {
    for (const { operation } of faults) {
      if (operation === undefined || this.router.has(operation)) continue;
      throw badParameter('operation', `names no operation: ${operation}`);
    }
    this.world.faults.add(faults);
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, value } = await this.#answer(request);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(`${JSON.stringify(value)}\n`);
  }

  async #answer(request: IncomingMessage): Promise<{ status: number; value: unknown }> {
    try {
      const body = await readValue(request);
      return { status: 200, value: this.#do(`${request.method} ${request.url}`, body) };
    } catch (error) {
      const refusal = refusalOf(error);
      return { status: refusal.status, value: refusal.body };
    }
  }

  #do(request: string, body: unknown): unknown {
    const { counters, faults } = this.world;
    switch (request) {
      case 'GET /sandbox/counters':
        return counters.view();
      case 'GET /sandbox/log':
        return counters.log();
      case 'GET /sandbox/accounts':
        return this.world.keyring.all().map((key) => this.#describe(key));
      case 'GET /sandbox/faults':
        return faults.list();
      case 'POST /sandbox/faults':
        this.addFaults(parseFaults(body));
        return faults.list();
      case 'DELETE /sandbox/faults':
        faults.clear();
        return [];
      case 'POST /sandbox/reset':
        this.reset(readScope(body));
        return {};
      case 'POST /sandbox/account':
        this.change(readChange(body));
        return {};
      default:
        throw new Refusal(404, `There is no ${request}.`);
    }
  }

  #describe(key: ApiKey): unknown {
    const period = periodAt(this.world.clock);
    return {
      key: key.secret,
      role: key.role,
      account: key.account.name,
      plan: key.account.plan,
      lacks: key.account.lacks,
      key_limit: key.limit ?? UNLIMITED,
      key_count: charactersOf(key, period),
      character_limit: key.account.character_limit,
      character_count: charactersOfAccount(key.account, period),
    };
  }
}

async function readValue(request: IncomingMessage): Promise<unknown> {
  const body = await readBodyBytes({ headers: request.headers, body: request });
  if (body.length === 0) return {};
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new Refusal(400, 'The body is not valid JSON.');
  }
}

function readScope(body: unknown): 'counters' | 'everything' {
  const { scope = 'counters' } = requireObject(body);
  if (scope === 'counters' || scope === 'everything') return scope;
  throw badParameter('scope', 'must be counters or everything');
}

function readChange(body: unknown): AccountChange {
  const fields = requireObject(body);
  const { key, key_limit } = fields;
  if (typeof key !== 'string') throw badParameter('key', 'is required');
  return {
    key,
    character_limit: readCount(fields, 'character_limit'),
    key_limit: key_limit === null ? null : readCount(fields, 'key_limit'),
    character_count: readCount(fields, 'character_count'),
  };
}

function requireObject(body: unknown): Record<string, unknown> {
  if (isObject(body)) return body;
  throw badParameter('body', 'must be a JSON object');
}

function readCount(fields: Record<string, unknown>, name: string): number | undefined {
  const value = fields[name];
  if (value === undefined || (typeof value === 'number' && value >= 0)) return value;
  throw badParameter(name, 'must be a number of characters');
}
