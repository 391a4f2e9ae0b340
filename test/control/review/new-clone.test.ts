/** A save on the Review page in a new clone, before any job has looked at the translation. */
import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
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

test('in a new clone, where no job has run yet, undo takes back a save of the page', async () => {
  const files = { 'locales/en.json': '{ "bye": "Goodbye", "save": "Save" }\n' };
  await using rig = await Rig.start({ config: CONFIG, files });
  await rig.once();
  const before = [rig.read(DE), rig.read(LOCK)];
  rmSync(rig.path('.dragoman'), { recursive: true });
  const { daemon } = await daemonHere(rig);
  await using _daemon = daemon;
  const { control } = daemon.answers;
  const scope = { projects: [], languages: [], paths: [] };

  const { files: listed } = await control.reviewList({ scope, states: [] });
  const text = listed[0]?.texts[0];
  if (text === undefined) throw new Error('no text is listed');
  const saved = await control.reviewSave({
    ...{ by: 'anna', project: 'app', file: 'locales/en.json', language: 'de', id: text.id },
    ...{ source: text.source_hash, was: text.target_hash, text: 'Tschüss', reviewed: true },
  });
  expect(saved).toMatchObject({ kind: 'saved' });
  expect(rig.json(DE)).toMatchObject({ bye: 'Tschüss' });

  const undone = await control.undo({ scope, act: 'undo' });
  expect(undone).toMatchObject({ files: [{ became: 'as-before' }], left: [] });
  expect([rig.read(DE), rig.read(LOCK)]).toEqual(before);
});
