/** Runs something without the rights of root: root can read every file. */
import { spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { spawnSync } from './in-time.ts';
import { BUILT, COMMANDS_IN_TURN, MAIN } from './main.ts';
import type { Finished, Rig } from './rig.ts';

export const NOBODY = 65_534;

/**
 * Skips the switch when the tests do not run as root: permissions count then anyway. Work that only asks for its rights still has those of
 * root: the system answers `access` for the user who started the process.
 */
export async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return await work();
  process.seteuid?.(NOBODY);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

/** Gives a folder, with everything in it, to the user of `asNobody`. */
export function giveToNobody(folder: string): void {
  if (process.geteuid?.() !== 0) return;
  const inside = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const path of [folder, ...inside.map((name) => join(folder, name))]) {
    chownSync(path, NOBODY, NOBODY);
  }
}

const USER = process.geteuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

/** Whether that user may start the program: Node and the program may be in folders of root. */
export function canStartAsNobody(): boolean {
  // The folder of the bundles was made for this run of the tests.
  if (BUILT !== undefined && process.geteuid?.() === 0) chmodSync(dirname(BUILT), 0o711);
  letNobodyKeepCompiled();
  return spawnSync(process.execPath, [MAIN, '--version'], { ...USER, cwd: '/' }).status === 0;
}

/** Node keeps compiled code in a folder for each user. Without one, each start takes half as much processor time again. */
function letNobodyKeepCompiled(): void {
  const folder = process.env['NODE_COMPILE_CACHE'];
  if (folder === undefined || process.geteuid?.() !== 0) return;
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o1777);
}

/** Runs a command as a process of that user. */
export async function runAsNobody(rig: Rig, ...args: readonly string[]): Promise<Finished> {
  return await startedAsNobody(rig, [MAIN, ...args, '--no-input']);
}

/** Runs commands one after the other in one process of that user, which takes a third of the time. */
export async function runInTurnAsNobody(
  rig: Rig,
  commands: readonly string[],
): Promise<Finished[]> {
  const all = commands.map((command) => [...command.split(' '), '--no-input']);
  const { stdout, stderr } = await startedAsNobody(rig, [COMMANDS_IN_TURN, JSON.stringify(all)]);
  if (stdout === '') throw new Error(`the commands did not end: ${stderr}`);
  return JSON.parse(stdout) as Finished[];
}

async function startedAsNobody(rig: Rig, args: readonly string[]): Promise<Finished> {
  const env = { ...process.env, NO_COLOR: '1', DRAGOMAN_KEY: rig.sandbox.key, HOME: rig.root };
  const child = spawn(process.execPath, args, {
    ...USER,
    ...{ cwd: rig.root, env, stdio: ['ignore', 'pipe', 'pipe'] },
  });
  const code = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await code, stdout, stderr };
}
