/** Saves of the Review page without a pause, and the job of the same file: they take turns. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ReviewRow } from '../../../src/control/review-report.ts';
import type { Daemon } from '../../../src/daemon.ts';
import type { Event } from '../../../src/event.ts';
import { daemonHere } from '../../daemon-here.ts';
import { Rig } from '../../rig.ts';

const CONFIG = `
lock: dragoman.lock
defaults: { settle_ms: 0, review: { want: [machine] } }
projects:
  app:
    source: en
    targets: [de]
    routes: [{ from: "locales/{locale}/*.json" }]
`;
const KEYS = 400;
const texts = (word: string, more: Record<string, string> = {}) =>
  `${JSON.stringify({ ...Object.fromEntries(Array.from({ length: KEYS }, (_, n) => [`key${n}`, `${word} ${n}`])), ...more }, null, 2)}\n`;

let rig: Rig;
let daemon: Daemon;
let events: Event[];
let stop: AbortController;
let running: Promise<void>;

beforeEach(async () => {
  rig = await Rig.start({ config: CONFIG, files: { 'locales/en/app.json': texts('The text') } });
  await rig.once();
  const here = await daemonHere(rig);
  ({ daemon } = here);
  events = [];
  here.events.subscribe((event) => void events.push(event));
  stop = new AbortController();
  running = daemon.run({ drain: stop.signal, abort: new AbortController().signal });
  await vi.waitFor(() => expect(events.map(({ kind }) => kind)).toContain('started'), WAIT);
});
afterEach(async () => {
  stop.abort(new Error('SIGTERM'));
  await running;
  await daemon[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});

const WAIT = { interval: 20, timeout: 500_000 };

test('a job publishes a new text while people save into its file without a pause, and every save is answered and kept', async () => {
  const { control } = daemon.answers;
  const rows: ReviewRow[] = [];
  for (let from = 0; from < KEYS; from += 200) {
    const query = { language: 'de', file: 'locales/en/app.json', states: [], from, count: 200 };
    rows.push(...(await control.reviewPortion(query)).rows);
  }
  rig.write('locales/en/app.json', texts('The text', { added: 'A new text' }));
  const isThere = () => rig.read('locales/de/app.json').includes('"added"');
  let saved = 0;
  for (; saved < rows.length && !isThere(); saved++) {
    const { project, file, language, text } = rows[saved] as ReviewRow;
    const answer = await control.reviewSave({
      ...{ by: 'anna', project, file, language, id: text.id, text: `Von Hand ${saved}` },
      ...{ source: text.source_hash, was: text.target_hash, reviewed: true },
    });
    expect(answer).toMatchObject({ kind: 'saved' });
  }
  expect(isThere()).toBe(true);
  const now = rig.json('locales/de/app.json');
  for (let n = 0; n < saved; n++)
    expect(now[(rows[n] as ReviewRow).text.key]).toBe(`Von Hand ${n}`);
});
