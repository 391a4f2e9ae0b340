/** The damages of a state folder, for people: what its files lost while no process of dragoman worked on it, and repairs of the ledger. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, DAY_MS } from '../clock.ts';
import { writeFailure } from '../files/disk.ts';
import { type LockOptions, lockState, type StateLock } from '../files/exclusive.ts';
import { makeFolder, PRIVATE } from '../files/make-folder.ts';
import { readAtOnce } from '../files/read-file.ts';
import { replaceFile } from '../files/replace.ts';
import type { Condition } from '../ledger.ts';
import { damagesSinceLeft, forgetLeft, type StateDamage } from './left-files.ts';
import { DAMAGED } from './recovery.ts';

/**
 * The one way to lock a state folder: it looks for damage first, and notes it for later processes.
 * @throws StateLocked; JobFailure `unwritable`, `disk-full`, `damaged-state`
 */
export async function holdState(
  folder: string,
  clock: Clock,
  options: LockOptions = {},
): Promise<StateLock> {
  await using opening = new AsyncDisposableStack();
  const lock = opening.use(await lockState(folder, clock, options));
  const day = new Date(clock.now()).toISOString().replaceAll(':', '');
  for (const damage of await damagesSinceLeft(folder)) await note(folder, { ...damage, day });
  await forgetLeft(folder);
  opening.move();
  return lock;
}

/** The notes of damages end so. Other files beside them are damaged files that are kept. */
const NOTE = '.note';

async function note(
  folder: string,
  { path, message, day }: StateDamage & { readonly day: string },
): Promise<void> {
  const file = join(folder, DAMAGED, `${day}-${path.replaceAll('/', '-')}${NOTE}`);
  try {
    await makeFolder(join(folder, DAMAGED), PRIVATE);
    await replaceFile({ path: file, root: folder, content: `${message}\n`, mode: 0o600 });
  } catch (error) {
    throw writeFailure(file, error);
  }
}

/** A damaged file that is kept for people. */
interface DamagedFile {
  /** Relative to the state folder. */
  readonly path: string;
  /** UTC date. */
  readonly day: string;
}

/** The files in `damaged/`, oldest first. */
function damagedFiles(folder: string): DamagedFile[] {
  const names = existsSync(join(folder, DAMAGED)) ? readdirSync(join(folder, DAMAGED)) : [];
  return names.sort().map((name) => ({ path: join(DAMAGED, name), day: name.slice(0, 10) }));
}

/** A repair is reported for so many milliseconds. */
const TOLD_MS = 30 * DAY_MS;

export interface DescribedDamage {
  readonly message: string;
  readonly advice: string;
}

const USAGE = 'what was billed before may be missing in "dragoman usage"';

/** Each is reported until a person removes the kept file, and for a month at most. */
export function describeDamage(
  folder: string,
  condition: Condition,
  now: number,
): DescribedDamage[] {
  const recent = new Date(now - TOLD_MS).toISOString().slice(0, 10);
  const kept = damagedFiles(folder).filter(({ day }) => day >= recent);
  const lost = 'a part of the ledger is lost: what was paid may be unknown';
  return [
    ...(condition === 'facts-lost' ? [{ message: lost, advice: USAGE }] : []),
    ...kept.map((file) => describeKept(folder, file)),
  ];
}

function describeKept(folder: string, { path, day }: DamagedFile): DescribedDamage {
  if (!path.endsWith(NOTE)) {
    const message = `the ledger was damaged and repaired on ${day}; the damaged file is kept as ${path} in the state folder; remove it when you have looked at it`;
    return { message, advice: USAGE };
  }
  const message = readAtOnce(join(folder, path), MOST_NOTE_BYTES).toString('utf8').trim();
  return {
    message: `${message} (seen on ${day})`,
    advice: `bring the file back from a backup if you have one; remove ${path} in the state folder when you have read this`,
  };
}

const MOST_NOTE_BYTES = 10_000;

/** Damages that a process would note when it takes the state. */
export async function newDamage(folder: string): Promise<DescribedDamage[]> {
  const advice = 'bring the file back from a backup if you have one';
  return (await damagesSinceLeft(folder)).map(({ message }) => ({ message, advice }));
}
