/**
 * The cost of the lock for a `once` that has nothing to do. Runs the same project with and without it, in turn, each in a work tree of git.
 * 100,000 texts in 10 languages; `--smoke`: 1,000 in two. It is an error if such a run writes the lock.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { costOf, MAIN } from './program.ts';
import { report } from './row.ts';
import { startService } from './service.ts';
import { median } from './tree.ts';

const isSmoke = process.argv.includes('--smoke');
const RUNS = isSmoke ? 3 : 9;
const FILES = isSmoke ? 20 : 1000;
const KEYS = isSmoke ? 50 : 100;
const LANGUAGES = ['de', 'fr', 'es', 'it', 'nl', 'pl', 'pt', 'sv', 'da', 'fi'].slice(
  0,
  isSmoke ? 2 : 10,
);
const ONCE = [MAIN, 'once', '--no-input'];

await using service = await startService([]);
const root = mkdtempSync(join(tmpdir(), 'dragoman-bench-'));
try {
  const [plain, locked] = [join(root, 'plain'), join(root, 'locked')];
  await prepare(plain, '');
  await prepare(locked, 'lock: dragoman.lock\n');
  const before = lockFiles(locked);
  const [without, withLock]: [number[], number[]] = [[], []];
  for (let n = 0; n < RUNS; n++) {
    without.push((await costOf(ONCE, plain)).cpuMs);
    withLock.push((await costOf(ONCE, locked)).cpuMs);
  }
  if (lockFiles(locked) !== before) throw new Error('a run with nothing to do wrote the lock');
  report({
    what: `nothing to do with the lock, ${FILES * KEYS} texts in ${LANGUAGES.length} languages, CPU`,
    today: median(withLock),
    bare: median(without),
    unit: 'ms',
    goal: { ratio: 1.05 },
  });
} finally {
  rmSync(root, { recursive: true });
}

async function prepare(folder: string, lock: string): Promise<void> {
  for (const language of ['en', ...LANGUAGES]) {
    mkdirSync(join(folder, language), { recursive: true });
    for (let file = 0; file < FILES; file++) {
      const texts = Array.from({ length: KEYS }, (_, key) => [
        `key${key}`,
        `${language} sentence ${key} of ${file}`,
      ]);
      const content = JSON.stringify(Object.fromEntries(texts), undefined, 2);
      writeFileSync(join(folder, language, `file${file}.json`), content);
    }
  }
  writeFileSync(join(folder, '.gitignore'), '.dragoman/\n');
  writeFileSync(
    join(folder, 'dragoman.yaml'),
    `version: 1
service: { url: "${service.url}", key: { env: BENCH_KEY } }
${lock}defaults: { settle_ms: 0 }
projects:
  bench: { source: en, targets: [${LANGUAGES}], routes: [{ from: "{locale}/*.json" }] }
`,
  );
  git(folder, 'init', '--quiet');
  await costOf(ONCE, folder);
  git(folder, 'add', '--all');
  git(folder, '-c', 'user.name=b', '-c', 'user.email=b@example.com', 'commit', '-qm', 'all');
  await costOf(ONCE, folder);
}

function git(folder: string, ...args: readonly string[]): void {
  execFileSync('git', args, { cwd: folder, stdio: 'ignore' });
}

/** Names, sizes and times of the files of the lock. */
function lockFiles(folder: string): string {
  const lock = join(folder, 'dragoman.lock');
  return readdirSync(lock, { recursive: true, encoding: 'utf8' })
    .map((name) => {
      const { size, mtimeMs } = statSync(join(lock, name));
      return `${name} ${size} ${mtimeMs}`;
    })
    .sort()
    .join('\n');
}
