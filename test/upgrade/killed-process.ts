/** Loaded before the command line (`node --import`): the process ends at once when it replaces the file of KILL_AT, before or after it. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const [moment, path = ''] = (process.env['KILL_AT'] ?? '').split(' ');
const { rename } = fs.promises;

fs.promises.rename = async (from, to) => {
  const isIt = path !== '' && String(to).endsWith(path);
  if (isIt && moment === 'before') die();
  await rename(from, to);
  if (isIt && moment === 'after') die();
};
syncBuiltinESMExports();

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
