#!/usr/bin/env node
/** argv in, exit code out. Checks the runtime first: older versions of Node cannot load the rest, nor name what they lack. */
import module from 'node:module';
import './builtins.ts';

/** The oldest version of Node whose built-ins and libraries do; a checkout runs TypeScript, and needs a later one. */
const IS_CHECKOUT = import.meta.url.endsWith('.ts');
const MINIMUM = IS_CHECKOUT ? '24.0' : '22.22';
/** npm's package "node" holds the program: npx and the scripts of package.json find it before the one of the machine. */
const ADVICE = IS_CHECKOUT
  ? 'Type "npm ci", then "npm start": the right Node comes with the packages.'
  : 'Type "npm install --save-dev node@24" in your project, then "npx dragoman": the project has its own Node then. Or install Node 24 on this machine.';

if (!isAtLeast(process.versions.node, MINIMUM)) {
  process.stderr.write(
    `dragoman needs Node ${MINIMUM} or later, this is ${process.version}. ${ADVICE}\n`,
  );
  process.exitCode = 78;
} else {
  module.enableCompileCache();
  const { runCommandLine } = await import('./cli/run-command-line.ts');
  process.exitCode = await runCommandLine(process.argv.slice(2));
  // When nothing is left to do. Node would take its heap apart first, which costs some 5 % of what "status" computes.
  process.on('exit', (code) => process.exit(code));
}

function isAtLeast(version: string, minimum: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = minimum.split('.').map(Number);
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}
