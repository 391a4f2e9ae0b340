/** Settled files that cannot be read, or that move during the intake. */
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parseConfig } from '../../src/config/parse.ts';
import { Events } from '../../src/event.ts';
import { hashBytes, statOf } from '../../src/files/disk.ts';
import { Mutex } from '../../src/files/mutex.ts';
import { ALONE } from '../../src/files/right.ts';
import { temporaryName } from '../../src/files/temporary.ts';
import { beginMoves, takeBackMoves } from '../../src/intake/begun-moves.ts';
import { Intake } from '../../src/intake/intake.ts';
import { relocate } from '../../src/intake/relocate.ts';
import { jobId, type Stat } from '../../src/job.ts';
import type { LanguageTag } from '../../src/language.ts';
import { openBaselines } from '../../src/state/baseline.ts';
import { openLedger } from '../../src/state/json-ledger.ts';
import { LeftTexts } from '../../src/state/left-texts.ts';
import { FolderMemories } from '../../src/state/memories/folder.ts';
import { Trash } from '../../src/state/trash.ts';
import { jobRecord } from '../contracts/ledger.ts';
import { loopUseOf } from '../loop-turns.ts';
import { manualClock } from '../manual-clock.ts';
import { temporaryFolder } from '../temporary-folder.ts';

async function intakeOf(targets: readonly string[] = ['de']) {
  const root = await temporaryFolder();
  const clock = manualClock();
  const setup = parseConfig(
    JSON.stringify({
      version: 1,
      service: { url: 'http://127.0.0.1:1' },
      projects: {
        app: { source: 'en', targets, routes: [{ from: '{locale}/**/*.json' }] },
      },
    }),
    { file: join(root, 'dragoman.yaml'), env: {} },
  );
  if (setup.faults !== undefined) throw new Error('the config is refused');
  const opened = new AsyncDisposableStack();
  onTestFinished(() => opened.disposeAsync());
  const ledger = opened.use(await openLedger({ folder: join(root, '.dragoman'), clock }));
  const baselines = opened.use(openBaselines(join(root, '.dragoman/base')));
  const workspace = {
    ledger,
    baselines,
    left: new LeftTexts(
      opened.use(new FolderMemories({ folder: join(root, '.dragoman/memory') })),
      clock,
    ),
    publications: new Mutex(),
    trash: new Trash(join(root, '.dragoman/trash'), clock, ALONE),
    right: ALONE,
  };
  const events = new Events();
  const intake = new Intake({
    setup,
    workspace,
    world: { clock, events },
    targets: 'follow',
    joined: () => {},
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
  const [project] = setup.config.projects;
  if (project === undefined) expect.unreachable();
  return { root, workspace, project, intake, known, ledger, events, translated };
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
  mkdirSync(join(root, 'en/a.json'), { recursive: true });
  known.set(file.path, STAT);
  expect(await intake.take(settled)).toEqual([]);
  expect(intake.skipped()).toMatchObject([{ path: join(root, 'en/a.json') }]);
  expect(known.get(file.path)).toBeUndefined();

  rmdirSync(join(root, 'en/a.json'));
  writeFileSync(join(root, 'en/a.json'), '{ "a": "Hello" }');
  known.set(file.path, STAT);
  expect(await intake.take(settled)).toMatchObject([{ path: 'en/a.json' }]);
  expect(intake.skipped()).toEqual([]);

  // The file is on record now: the watch gets its recorded stat back, so that the file still counts as known.
  const later = { ...file, stat: '6:2:2:1' as Stat };
  known.set(file.path, later.stat);
  const gone = { ...settled, files: [{ ...later, raw: 'en/not-there.json' }] };
  expect(await intake.take(gone)).toEqual([]);
  expect(known.get(file.path)).toBe(STAT);
  await ledger[Symbol.asyncDispose]();
});

test('a file that is removed before it is read is not named: it is gone, and so the next look finds it', async () => {
  const { root, intake, known, events, translated } = await intakeOf();
  const source = await translated('recorded');
  const skipped: unknown[] = [];
  events.subscribe((event) => {
    if (event.kind === 'source-skipped') skipped.push(event);
  });
  rmSync(join(root, source.path));
  const files = [fileOf('en/new.json'), { ...fileOf(source.path), stat: '6:2:2:1' as Stat }];
  for (const file of files) known.set(file.path, file.stat);
  expect(await intake.take({ ...SETTLED, files })).toEqual([]);
  expect([intake.skipped(), skipped]).toEqual([[], []]);
  expect(files.map(({ path }) => known.get(path))).toEqual([undefined, source.stat]);
});

test('the size of a source is looked at before it is read: a sparse file of 20 GiB is taken in like a small one', async () => {
  const { root, intake, ledger } = await intakeOf();
  mkdirSync(join(root, 'en'));
  writeFileSync(join(root, 'en/a.json'), '');
  truncateSync(join(root, 'en/a.json'), 20 * 1024 ** 3);
  const { size, mtimeNs, ctimeNs, ino } = statSync(join(root, 'en/a.json'), { bigint: true });
  const file = {
    path: 'en/a.json',
    // There is no file: a reader would fail.
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

test('a target that a job delivers while others are taken in does not count as edited', async () => {
  const { root, intake, ledger, events, translated } = await intakeOf();
  for (const name of ['a', 'b']) await translated(name);
  for (const name of ['a', 'b']) writeFileSync(join(root, `de/${name}.json`), '{ "b": "Neu" }');
  const from = ledger.get('jobs', jobId('app', 'de' as LanguageTag, 'en/b.json'));
  if (from === undefined) expect.unreachable();
  const wrote = from.wrote.map((each) => ({ ...each, hash: hashBytes('{ "b": "Neu" }') }));
  let delivered: Promise<void> | undefined;
  events.subscribe(({ kind }) => {
    if (kind !== 'target-edited' || delivered !== undefined) return;
    delivered = ledger.commit([{ table: 'jobs', from, set: { wrote } }]);
    intake.delivered(from.id);
  });
  const files = ['de/a.json', 'de/b.json'].map((path) => ({
    ...fileOf(path),
    stat: '6:2:2:1' as Stat,
  }));
  await intake.take({ ...SETTLED, files });
  await delivered;
  expect(intake.deviation('app', 'de/a.json')).toBe('edited');
  expect(intake.deviation('app', 'de/b.json')).toBeUndefined();
});

test('other work has its turn while many new files are taken in', async () => {
  const { intake, ledger } = await intakeOf();
  // They are too large to be read, and there are none.
  const size = 20 * 1024 ** 3;
  const files = Array.from({ length: 30_000 }, (_, n) => ({
    ...fileOf(`en/folder-${n % 100}/page-${n}.json`),
    stat: `${size}:1:1:${n}` as Stat,
    size,
  }));
  const { longest, all } = await loopUseOf(async () =>
    expect(await intake.take({ ...SETTLED, files })).toHaveLength(files.length),
  );
  expect(longest).toBeLessThan(all / 2);
  expect(ledger.size('sources')).toBe(files.length);
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
  for (const name of ['a', 'b']) {
    rmSync(join(root, `en/${name}.json`));
    known.delete(`en/${name}.json`);
  }
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

test('a source that is back before its removal is applied keeps its targets, and what a person wrote in them', async () => {
  const { root, intake, known, ledger, translated } = await intakeOf();
  for (const name of 'abcdefghijkl') await translated(name);
  known.delete('en/a.json');
  const corrected = '{ "a": "Von Hand" }';
  writeFileSync(join(root, 'de/a.json'), corrected);
  expect(await intake.take({ ...SETTLED, gone: ['en/a.json'] })).toEqual([]);
  expect(readFileSync(join(root, 'de/a.json'), 'utf8')).toBe(corrected);
  expect([ledger.size('sources'), ledger.size('jobs')]).toEqual([12, 12]);
  // A folder in its place is no source.
  rmSync(join(root, 'en/a.json'));
  mkdirSync(join(root, 'en/a.json'));
  expect(await intake.take({ ...SETTLED, gone: ['en/a.json'] })).toEqual([]);
  expect(existsSync(join(root, 'de/a.json'))).toBe(false);
  await ledger[Symbol.asyncDispose]();
});

test('sources that vanished together and are back since stay as they are when a person confirms deletions', async () => {
  const { root, intake, ledger, translated } = await intakeOf();
  const names = ['a', 'b', 'c'];
  for (const name of names) await translated(name);
  const paths = names.flatMap((name) => [`en/${name}.json`, `de/${name}.json`]);
  const away = join(root, '.dragoman/away');
  mkdirSync(away);
  for (const path of ['en', 'de']) renameSync(join(root, path), join(away, path));
  expect(await intake.take({ ...SETTLED, gone: paths })).toEqual([]);
  expect(intake.massDeletions()).toMatchObject([{ gone: [{}, {}, {}], of: 3 }]);

  // Two of them are back: one was reported, the other one is about to be.
  for (const path of ['en', 'de']) renameSync(join(away, path), join(root, path));
  rmSync(join(root, 'en/c.json'));
  await intake.take({ ...SETTLED, files: [fileOf('en/a.json')] });
  expect(intake.massDeletions()).toMatchObject([{ gone: [{}, {}], of: 3 }]);
  await intake.confirmDeletions();
  expect(intake.massDeletions()).toEqual([]);
  expect([...ledger.all('sources')].map(({ path }) => path)).toEqual(['en/a.json', 'en/b.json']);
  expect([...ledger.all('jobs')].map(({ source }) => source)).toEqual(['en/a.json', 'en/b.json']);
  expect(names.map((name) => existsSync(join(root, `de/${name}.json`)))).toEqual([
    ...[true, true, false],
  ]);
  await ledger[Symbol.asyncDispose]();
});

test('sources that vanish in two groups wait for a confirmation together', async () => {
  const { root, intake, ledger, translated } = await intakeOf();
  const names = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  for (const name of names) await translated(name);
  for (const group of [names.slice(0, 25), names.slice(25, 50)]) {
    for (const name of group) rmSync(join(root, `en/${name}.json`));
    await intake.take({ ...SETTLED, gone: group.map((name) => `en/${name}.json`) });
  }
  expect(intake.massDeletions()).toMatchObject([{ gone: { length: 50 }, of: 52 }]);
  await intake.confirmDeletions();
  expect(ledger.size('sources')).toBe(2);
  await ledger[Symbol.asyncDispose]();
});

test('sources that vanish together are on record as such until they are back, and what is back is planned', async () => {
  const { root, intake, ledger, translated } = await intakeOf();
  const names = [...'abcdefghijklmnopqrstuvwxyz'];
  for (const name of names) await translated(name);
  const path = (name: string) => `en/${name}.json`;
  const vanished = () => [...ledger.all('sources')].filter((each) => each.vanished).length;
  for (const name of names) renameSync(join(root, path(name)), join(root, `${name}.away`));
  expect(await intake.take({ ...SETTLED, gone: names.map(path) })).toEqual([]);
  expect(vanished()).toBe(26);
  // A look that finds nothing else leaves them on record.
  await intake.forgetVanished();
  expect(vanished()).toBe(26);
  for (const name of ['a', 'b']) renameSync(join(root, `${name}.away`), join(root, path(name)));
  writeFileSync(join(root, path('b')), '{ "b": "Another text" }');
  const back = ['a', 'b'].map((name) => fileOf(path(name)));
  expect(await intake.take({ ...SETTLED, files: back })).toMatchObject(
    back.map((file) => ({ path: file.path })),
  );
  expect(vanished()).toBe(24);
  await ledger[Symbol.asyncDispose]();
});

test('what an earlier process found vanished is back when no look of this one misses it', async () => {
  const { intake, ledger, translated } = await intakeOf();
  const from = await translated('a');
  await ledger.commit([{ table: 'sources', put: { ...from, vanished: true }, from }]);
  await intake.forgetVanished();
  expect([...ledger.all('sources')]).toEqual([from]);
  await ledger[Symbol.asyncDispose]();
});

test('the only source of a project is held where the root is an empty folder', async () => {
  const { root, intake, ledger, translated } = await intakeOf();
  await translated('a');
  const away = `${root}-away`;
  renameSync(root, away);
  mkdirSync(root);
  await intake.take({ ...SETTLED, gone: ['en/a.json', 'de/a.json'] });
  expect(intake.massDeletions()).toMatchObject([{ gone: [{ path: 'en/a.json' }], of: 1 }]);
  rmSync(root, { recursive: true });
  await intake.confirmDeletions();
  expect(intake.massDeletions()).toHaveLength(1);
  expect([ledger.size('sources'), ledger.size('jobs')]).toEqual([1, 1]);
  renameSync(away, root);
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

/** A source with two targets moved: that in German followed, then the move ended, before the ledger had it. */
async function halfMoved() {
  const all = await intakeOf(['de', 'fr']);
  const { root, intake, ledger } = all;
  const source = await all.translated('a');
  mkdirSync(join(root, 'fr'));
  writeFileSync(join(root, 'fr/a.json'), '{}');
  const wrote = [{ path: 'fr/a.json', hash: hashBytes('{}'), stat: STAT }];
  const add = jobRecord(`app/fr/${source.path}`, {
    ...{ project: 'app', source: source.path, targets: { file: 'fr/a.json' }, state: DONE, wrote },
    language: 'fr' as LanguageTag,
  });
  await ledger.commit([{ table: 'jobs', add }]);
  intake.delivered(add.id);
  // A person has corrected it: its text is not that of the ledger.
  writeFileSync(join(root, 'de/a.json'), '{ "a": "By hand" }');
  const move = async (from: string, to: string) => {
    mkdirSync(dirname(join(root, to)), { recursive: true });
    renameSync(join(root, from), join(root, to));
    return await intake.take({ ...SETTLED, files: [fileOf(to)], gone: ['en/a.json'] });
  };
  // Where a folder is wanted there is a file.
  writeFileSync(join(root, 'fr/b'), '');
  await move('en/a.json', 'en/b/c.json');
  rmSync(join(root, 'fr/b'));
  expect(existsSync(join(root, 'de/b/c.json'))).toBe(true);
  return { ...all, move };
}

test('a source whose move ended halfway takes its targets along when it moves on to another place', async () => {
  const { root, ledger, move } = await halfMoved();
  expect(await move('en/b/c.json', 'en/d.json')).toMatchObject([{ path: 'en/d.json' }]);
  expect(readFileSync(join(root, 'de/d.json'), 'utf8')).toBe('{ "a": "By hand" }');
  expect(existsSync(join(root, 'fr/d.json'))).toBe(true);
  expect(existsSync(join(root, 'de/b/c.json'))).toBe(false);
  const jobs = [...ledger.all('jobs')];
  expect(jobs.map(({ wrote }) => wrote.map(({ path }) => path))).toEqual([
    ['de/d.json'],
    ['fr/d.json'],
  ]);
  expect(jobs.map(({ moveBegun }) => moveBegun)).toEqual([undefined, undefined]);
  await ledger[Symbol.asyncDispose]();
});

test('a source whose move ended halfway and that is deleted then leaves no target', async () => {
  const { root, intake, ledger } = await halfMoved();
  rmSync(join(root, 'en/b/c.json'));
  await intake.take({ ...SETTLED, gone: ['en/a.json'] });
  expect([ledger.size('sources'), ledger.size('jobs')]).toEqual([0, 0]);
  for (const path of ['de/a.json', 'de/b/c.json', 'fr/a.json']) {
    expect(existsSync(join(root, path))).toBe(false);
  }
  await ledger[Symbol.asyncDispose]();
});

test('targets that exchanged their names before the process died are taken back', async () => {
  const { root, workspace, project, ledger, translated } = await intakeOf();
  for (const name of ['a', 'b']) await translated(name);
  const place = { ...workspace, project };
  const exchange = [
    { from: 'de/a.json', to: 'de/b.json' },
    { from: 'de/b.json', to: 'de/a.json' },
  ];
  const jobs = () => [...ledger.all('jobs')];
  await relocate(place, exchange, async (files) => {
    const moves = jobs().map((job) => ({
      job,
      moveBegun: {
        source: job.source === 'en/a.json' ? 'en/b.json' : 'en/a.json',
        files: files.filter(({ from }) => from === job.wrote[0]?.path),
      },
    }));
    await beginMoves(ledger, moves);
  });
  expect(readFileSync(join(root, 'de/a.json'), 'utf8')).toContain('"b"');
  await takeBackMoves(place, jobs());
  expect(readFileSync(join(root, 'de/a.json'), 'utf8')).toContain('"a"');
  expect(readFileSync(join(root, 'de/b.json'), 'utf8')).toContain('"b"');
  expect(jobs().map(({ moveBegun }) => moveBegun)).toEqual([undefined, undefined]);
  await ledger[Symbol.asyncDispose]();
});

test.each([0, 1])(
  'targets that exchange their names are taken back when the process died with %i of them in place',
  async (placed) => {
    const { root, workspace, project, ledger, translated } = await intakeOf();
    for (const name of ['a', 'b']) await translated(name);
    const jobs = () => [...ledger.all('jobs')];
    const other = (path: string) =>
      path.replace(/[ab](?=\.json)/, (name) => (name === 'a' ? 'b' : 'a'));
    const files = jobs().map(({ wrote }) => wrote[0]?.path ?? '');
    const stats = await Promise.all(files.map((path) => statOf(join(root, path))));
    await beginMoves(
      ledger,
      jobs().map((job, nth) => {
        const from = files[nth] ?? '';
        const moving = { from, to: other(from), stat: stats[nth] ?? ('' as Stat) };
        return { job, moveBegun: { source: other(job.source), files: [moving] } };
      }),
    );
    const aside = files.map((path) => join(root, dirname(path), temporaryName()));
    for (const [nth, path] of files.entries()) renameSync(join(root, path), aside[nth] ?? '');
    for (let nth = 0; nth < placed; nth++) {
      renameSync(aside[nth] ?? '', join(root, other(files[nth] ?? '')));
    }
    await takeBackMoves({ ...workspace, project }, jobs());
    expect(readFileSync(join(root, 'de/a.json'), 'utf8')).toContain('"a"');
    expect(readFileSync(join(root, 'de/b.json'), 'utf8')).toContain('"b"');
    expect(jobs().map(({ moveBegun }) => moveBegun)).toEqual([undefined, undefined]);
    await ledger[Symbol.asyncDispose]();
  },
);
