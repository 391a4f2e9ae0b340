/** Faults before any work is done: delays, refusals, closed connections. */
import type { Clock } from '../clock.ts';
import type { FaultKind, FaultOf } from './faults.ts';
import { NoReply } from './reply.ts';
import type { Reply } from './resource.ts';

/** Thrown in place of an answer; the request broke no rule. */
export class EarlyAnswer extends Error {
  override readonly name = 'Struck';
  readonly reply: Reply;

  constructor(reply: Reply) {
    super(`a fault answers with ${reply.status}`);
    this.reply = reply;
  }
}

interface Victim {
  readonly signal: AbortSignal;
  fault<K extends FaultKind>(kind: K, aimed?: 'aimed'): FaultOf<K> | undefined;
}

/**
 * Applies the next early fault of a call.
 * @param when.aimed only faults that need a language or text; the others were applied when the request arrived.
 * @throws Struck for an answer, NoReply for none.
 */
export async function earlyFault(
  call: Victim,
  when: { wall: Clock; only?: 'aimed' },
): Promise<void> {
  const latency = call.fault('latency', when.only);
  if (latency !== undefined) await when.wall.sleep(latency.ms, call.signal);
  if (call.fault('reset', when.only) !== undefined) throw new NoReply('reset');
  const status = call.fault('status', when.only);
  if (status !== undefined) throw new EarlyAnswer(statusReply(status));
}

function statusReply(fault: FaultOf<'status'>): Reply {
  const { status, retry_after } = fault;
  const headers = retry_after === undefined ? {} : { 'retry-after': String(retry_after) };
  const message = fault.message ?? 'The sandbox was asked to fail.';
  if (fault.format !== 'html') {
    return { status, headers, body: { kind: 'json', value: { message } } };
  }
  const page = `<html>\r\n<head><title>${status}</title></head>\r\n<body><h1>${status}</h1><p>${message}</p></body>\r\n</html>\r\n`;
  return { status, headers, body: { kind: 'bytes', type: 'text/html', bytes: Buffer.from(page) } };
}
