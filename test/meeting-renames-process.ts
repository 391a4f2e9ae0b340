/**
 * Loaded before the command line of several daemons (`node --import`): renames last, as on a volume of the network. This concerns files
 * whose path ends with `of`, while the folder `at` has the file `armed`. A rename lasts until another daemon is about to rename the file,
 * too, or has asked for its reservation.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { join } from 'node:path';

/** A rename that lasts longer fails: its reservation would lapse, and another daemon could rightly replace the file. */
const LONGEST_MS = 1500;
const PAUSE_MS = 5;
/** The name of a reservation, as a parameter of a query. */
const RESERVATION = /file [0-9a-f]{64}/;
const LONGEST_QUERY = 4096;

const { searchParams } = new URL(import.meta.url);
const [at, of] = [searchParams.get('at') ?? '', searchParams.get('of') ?? ''];
const { renameSync } = fs;
const { write } = net.Socket.prototype;
const cell = new Int32Array(new SharedArrayBuffer(4));

function isArmed(): boolean {
  return fs.existsSync(join(at, 'armed'));
}

function note(what: 'renames' | 'asks'): void {
  fs.writeFileSync(join(at, `${what}-${process.pid}`), '');
}

function hasMet(): boolean {
  return fs.readdirSync(at).some((name) => name !== 'armed' && !name.endsWith(`-${process.pid}`));
}

function meet(): void {
  note('renames');
  for (const began = performance.now(); !hasMet(); ) {
    if (performance.now() - began > LONGEST_MS) {
      throw Object.assign(new Error('nobody came'), { code: 'EBUSY' });
    }
    Atomics.wait(cell, 0, 0, PAUSE_MS);
  }
}

Object.assign(fs, {
  renameSync: (from: string, to: string) => {
    if (to.endsWith(of) && isArmed()) meet();
    renameSync(from, to);
  },
});
syncBuiltinESMExports();

net.Socket.prototype.write = function (this: net.Socket, ...args: Parameters<typeof write>) {
  const [chunk] = args;
  const isShort = chunk.length < LONGEST_QUERY;
  if (isShort && RESERVATION.test(Buffer.from(chunk).toString('latin1')) && isArmed()) note('asks');
  return write.apply(this, args);
} as typeof write;
