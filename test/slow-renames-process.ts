/** Loaded before the command line (`node --import`): each rename takes `ms` milliseconds, as on a volume of the network. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const ms = Number(new URL(import.meta.url).searchParams.get('ms'));
const { renameSync } = fs;
const cell = new Int32Array(new SharedArrayBuffer(4));

Object.assign(fs, {
  renameSync: (from: string, to: string) => {
    Atomics.wait(cell, 0, 0, ms);
    renameSync(from, to);
  },
});
syncBuiltinESMExports();
