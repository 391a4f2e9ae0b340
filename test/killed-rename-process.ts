/**
 * Loaded before the command line of a daemon (`node --import`): while the file `armed` exists, the process is killed when it is about to rename
 * a file onto a path that ends with `of`.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { searchParams } = new URL(import.meta.url);
const [armed, of] = [searchParams.get('armed') ?? '', searchParams.get('of') ?? ''];
const { renameSync } = fs;

Object.assign(fs, {
  renameSync: (from: string, to: string) => {
    if (to.endsWith(of) && fs.existsSync(armed)) process.kill(process.pid, 'SIGKILL');
    renameSync(from, to);
  },
});
syncBuiltinESMExports();
