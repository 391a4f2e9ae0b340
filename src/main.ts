#!/usr/bin/env node
/**
 * The program: runs a command line and sets the exit code. It checks the version of Node first, because an older Node cannot load
 * the other files and does not say why.
 */
import { closeSync, mkdirSync, openSync } from 'node:fs';
import module from 'node:module';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import './builtins.ts';
import { keepEarlySignals } from './cli/early-signals.ts';

const IS_CHECKOUT = import.meta.url.endsWith('.ts');
/** The oldest supported version of Node. A checkout runs TypeScript without a build and needs a later version. */
const MINIMUM = IS_CHECKOUT ? '24.0' : '22.22';
/** The npm package "node" contains Node itself: npx and the scripts of package.json use it before the Node of the machine. */
const ADVICE = IS_CHECKOUT
  ? 'Type "npm ci", then "npm start": the right Node comes with the packages.'
  : 'Type "npm install --save-dev node@24" in your project, then "npx dragoman": the project has its own Node then. Or install Node 24 on this machine.';

if (!isAtLeast(process.versions.node, MINIMUM)) {
  process.stderr.write(
    `dragoman needs Node ${MINIMUM} or later, this is ${process.version}. ${ADVICE}\n`,
  );
  process.exitCode = 78;
} else if (lacksDescriptors()) {
  process.stderr.write(
    'dragoman: this shell or service allows too few open files (EMFILE): at least 64 are needed, and 1,024 for many files. Raise the limit: "ulimit -n 1024" in the shell, LimitNOFILE= in a unit of systemd, "ulimits" in Docker Compose.\n',
  );
  process.exitCode = 78;
} else {
  // Until its listener is there, SIGHUP would end the daemon without a word. It reads its config after that.
  if (process.argv[2] === 'run') process.on('SIGHUP', () => {});
  const early = keepEarlySignals(process);
  keepCompiled();
  const { runCommandLine } = await import('./cli/run-command-line.ts');
  process.exitCode = await runCommandLine(process.argv.slice(2), process, early);
  // Ends the process at once when nothing is left to do. Else Node frees its heap first: 5 % of the processor time of "status".
  process.on('exit', (code) => process.exit(code));
}

/** Whether so few descriptors are left that Node itself ends with a trace, where it first limits the time of a parser. */
function lacksDescriptors(): boolean {
  const opened: number[] = [];
  try {
    while (opened.length < 16) opened.push(openSync(devNull, 'r'));
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EMFILE';
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

/**
 * Lets Node keep its compiled code in the folder for temporary files, which makes the start faster. Node makes its folder with all folders
 * above it. Where that is impossible but not forbidden, as in `/proc`, it tries for ever.
 */
function keepCompiled(): void {
  try {
    mkdirSync(join(tmpdir(), 'node-compile-cache'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return;
  }
  module.enableCompileCache();
}

function isAtLeast(version: string, minimum: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = minimum.split('.').map(Number);
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}
