/**
 * Kills at random moments, over all lanes: `npm run torture -- --seed N --rounds N`. docs/torture.md says how it is used.
 * Each round a person changes files, the service has faults, and the process is killed; every some rounds everything is counted.
 */
import type { ChildProcess } from 'node:child_process';
import { cpSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { requests } from '../counts.ts';
import { Seeded } from '../seeded.ts';
import { wholeNumber } from '../whole-number.ts';
import { randomFaults } from './faults.ts';
import { Broken, CAN_MOUNT, Installation } from './installation.ts';
import { countStrictly } from './strict-count.ts';
import { Tree } from './tree.ts';

/** Rounds of one installation; then it is counted, and the next one begins. */
const ROUNDS_BETWEEN_COUNTS = 25;
const FIRST_REQUEST_MS = 5000;
const TO_ITS_END_MS = 120_000;
/** The timer alone does not keep this program alive. */
const UNAWAITED = { ref: false } as const;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '3600' },
    out: { type: 'string', default: join(tmpdir(), 'dragoman-torture') },
  },
});
const seed = wholeNumber('seed', values.seed);
const rounds = wholeNumber('rounds', values.rounds);
const deadline = performance.now() + wholeNumber('seconds', values.seconds) * 1000;

if (!CAN_MOUNT) console.log('no full and read-only disks: this user may not mount any');
let [done, broken] = [0, 0];
while (done < rounds && performance.now() < deadline) {
  done += await campaign(done, Math.min(ROUNDS_BETWEEN_COUNTS, rounds - done));
}
console.log(`seed ${seed}: ${done} of ${rounds} rounds, ${broken} installations broken`);
if (done < rounds) console.log(`Stopped by --seconds: ${rounds - done} rounds were not made.`);
process.exitCode = broken > 0 ? 1 : 0;

/** @param first the number of its first round @returns how many were made */
async function campaign(first: number, count: number): Promise<number> {
  const random = new Seeded(seed, first);
  await using installation = await Installation.open();
  const tree = new Tree(installation.rig, random);
  const protocol: string[] = [];
  let made = 0;
  try {
    // There are targets when the first kill comes.
    await installation.once();
    for (; made < count && performance.now() < deadline; made++) {
      protocol.push(`round ${first + made}: ${await round({ installation, tree, random })}`);
    }
    console.log(
      `rounds ${first} to ${first + made - 1}: ${await countStrictly(installation, tree)}`,
    );
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    broken += 1;
    const kept = join(values.out, `${seed}-${first}`);
    cpSync(installation.rig.root, kept, { recursive: true });
    console.log(`${protocol.join('\n')}\nBROKEN: ${error.message}\nkept as ${kept}`);
    console.log(`again: npm run torture -- --seed ${seed} --rounds ${first + count}`);
  }
  return Math.max(1, made);
}

interface Scene {
  readonly installation: Installation;
  readonly tree: Tree;
  readonly random: Seeded;
}

/** @returns what happened */
async function round({ installation, tree, random }: Scene): Promise<string> {
  const { sandbox } = installation.rig;
  // A person writes where the round before may have left a disk read-only.
  installation.healDisks();
  const happened = [tree.correct()];
  for (let n = random.below(4); n > 0; n--) happened.push(tree.change());
  sandbox.faults.clear();
  const faults = randomFaults(random);
  sandbox.faults.add(faults);
  happened.push(...faults.map(({ kind, operation = 'any' }) => `${kind} at ${operation}`));
  happened.push(troubleDisks(installation, random));
  // So that much is on its way when the end comes.
  sandbox.faults.add([{ kind: 'latency', ms: random.below(200), times: 'always' }]);
  const command = random.pick(['once', 'once', 'run']);
  const child = installation.spawn(command);
  child.stdout.resume();
  child.stderr.resume();
  const closed = new Promise((resolve) => child.once('close', resolve));
  // From before the ledger is open, or from the first request on, to after the last target is written.
  if (!random.isOneIn(4)) await firstRequest(installation, child);
  for (let pauses = 1 + random.below(3); pauses > 0; pauses--) {
    await wait(random.below(random.pick([100, 500, 1500])));
    if (pauses > 1) happened.push(tree.change());
  }
  // Some end by themselves, so that there is something to move, to correct and to delete.
  if (command === 'once' && random.isOneIn(5))
    await Promise.race([closed, wait(TO_ITS_END_MS, undefined, UNAWAITED)]);
  const signal = random.isOneIn(8) ? 'SIGTERM' : 'SIGKILL';
  child.kill(signal);
  await Promise.race([closed, wait(TO_ITS_END_MS, undefined, UNAWAITED)]);
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGKILL');
    throw new Broken(`${command} did not end within 2 minutes of ${signal}`);
  }
  return [...happened, `${command} ended by ${signal}`].join('; ');
}

/** A disk that is full or read-only when the process starts. */
function troubleDisks({ disks }: Installation, random: Seeded): string {
  if (disks.length === 0 || !random.isOneIn(5)) return 'disks have room';
  const at = random.below(disks.length);
  if (random.isOneIn(3)) {
    disks[at]?.become('read-only');
    return `disk ${at} read-only`;
  }
  const left = random.pick([0, 4096, 300_000]);
  disks[at]?.fill(left);
  return `disk ${at} full but for ${left} bytes`;
}

/** Until the process has asked the service for something new, has ended, or has nothing to ask for. */
async function firstRequest({ rig }: Installation, child: ChildProcess): Promise<void> {
  const before = requests(rig);
  const patience = performance.now() + FIRST_REQUEST_MS;
  while (requests(rig) === before && child.exitCode === null && performance.now() < patience) {
    await wait(5);
  }
}
