/** A watcher as a process of its own: prints what it is told about a folder, ends with its input. */
import { once } from 'node:events';
import { systemClock } from '../../src/clock.ts';
import { openWatch } from '../../src/watch/watch.ts';

const [root = ''] = process.argv.slice(2);

await using _watch = await openWatch({
  roots: [{ project: 'webapp', path: root, wants: () => true, enters: () => true }],
  clock: systemClock,
  settleOf: () => 200,
  hints: 'events',
  pace: { turn: 50, folders: 500 },
  onEvent: (event) => {
    if (event.kind !== 'settled') process.stdout.write(`${event.kind}\n`);
    else for (const { path } of event.files) process.stdout.write(`${path}\n`);
  },
});
process.stdin.resume();
await once(process.stdin, 'end');
