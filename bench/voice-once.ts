/** `dragoman once --json`, which tells its parent the peak of its memory (MB) when it is done. */
import { runCommandLine } from '../src/cli/run-command-line.ts';

process.exitCode = await runCommandLine(['once', '--json', '--no-input']);
process.send?.(Math.round(process.resourceUsage().maxRSS / 1000), () => process.disconnect());
