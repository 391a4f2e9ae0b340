/** Runs every bench that has a smoke mode, one after the other: CI sees that they still work, not how fast they are. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const benches = readdirSync(import.meta.dirname)
  .filter((file) => file !== 'smoke.ts' && file !== 'all.ts' && file.endsWith('.ts'))
  .filter((file) => readFileSync(join(import.meta.dirname, file), 'utf8').includes("'--smoke'"));

for (const file of benches.sort()) {
  console.log(`\n-- ${file}`);
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, file), '--smoke'], {
    stdio: 'inherit',
  });
  if (status !== 0) {
    console.error(`${file} ended with ${status}`);
    process.exitCode = 1;
  }
}
