/** The thread that says every two seconds that its runner lives, and gives up runners that say nothing. */
import { parentPort, workerData } from 'node:worker_threads';
import pg from 'pg';
import { systemClock } from '../../clock.ts';
import type { BeatOptions, GivenUp } from '../beat.ts';
import { connectionTo } from './connection.ts';

const BEAT_MS = 2000;
/** Seconds after which a runner is dead. */
const SILENCE_S = 6;

const { url, schema, id, name } = workerData as BeatOptions;
const told = JSON.stringify({ id, name, waiting: 0 });
let client: pg.Client | undefined;

for (;;) {
  await beat().catch(lose);
  await systemClock.sleep(BEAT_MS);
}

async function beat(): Promise<void> {
  client ??= await connect();
  await client.query(`select ${schema}.beat($1)`, [told]);
  const { rows } = await client.query<{ given: GivenUp }>(
    `select ${schema}.reap($1, $2) as given`,
    [id, SILENCE_S],
  );
  for (const { given } of rows) parentPort?.postMessage(given);
}

async function connect(): Promise<pg.Client> {
  const next = new pg.Client({ ...connectionTo(url), query_timeout: BEAT_MS * 2 });
  // It breaks twice: for whoever waits, and here, where it would end the thread.
  next.on('error', () => {});
  try {
    await next.connect();
    return next;
  } catch (error) {
    // Ending a connection that never was one may never resolve.
    void next.end().catch(() => {});
    throw error;
  }
}

function lose(): void {
  void client?.end().catch(() => {});
  client = undefined;
}
