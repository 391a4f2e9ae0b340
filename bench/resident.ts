/** Runs the command line that follows, then prints the peak of resident memory in megabytes as the last line. */
import { runCommandLine } from '../src/cli/run-command-line.ts';

process.exitCode = await runCommandLine(process.argv.slice(2));
console.log(Math.round(process.resourceUsage().maxRSS / 1000));
