/**
 * Loaded before the command line of a daemon (`node --import`). While the file `armed` exists, it kills the process right before a rename onto
 * a path that ends with `of`.
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
