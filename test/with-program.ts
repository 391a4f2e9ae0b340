/**
 * Bundles the program, and runs one of the tools that start it: `node test/with-program.ts test/torture/torture.ts --seed 7`.
 * A bundle starts in a third of the processor time, and it is what users run.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setup } from './build-program.ts';

const removeProgram = await setup();
try {
  const tool = spawn(process.execPath, process.argv.slice(2), { stdio: 'inherit' });
  const [status] = (await once(tool, 'close')) as [number | null];
  process.exitCode = status ?? 1;
} finally {
  removeProgram();
}
