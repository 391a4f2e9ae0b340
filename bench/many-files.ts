/**
 * The cost of many files: first contact with existing translations, a `once` with nothing to do, one edit, and the resident memory of a
 * daemon. Each beside the bare limit of the same tree: to list and lstat it, and to read and hash it. 100,000 files; `--smoke`: 2,000.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { costOf, MAIN, witnessedCostOf } from './program.ts';
import { report } from './row.ts';
import { startService } from './service.ts';
import { bareAdoption, bareListing, editOne, makeTree, median } from './tree.ts';

const isSmoke = process.argv.includes('--smoke');
const RUNS = isSmoke ? 2 : 5;
const ONCE = [MAIN, 'once', '--no-input'];
const THIS = import.meta.filename;

const [, , mode, folder = '.'] = process.argv;
if (mode === 'list') bareListing(folder);
else if (mode === 'adopt') bareAdoption(folder);
else if (mode === 'wait') keepListing(folder);
else await measure();

async function measure(): Promise<void> {
  const small = await measureTree(isSmoke ? 200 : 2000);
  const large = await measureTree(isSmoke ? 2000 : 100_000);
  const files = isSmoke ? 2000 : 100_000;
  report({
    what: `one edit above nothing to do, ${files} files against ${files / (isSmoke ? 10 : 50)}`,
    today: large,
    bare: small,
    unit: 'ms',
    goal: { ratio: 1.5 },
  });
  await using tree = await makeTree(0);
  writeProject(tree.root, 'http://127.0.0.1:9');
  await measureResident(tree.root, 'the scan of nothing', 90);
}

/** @returns CPU of one edit above that of nothing to do, in milliseconds */
async function measureTree(files: number): Promise<number> {
  await using service = await startService([]);
  await using tree = await makeTree(files);
  const { root } = tree;
  writeProject(root, service.url);
  await measureFirstContact(root, `first contact with ${files} files`);
  const [bare, noop, edit] = [[], [], []] as [number[], number[], number[]];
  for (let n = 0; n < RUNS; n++) {
    bare.push((await costOf([THIS, 'list', root], root)).cpuMs);
    noop.push((await costOf(ONCE, root)).cpuMs);
    editOne(root, n);
    edit.push((await costOf(ONCE, root)).cpuMs);
  }
  report({
    what: `nothing to do, ${files} files, CPU`,
    today: median(noop),
    bare: median(bare),
    unit: 'ms',
    goal: { ratio: 3 },
  });
  await measureResident(root, `the scan of ${files} files`, 300);
  return median(edit) - median(noop);
}

async function measureFirstContact(root: string, what: string): Promise<void> {
  const first = await witnessedCostOf(ONCE, root);
  const adoption = await witnessedCostOf([THIS, 'adopt', root], root);
  report({
    what,
    today: first.wallMs / 1000,
    bare: adoption.wallMs / 1000,
    unit: 's',
    goal: { most: 15 },
  });
  report({
    what: `${what}, CPU`,
    today: first.cpuMs / 1000,
    bare: adoption.cpuMs / 1000,
    unit: 's',
    goal: { most: 15 },
  });
  report({
    what: `${what}, memory`,
    today: first.peakMb,
    bare: adoption.peakMb,
    unit: 'MB',
    goal: { most: 400 },
  });
  report({
    what: `${what}, state`,
    today: megabytesOf(join(root, '.dragoman')),
    bare: megabytesOf(join(root, '.bare')),
    unit: 'MB',
    goal: { most: 100 },
  });
}

/** The daemon after its first scan, beside a process that only keeps the paths and their stats. */
async function measureResident(root: string, scan: string, most: number): Promise<void> {
  const today = await residentOf([MAIN, 'run', '--no-input'], root);
  const bare = await residentOf([THIS, 'wait', root], root);
  report({
    what: `resident after ${scan}`,
    today,
    bare,
    unit: 'MB',
    goal: { most },
  });
}

async function residentOf(args: readonly string[], cwd: string): Promise<number> {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, BENCH_KEY: 'sandbox' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.resume();
  for await (const line of createInterface({ input: child.stderr }))
    if (line.includes('"kind":"started"') || line === 'scanned') break;
  child.stderr.resume();
  // Memory that only the scan needed is given back within this time, or stays.
  await delay(isSmoke ? 1000 : 20_000);
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  child.kill('SIGTERM');
  await once(child, 'close');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

function keepListing(root: string): void {
  const kept = new Map<string, bigint>();
  bareListing(root, (path, { mtimeNs }) => kept.set(path, mtimeNs));
  process.stderr.write('scanned\n');
  process.once('SIGTERM', () => process.exit(kept.size > 0 ? 0 : 1));
  setInterval(() => {}, 60_000);
}

function megabytesOf(folder: string): number {
  const blocks = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(
    (name) => statSync(join(folder, name)).blocks,
  );
  return (blocks.reduce((sum, each) => sum + each, 0) * 512) / 2 ** 20;
}

function writeProject(root: string, url: string): void {
  writeFileSync(
    join(root, 'dragoman.yaml'),
    `version: 1
service: { url: "${url}", key: { env: BENCH_KEY } }
defaults: { settle_ms: 0 }
projects:
  bench: { source: en, targets: [de], routes: [{ from: "{locale}/**/*.json" }] }
`,
  );
}
