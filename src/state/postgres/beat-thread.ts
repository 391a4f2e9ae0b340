/** This thread records every two seconds that its runner lives, and gives up silent runners. */
import { parentPort, workerData } from 'node:worker_threads';
import pg from 'pg';
import { systemClock } from '../../clock.ts';
import type { BeatNews, BeatOptions, BeatOrder, GivenUp } from '../beat.ts';
import { connectionTo } from './connection.ts';
import { quotedName } from './schema.ts';
import { driverMessage, isOlder, isReadOnly, passingTrouble } from './trouble.ts';

const BEAT_MS = 2000;
/** Seconds of silence after which a runner is given up. */
const SILENCE_S = 6;

const { url, id, name, ...options } = workerData as BeatOptions;
const schema = quotedName(options.schema);
const told = JSON.stringify({ id, name, waiting: 0 });
let client: pg.Client | undefined;
let seenCharges: readonly string[] = [];
let isForgetful = false;
let isReadOnlyDatabase = false;
const ending = new AbortController();
parentPort?.on('message', (order: BeatOrder) => {
  if (order === 'end') ending.abort();
  else seenCharges = order;
});

while (!ending.signal.aborted) {
  await beat().then(record, refuse);
  await systemClock.sleep(BEAT_MS, ending.signal).catch(() => {});
}
lose();
parentPort?.close();

async function beat(): Promise<void> {
  client ??= await connect();
  await client.query(`select ${schema}.beat($1)`, [told]);
  const { rows } = await client.query<{ given: GivenUp }>(
    `select ${schema}.reap($1, $2) as given`,
    [id, SILENCE_S],
  );
  for (const { given } of rows) tell({ kind: 'given-up', other: given });
  await ask(client);
  parentPort?.postMessage('beat');
}

/** Notices a database that was restored while runners work, also when nothing is bought. */
async function ask(connected: pg.Client): Promise<void> {
  try {
    // In one statement: of a database that was restored between two, the newest charge would be an older one.
    const { rows } = await connected.query<{ newest: string | null }>(
      `select ${schema}.newest_charge() as newest, ${schema}.check_seen($1)`,
      [JSON.stringify(seenCharges)],
    );
    tell({ kind: 'newest', charge: rows[0]?.newest ?? null });
    if (isForgetful) tell({ kind: 'remembers' });
    isForgetful = false;
  } catch (error) {
    if (!isOlder(error)) throw error;
    if (!isForgetful) tell({ kind: 'forgot', message: driverMessage(error) });
    isForgetful = true;
  }
}

function record(): void {
  if (isReadOnlyDatabase) tell({ kind: 'writable' });
  isReadOnlyDatabase = false;
}

/** Other troubles are noticed by each question, too. A read-only database answers questions, and an idle process asks nothing else. */
function refuse(error: unknown): void {
  lose();
  if (!isReadOnly(error)) return;
  isReadOnlyDatabase = true;
  tell({ kind: 'read-only', reason: passingTrouble(error) ?? driverMessage(error) });
}

function tell(news: BeatNews): void {
  parentPort?.postMessage(news);
}

async function connect(): Promise<pg.Client> {
  const next = new pg.Client({ ...connectionTo(url), query_timeout: BEAT_MS * 2 });
  // A broken connection rejects the waiting query and also emits this event, which would end the thread.
  next.on('error', () => {});
  try {
    await next.connect();
    return next;
  } catch (error) {
    // `end` of a connection that was never open may never resolve.
    void next.end().catch(() => {});
    throw error;
  }
}

function lose(): void {
  void client?.end().catch(() => {});
  client = undefined;
}
