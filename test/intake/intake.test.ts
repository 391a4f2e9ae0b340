/** What was settled and cannot be read, or moved while it was taken in. */
import { mkdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseConfig } from '../../src/config/parse.ts';
import { Events } from '../../src/event.ts';
import { Mutex } from '../../src/files/mutex.ts';
import { ALONE } from '../../src/files/right.ts';
import { Intake } from '../../src/intake/intake.ts';
import type { Stat } from '../../src/job.ts';
import type { LanguageTag } from '../../src/language.ts';
import { openBaselines } from '../../src/state/baseline.ts';
import { openLedger } from '../../src/state/json-ledger.ts';
import { Trash } from '../../src/state/trash.ts';
import { manualClock } from '../manual-clock.ts';
import { temporaryFolder } from '../temporary-folder.ts';

async function intakeOf() {
  const root = await temporaryFolder();
  const clock = manualClock();
  const setup = parseConfig(
    JSON.stringify({
      version: 1,
      service: { url: 'http://127.0.0.1:1' },
      projects: { app: { source: 'en', targets: ['de'], routes: [{ from: '{locale}/*.json' }] } },
    }),
    { file: join(root, 'dragoman.yaml'), env: {} },
  );
  if (setup.faults !== undefined) throw new Error('the config is refused');
  const ledger = await openLedger({ folder: join(root, '.dragoman'), clock });
  const workspace = {
    ledger,
    baselines: openBaselines(join(root, '.dragoman/base')),
    publications: new Mutex(),
    trash: new Trash(join(root, '.dragoman/trash'), clock, ALONE),
    right: ALONE,
  };
  const intake = new Intake({
    setup,
    workspace,
    world: { clock, events: new Events() },
    targets: 'follow',
  });
  const [watched] = intake.roots();
  const known = watched?.known ?? expect.unreachable();
  return { root, intake, known, ledger };
}

const STAT = '5:1:1:1' as Stat;

test('a file that could not be read is as if it had not been told: the next look at all files tells it again', async () => {
  const { root, intake, known, ledger } = await intakeOf();
  const file = { path: 'en/a.json', raw: 'en/a.json', stat: STAT, size: 5 };
  const settled = {
    kind: 'settled',
    project: 'app',
    files: [file],
    gone: [],
    missing: new Set<string>(),
  } as const;
  known.set(file.path, STAT);
  expect(await intake.take(settled)).toEqual([]);
  expect(intake.skipped()).toMatchObject([{ path: join(root, 'en/a.json') }]);
  expect(known.get(file.path)).toBeUndefined();

  mkdirSync(join(root, 'en'));
  writeFileSync(join(root, 'en/a.json'), '{ "a": "Hello" }');
  known.set(file.path, STAT);
  expect(await intake.take(settled)).toMatchObject([{ path: 'en/a.json' }]);
  expect(intake.skipped()).toEqual([]);

  // On record now: it goes back to what was recorded, so that it still counts as known.
  const later = { ...file, stat: '6:2:2:1' as Stat };
  known.set(file.path, later.stat);
  const gone = { ...settled, files: [{ ...later, raw: 'en/not-there.json' }] };
  expect(await intake.take(gone)).toEqual([]);
  expect(known.get(file.path)).toBe(STAT);
  await ledger[Symbol.asyncDispose]();
});

test('the size of a source is looked at before it is read: a sparse file of 20 GiB is taken in like a small one', async () => {
  const { root, intake, ledger } = await intakeOf();
  mkdirSync(join(root, 'en'));
  writeFileSync(join(root, 'en/a.json'), '');
  truncateSync(join(root, 'en/a.json'), 20 * 1024 ** 3);
  const { size, mtimeNs, ctimeNs, ino } = statSync(join(root, 'en/a.json'), { bigint: true });
  const file = {
    path: 'en/a.json',
    // Nothing stands there: whoever read it would fail.
    raw: 'en/unread.json',
    stat: `${size}:${mtimeNs}:${ctimeNs}:${ino}` as Stat,
    size: Number(size),
  };
  const settled = { kind: 'settled', project: 'app', files: [file], gone: [] } as const;
  expect(await intake.take({ ...settled, missing: new Set() })).toMatchObject([
    { path: 'en/a.json', stat: file.stat },
  ]);
  expect(intake.skipped()).toEqual([]);
  await ledger[Symbol.asyncDispose]();
});

test('a source that is touched keeps the language that the service told meanwhile: it is not asked for again', async () => {
  const { root, intake, ledger } = await intakeOf();
  mkdirSync(join(root, 'en'));
  writeFileSync(join(root, 'en/a.json'), '{ "a": "Hello" }');
  const file = { path: 'en/a.json', raw: 'en/a.json', stat: STAT, size: 16 };
  const settled = {
    kind: 'settled',
    project: 'app',
    gone: [],
    missing: new Set<string>(),
  } as const;
  const [source] = await intake.take({ ...settled, files: [file] });
  if (source === undefined) expect.unreachable();
  const language = { kind: 'detected', tag: 'fr' as LanguageTag } as const;
  await ledger.commit([{ table: 'sources', put: { ...source, language }, from: source }]);
  const touched = { ...file, stat: '16:2:2:1' as Stat };
  await intake.take({ ...settled, files: [touched] });
  expect(ledger.get('sources', source.id)).toMatchObject({ stat: touched.stat, language });
  await ledger[Symbol.asyncDispose]();
});
