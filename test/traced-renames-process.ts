/**
 * Loaded before the command line (`node --import`): each rename takes `ms` milliseconds, as on a volume of the network. After it, a line of JSON
 * says so in the file `trace` (`TracedRename`).
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

export interface TracedRename {
  readonly pid: number;
  readonly from: string;
  readonly to: string;
  /** Milliseconds since the epoch, when the program asked for it, and when it was made. */
  readonly asked: number;
  readonly made: number;
}

const { searchParams } = new URL(import.meta.url);
const ms = Number(searchParams.get('ms'));
const trace = searchParams.get('trace');
const { renameSync } = fs;
const cell = new Int32Array(new SharedArrayBuffer(4));

if (trace !== null) {
  Object.assign(fs, {
    renameSync: (from: string, to: string) => {
      const asked = Date.now();
      Atomics.wait(cell, 0, 0, ms);
      renameSync(from, to);
      const line: TracedRename = { pid: process.pid, from, to, asked, made: Date.now() };
      fs.appendFileSync(trace, `${JSON.stringify(line)}\n`);
    },
  });
  syncBuiltinESMExports();
}
