/** A save on the Review page in a new clone, before any job has looked at the translation. */
import { rmSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import type { Control } from '../../../src/control/control.ts';
import { Mutex } from '../../../src/files/mutex.ts';
import { LockSync } from '../../../src/jobs/lock-sync.ts';
import { daemonHere } from '../../daemon-here.ts';
import { Rig } from '../../rig.ts';

const CONFIG = `
lock: dragoman.lock
defaults: { settle_ms: 0, review: { want: [machine] } }
projects:
  app: { source: en, targets: [de], routes: [{ from: "locales/{locale}.json" }] }
`;
const DE = 'locales/de.json';
const LOCK = 'dragoman.lock/app/de';
const SCOPE = { projects: [], languages: [], paths: [] };

afterEach(() => {
  vi.restoreAllMocks();
});

test('in a new clone, where no job has run yet, undo takes back a save of the page', async () => {
  const files = { 'locales/en.json': '{ "bye": "Goodbye", "save": "Save" }\n' };
  await using rig = await Rig.start({ config: CONFIG, files });
  await rig.once();
  const before = [rig.read(DE), rig.read(LOCK)];
  rmSync(rig.path('.dragoman'), { recursive: true });
  const { daemon } = await daemonHere(rig);
  await using _daemon = daemon;
  const { control } = daemon.answers;

  const { files: listed } = await control.reviewList({ scope: SCOPE, states: [] });
  const text = listed[0]?.texts[0];
  if (text === undefined) throw new Error('no text is listed');
  const saved = await control.reviewSave({
    ...{ by: 'anna', project: 'app', file: 'locales/en.json', language: 'de', id: text.id },
    ...{ source: text.source_hash, was: text.target_hash, text: 'Tschüss', reviewed: true },
  });
  expect(saved).toMatchObject({ kind: 'saved' });
  expect(rig.json(DE)).toMatchObject({ bye: 'Tschüss' });

  const undone = await control.undo({ scope: SCOPE, act: 'undo' });
  expect(undone).toMatchObject({ files: [{ became: 'as-before' }], left: [] });
  expect([rig.read(DE), rig.read(LOCK)]).toEqual(before);
});

/** Whether nobody has the mutexes of this name that were taken until now. */
async function isFree(name: string, takes: ReturnType<typeof spyOnTakes>): Promise<boolean> {
  const contexts = takes.mock.contexts as readonly Mutex[];
  const taken = new Set(contexts.filter((_, n) => takes.mock.calls[n]?.[0] === name));
  const others = [...taken].map(async (mutex) => {
    using _ = await mutex.take(name);
    return true;
  });
  return await Promise.race([
    Promise.all(others).then(() => true),
    setImmediate().then(() => false),
  ]);
}

function spyOnTakes() {
  return vi.spyOn(Mutex.prototype, 'take');
}

const SAVES = {
  save: async (control: Control) => {
    const { files } = await control.reviewList({ scope: SCOPE, states: [] });
    const text = files[0]?.texts[0];
    if (text === undefined) throw new Error('no text is listed');
    return await control.reviewSave({
      ...{ by: 'anna', project: 'app', file: 'locales/en.json', language: 'de', id: text.id },
      ...{ source: text.source_hash, was: text.target_hash, text: 'Tschüss', reviewed: true },
    });
  },
  mark: async (control: Control, rig: Rig) =>
    await control.reviewMark({
      ...{ projects: [], languages: [], file: rig.path('locales/en.json') },
      ...{ mark: 'reviewed', by: 'anna' },
    }),
};

test.each(Object.entries(SAVES))(
  'a %s has its file not reserved while the lock is brought: that waits for jobs, and they may wait for the file',
  async (_, save) => {
    await using rig = await Rig.start({
      ...{ config: CONFIG, files: { 'locales/en.json': '{ "bye": "Goodbye" }\n' } },
    });
    await rig.once();
    rmSync(rig.path('dragoman.lock'), { recursive: true });
    const { daemon } = await daemonHere(rig);
    await using _daemon = daemon;
    const takes = spyOnTakes();
    const free: boolean[] = [];
    const { bring } = LockSync.prototype;
    vi.spyOn(LockSync.prototype, 'bring').mockImplementation(async function (
      this: LockSync,
      ...asked
    ) {
      free.push(await isFree(rig.path(DE), takes));
      return await bring.apply(this, asked);
    });
    await save(daemon.answers.control, rig);
    expect(free).toEqual([true]);
    expect(rig.read(LOCK)).toMatch(/\+$/m);
  },
);
