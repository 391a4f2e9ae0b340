/** What was settled and cannot be read, or moved while it was taken in. */
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { parseConfig } from '../../src/config/parse.ts';
import { Events } from '../../src/event.ts';
import { hashBytes } from '../../src/files/disk.ts';
import { Mutex } from '../../src/files/mutex.ts';
import { ALONE } from '../../src/files/right.ts';
import { Intake } from '../../src/intake/intake.ts';
import type { Stat } from '../../src/job.ts';
import type { LanguageTag } from '../../src/language.ts';
import { openBaselines } from '../../src/state/baseline.ts';
import { openLedger } from '../../src/state/json-ledger.ts';
import { Trash } from '../../src/state/trash.ts';
import { jobRecord } from '../contracts/ledger.ts';
import { manualClock } from '../manual-clock.ts';
import { temporaryFolder } from '../temporary-folder.ts';

async function intakeOf() {
  const root = await temporaryFolder();
  const clock = manualClock();
  const setup = parseConfig(
    JSON.stringify({
      version: 1,
      service: { url: 'http://127.0.0.1:1' },
      projects: {
        app: { source: 'en', targets: ['de'], routes: [{ from: '{locale}/**/*.json' }] },
      },
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
  /** The record of a translated source, whose target is on the disk. */
  const translated = async (name: string) => {
    const target = `de/${name}.json`;
    for (const path of [`en/${name}.json`, target]) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), `{ "${name}": "A text" }`);
    }
    const file = fileOf(`en/${name}.json`);
    const [source] = await intake.take({ ...SETTLED, files: [file] });
    if (source === undefined) expect.unreachable();
    const hash = hashBytes(readFileSync(join(root, target)));
    const add = jobRecord(`app/de/${source.path}`, {
      ...{ project: 'app', source: source.path, targets: { file: target }, state: DONE },
      wrote: [{ path: target, hash, stat: STAT }],
    });
    await ledger.commit([{ table: 'jobs', add }]);
    intake.delivered(add.id);
    known.set(source.path, source.stat);
    return source;
  };
  return { root, intake, known, ledger, translated };
}

const STAT = '5:1:1:1' as Stat;
const SETTLED = {
  kind: 'settled',
  project: 'app',
  files: [],
  gone: [],
  missing: new Set<string>(),
} as const;
const DONE = { kind: 'done', at: '2026-10-19T10:00:00.000Z' } as const;

function fileOf(path: string) {
  return { path, raw: path, stat: STAT, size: 5 };
}

test('a file that could not be read is reported again by the next full scan', async () => {
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

test('a source that is touched keeps the language that the service detected meanwhile: it is not asked for again', async () => {
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

test('a target that cannot be removed stays with its source and its job, is named, and is removed at a later look', async () => {
  const { root, intake, known, ledger, translated } = await intakeOf();
  for (const name of 'abcdefghijkl') await translated(name);
  // The trash takes nothing: its folder is a link to itself.
  symlinkSync('trash', join(root, '.dragoman/trash'));
  for (const name of ['a', 'b']) known.delete(`en/${name}.json`);
  const gone = { ...SETTLED, gone: ['en/a.json', 'en/b.json'] };
  expect(await intake.take(gone)).toEqual([]);
  expect(intake.skippedFor('not-followed')).toMatchObject([
    { path: 'en/a.json', reason: expect.stringContaining('de/a.json cannot be') },
    { path: 'en/b.json' },
  ]);
  expect([ledger.size('sources'), ledger.size('jobs')]).toEqual([12, 12]);
  expect([known.get('en/a.json'), known.get('en/b.json')]).toEqual([STAT, STAT]);
  rmSync(join(root, '.dragoman/trash'));
  expect(await intake.take(gone)).toEqual([]);
  expect(intake.skipped()).toEqual([]);
  expect([ledger.size('sources'), ledger.size('jobs')]).toEqual([10, 10]);
  expect(existsSync(join(root, 'de/a.json'))).toBe(false);
  await ledger[Symbol.asyncDispose]();
});

test('a target that cannot move keeps its source on record until it can; what else moved is moved', async () => {
  const { root, intake, known, ledger, translated } = await intakeOf();
  for (const name of ['a', 'b']) await translated(name);
  const moves = ['a', 'b'].map((name) => [`en/${name}.json`, `en/${name}/c.json`] as const);
  for (const [from, to] of moves) {
    mkdirSync(dirname(join(root, to)));
    renameSync(join(root, from), join(root, to));
    known.delete(from);
    known.set(to, STAT);
  }
  // Where a folder is wanted there is a file.
  writeFileSync(join(root, 'de/a'), '');
  const moved = {
    ...SETTLED,
    files: moves.map(([, to]) => fileOf(to)),
    gone: moves.map(([from]) => from),
  };
  expect(await intake.take(moved)).toMatchObject([{ path: 'en/b/c.json' }]);
  expect(existsSync(join(root, 'de/b/c.json'))).toBe(true);
  expect(intake.skippedFor('not-followed')).toMatchObject([{ path: 'en/a.json' }]);
  expect([known.get('en/a.json'), known.get('en/a/c.json')]).toEqual([STAT, undefined]);
  rmSync(join(root, 'de/a'));
  const again = { ...SETTLED, files: [fileOf('en/a/c.json')], gone: ['en/a.json'] };
  expect(await intake.take(again)).toMatchObject([{ path: 'en/a/c.json' }]);
  expect(existsSync(join(root, 'de/a/c.json'))).toBe(true);
  expect(intake.skipped()).toEqual([]);
  await ledger[Symbol.asyncDispose]();
});
