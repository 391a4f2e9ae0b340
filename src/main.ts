#!/usr/bin/env node
/** argv in, exit code out. Checks the runtime first: older versions of Node cannot load the rest, nor name what they lack. */
import module from 'node:module';

const MINIMUM = 24;

if (Number(process.versions.node.split('.')[0]) < MINIMUM) {
  process.stderr.write(
    `dragoman needs Node ${MINIMUM} or later, this is ${process.version}. Inside a checkout, "npm start" and "npx dragoman" bring the right one along.\n`,
  );
  process.exitCode = 78;
} else {
  module.enableCompileCache();
  const { runCommandLine } = await import('./cli/run-command-line.ts');
  process.exitCode = await runCommandLine(process.argv.slice(2));
}
