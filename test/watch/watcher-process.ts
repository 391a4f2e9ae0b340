/** A watcher as a process of its own: prints what it is told about a folder, and whether the system gives events. Ends with its input. */
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { systemClock } from '../../src/clock.ts';
import { openWatch } from '../../src/watch/watch.ts';

const [root = ''] = process.argv.slice(2);

await using watch = await openWatch({
  roots: [{ project: 'webapp', path: root, wants: () => true, enters: () => true }],
  clock: systemClock,
  settleOf: () => 200,
  hints: 'events',
  pace: { turn: 50, folders: 500, hintRetry: 1000 },
  onEvent: (event) => {
    if (event.kind !== 'settled') process.stdout.write(`${event.kind}\n`);
    else for (const { path } of event.files) process.stdout.write(`${path}\n`);
  },
});
// Each line of the input names a limit of the kernel, which is lifted.
for await (const limit of createInterface(process.stdin)) {
  process.stdout.write(`isDegraded: ${watch.isDegraded}\n`);
  if (limit !== '') writeFileSync(`/proc/sys/user/${limit}`, '10000');
}
