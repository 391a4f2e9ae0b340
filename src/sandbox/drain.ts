/** Takes in what is left of a request body before an early answer: a caller that still writes would lose the answer to a reset. */
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../clock.ts';

/** Beyond these, the answer goes out at once and the connection is closed. */
const DRAIN_BYTES = 64 * 1024 * 1024;
const DRAIN_MS = 5000;

/** Never rejects. */
export async function drain(request: IncomingMessage, wall: Clock): Promise<void> {
  if (request.complete || request.destroyed) return;
  const enough = new AbortController();
  const limit = wall.sleep(DRAIN_MS, enough.signal).catch(() => {});
  await Promise.race([discard(request), limit]);
  enough.abort();
}

async function discard(request: IncomingMessage): Promise<void> {
  let left = DRAIN_BYTES;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      left -= (chunk as Buffer).length;
      if (left < 0) return;
    }
  } catch {
    // the caller hung up: nothing is left to take in
  }
}
