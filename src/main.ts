#!/usr/bin/env node
/** argv in, exit code out. Checks the runtime first: older versions of Node cannot load the rest, nor name what they lack. */
import module from 'node:module';
import { setFlagsFromString } from 'node:v8';
import './builtins.ts';

/** The oldest version of Node whose built-ins and libraries do; a checkout runs TypeScript, and needs a later one. */
const MINIMUM = import.meta.url.endsWith('.ts') ? '24.0' : '22.22';

if (!isAtLeast(process.versions.node, MINIMUM)) {
  process.stderr.write(
    `dragoman needs Node ${MINIMUM} or later, this is ${process.version}. Inside a checkout, "npm start" and "npx dragoman" bring the right one along.\n`,
  );
  process.exitCode = 78;
} else {
  module.enableCompileCache();
  // V8 lets the heap grow up to fourfold before it looks for garbage: 8 MB of sources, of which 160 MB are live, took 1.1 GB, and
  // take 0.6 GB with this, in the same time.
  setFlagsFromString('--heap-growing-percent=30');
  const { runCommandLine } = await import('./cli/run-command-line.ts');
  process.exitCode = await runCommandLine(process.argv.slice(2));
}

function isAtLeast(version: string, minimum: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = minimum.split('.').map(Number);
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}
