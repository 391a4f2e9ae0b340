/** The programs that tests and benchmarks start: bundled by build-program.ts, outside of vitest as they are. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = join(import.meta.dirname, '..');
/** The folder of the bundles, inside of one that is removed when all tests are over. */
export const BUILT = process.env['DRAGOMAN_TESTED'];

/** The sources of programs that only tests start, by the names of their bundles. */
export const TEST_PROGRAMS = {
  'command-line': join(ROOT, 'src', 'cli', 'run-command-line.ts'),
  'hurried-main': join(ROOT, 'test', 'lanes', 'voice', 'hurried-main.ts'),
  'commands-in-turn': join(ROOT, 'test', 'commands-in-turn-process.ts'),
  'document-victim': join(ROOT, 'test', 'faults', 'document-victim.ts'),
  'dated-process': join(ROOT, 'test', 'upgrade', 'dated-process.ts'),
  'killed-process': join(ROOT, 'test', 'upgrade', 'killed-process.ts'),
} as const;

/** The command line as users start it. */
export const MAIN = BUILT === undefined ? join(ROOT, 'src', 'main.ts') : join(BUILT, 'main.js');
/** The command line as a module: a command runs in the process of the test, which takes a quarter of the time. */
export const COMMAND_LINE = programOf('command-line');
/** The command line in a time that runs faster. */
export const HURRIED_MAIN = programOf('hurried-main');
/** Several commands in one process. */
export const COMMANDS_IN_TURN = programOf('commands-in-turn');
/** The command line, killed at one point of a document's way. */
export const DOCUMENT_VICTIM = programOf('document-victim');
/**
 * Loaded before a program (`node --import`): its clock, and the moment of its end. Bundled, because Node takes 50 ms of a processor in
 * each process to strip types.
 */
export const DATED = pathToFileURL(programOf('dated-process')).href;
export const KILLED = pathToFileURL(programOf('killed-process')).href;

function programOf(name: keyof typeof TEST_PROGRAMS): string {
  return BUILT === undefined ? TEST_PROGRAMS[name] : join(BUILT, `${name}.js`);
}
