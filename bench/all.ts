/**
 * Runs the benches of the table in bench/results.md, one after the other. Prints each figure beside its goal and beside the bare limit of
 * the same run. Takes half an hour. `--smoke`: small sizes, in a minute; `--write` writes bench/results.md.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { goalOf, isMet, type Row } from './row.ts';

const BENCHES = [
  'start.ts',
  'cold-run.ts',
  'many-files.ts',
  'large-file.ts',
  'lock.ts',
  'team.ts',
  'cluster.ts',
  'cluster-questions.ts',
];
const flags = process.argv.includes('--smoke') ? ['--smoke'] : [];

const folder = mkdtempSync(join(tmpdir(), 'dragoman-bench-rows-'));
const collector = join(folder, 'rows');
writeFileSync(collector, '');
for (const bench of BENCHES) await run(bench);
const rows = readFileSync(collector, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Row);
rmSync(folder, { recursive: true });
console.log(`\n${tableOf(rows)}`);
if (process.argv.includes('--write')) {
  writeFileSync(join(import.meta.dirname, 'results.md'), await pageOf(rows));
}

async function run(bench: string): Promise<void> {
  console.log(`\n-- ${bench}`);
  const child = spawn(process.execPath, [join(import.meta.dirname, bench), ...flags], {
    env: { ...process.env, BENCH_ROWS: collector },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code === 0) return;
  console.error(`${bench} ended with ${code}`);
  process.exitCode = 1;
}

function tableOf(rows: readonly Row[]): string {
  const lines = rows.map((row) => {
    const ratio = (row.today / row.bare).toFixed(2);
    const figures = `${shown(row.today)} ${row.unit} | ${shown(row.bare)} ${row.unit} | ${ratio}`;
    return `| ${row.what} | ${figures} | ${goalOf(row)} | ${judgement(row)} |`;
  });
  return [
    '| what | today | bare limit | ratio | goal | met |',
    '| --- | --- | --- | --- | --- | --- |',
    ...lines,
  ].join('\n');
}

/** The goals are for the full sizes: a small one that keeps within them says nothing. */
function judgement(row: Row): string {
  if (flags.length > 0) return 'not judged';
  return isMet(row) ? 'yes' : 'no';
}

async function pageOf(rows: readonly Row[]): Promise<string> {
  const git = spawn('git', ['rev-parse', '--short', 'HEAD'], { cwd: import.meta.dirname });
  const commit = (await text(git.stdout)).trim();
  const machine = `${availableParallelism()} cores of ${cpus()[0]?.model ?? 'an unknown kind'}, ${(totalmem() / 2 ** 30).toFixed(0)} GB, Node ${process.versions.node}`;
  const command = ['npm run bench -- --write', ...flags].join(' ');
  return `# Last figures

Written by \`${command}\` at commit ${commit} on ${machine}. Compare ratios: seconds and megabytes are of this machine
alone, and of what else ran on it. bench/README.md says what each row is.

${tableOf(rows)}
`;
}

function shown(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2);
}
