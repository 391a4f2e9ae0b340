/**
 * How many text requests a second the sandbox serves on one core.
 * The sandbox runs in a process of its own; this one asks. `--smoke` takes a second and only proves that it runs.
 * Prints one JSON object; exits with 1 when a second of processor time serves fewer, except in a smoke.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { startSandbox } from '../src/sandbox/server.ts';

const GOAL = 2000;
const CONNECTIONS = 16;
const TEXTS = 10;
const CHARACTERS = 50;

if (process.argv.includes('serve')) await serve();
else await measure(process.argv.includes('--smoke') ? 1000 : 10_000);

/** The child: tells its address, and its processor time whenever it is asked. */
async function serve(): Promise<void> {
  await using sandbox = await startSandbox();
  process.on('message', () => process.send?.({ cpu: process.cpuUsage() }));
  process.send?.({ url: sandbox.url });
  await once(process, 'disconnect');
}

async function measure(milliseconds: number): Promise<void> {
  const child = fork(fileURLToPath(import.meta.url), ['serve']);
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  await load(url, 500);
  const before = await processorTime(child);
  const started = performance.now();
  const requests = await load(url, milliseconds);
  const seconds = (performance.now() - started) / 1000;
  const busy = (await processorTime(child)) - before;
  child.disconnect();
  const [exitCode] = await once(child, 'exit');
  const perCoreSecond = Math.round(requests / busy);
  console.log(
    JSON.stringify({
      requests,
      requests_per_second: Math.round(requests / seconds),
      requests_per_core_second: perCoreSecond,
      sandbox_core_share: Number((busy / seconds).toFixed(2)),
      sandbox_exit_code: exitCode,
    }),
  );
  if (milliseconds > 1000 && perCoreSecond < GOAL) process.exitCode = 1;
}

/** Seconds of user and system time that the sandbox used so far. */
async function processorTime(child: ReturnType<typeof fork>): Promise<number> {
  child.send('cpu');
  const [{ cpu }] = (await once(child, 'message')) as [{ cpu: NodeJS.CpuUsage }];
  return (cpu.user + cpu.system) / 1e6;
}

/** Asks over kept-alive connections until the time is over. @returns the answered requests. */
async function load(url: string, milliseconds: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const end = performance.now() + milliseconds;
  let answered = 0;
  const ask = async () => {
    while (performance.now() < end) {
      await translate(url, agent, body(answered));
      answered++;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, ask));
  agent.destroy();
  return answered;
}

/** Different texts in every request, as in a real run. */
function body(serial: number): string {
  const text = Array.from({ length: TEXTS }, (_, i) =>
    `Text ${serial}.${i} of {app} has exactly so many characters in it`
      .padEnd(CHARACTERS, '.')
      .slice(0, CHARACTERS),
  );
  return JSON.stringify({
    text,
    target_lang: 'de',
    source_lang: 'en',
    show_billed_characters: true,
  });
}

function translate(url: string, agent: Agent, content: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const headers = {
    authorization: 'Service-Auth-Key sandbox',
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(content),
  };
  const sent = request(`${url}/v2/translate`, { method: 'POST', agent, headers }, (response) => {
    response.on('error', reject).on('end', () => {
      if (response.statusCode === 200) resolve();
      else reject(new Error(`the sandbox answered ${response.statusCode}`));
    });
    response.resume();
  });
  sent.on('error', reject).end(content);
  return promise;
}
