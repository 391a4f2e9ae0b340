/** The files of examples/ci: read as their systems read them, and their steps run by a shell in real clones. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { COMMANDS } from '../../src/cli/commands.ts';
import { addGlobalOptions } from '../../src/cli/global-options.ts';
import { GIT_ENV } from '../git.ts';
import { spawnSync } from '../in-time.ts';
import { MAIN } from '../main.ts';
import { type Checkout, Team } from '../team.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const CI = join(ROOT, 'examples', 'ci');

interface Step {
  readonly name?: string;
  readonly id?: string;
  readonly if?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

interface Workflow {
  readonly jobs: Readonly<
    Record<string, { readonly steps: readonly Step[]; readonly concurrency?: object }>
  >;
}

interface GitlabJob {
  readonly script?: readonly string[];
  readonly before_script?: readonly string[];
  readonly cache?: { readonly paths: readonly string[]; readonly when: string };
  readonly resource_group?: string;
}

const read = (path: string): unknown => parse(readFileSync(join(CI, path), 'utf8'));
const action = read('github-action/action.yml') as Action;
const workflow = read('github-workflow.yml') as Workflow;
const gitlab = read('gitlab.yml') as Readonly<Record<string, GitlabJob>>;

const steps = action.runs.steps;
const scripts = [
  ...steps.flatMap(({ run }) => run ?? []),
  ...Object.values(workflow.jobs).flatMap((job) => job.steps.flatMap(({ run }) => run ?? [])),
  ...Object.values(gitlab).flatMap((job) => (job.script ?? []).join('\n')),
];

test('every step is a script that a shell understands, or an action', () => {
  for (const script of scripts) {
    const { status, stderr } = spawnSync('bash', ['-n'], { input: script, encoding: 'utf8' });
    expect(status, `${script}\n${stderr}`).toBe(0);
  }
  for (const step of steps) expect(step.uses ?? step.shell).toBeDefined();
  expect(steps.filter(({ run, uses }) => (run === undefined) === (uses === undefined))).toEqual([]);
});

test('every command of the steps is one of ours, with options that it has', async () => {
  const lines = scripts.flatMap((script) => [...script.matchAll(/npx dragoman ([^\n|>&]+)/g)]);
  expect(lines.length).toBeGreaterThan(6);
  for (const [, line = ''] of lines) {
    const [name = '', ...words] = line.trim().split(/\s+/);
    const command = new Command(name);
    const entry = COMMANDS[name];
    if (entry === undefined) throw new Error(`there is no command ${name}`);
    (await entry.load()).describe(command);
    addGlobalOptions(command);
    command.exitOverride().configureOutput({ writeErr: () => {} });
    command.parse(words, { from: 'user' });
  }
});

test('no text of a pull request becomes part of a script: names of branches come by the environment', () => {
  expect(scripts.filter((script) => script.includes('${{'))).toEqual([]);
});

test('the key goes to the step that buys, and to no other; what reads pull requests has none', () => {
  const withKey = steps.filter(({ env }) => JSON.stringify(env ?? {}).includes('inputs.key'));
  expect(withKey.map(({ name }) => name)).toEqual(['Translate']);
  const jobs = Object.entries(workflow.jobs).filter(([, job]) =>
    JSON.stringify(job).includes('secrets.'),
  );
  expect(jobs.map(([name]) => name)).toEqual(['translate']);
});

test('the memory is kept between runs whatever happens, the ledger never, and there is one writer at a time', () => {
  const kept = steps.filter(({ uses }) => uses?.startsWith('actions/cache/'));
  expect(kept.map((step) => step.with?.['path'])).toEqual(['.dragoman/memory', '.dragoman/memory']);
  expect(kept[1]?.if).toContain('always()');
  expect(gitlab['translations:write']?.cache).toMatchObject({
    paths: ['.dragoman/memory'],
    when: 'always',
  });
  expect(gitlab['translations:write']?.resource_group).toBeDefined();
  expect(workflow.jobs['translate']?.concurrency).toBeDefined();
});

test('the workflow gives the action what it asks for', () => {
  const used = Object.values(workflow.jobs).flatMap((job) =>
    job.steps.filter(({ uses }) => uses?.startsWith('./')),
  );
  expect(used.map((step) => step.with?.['mode'])).toEqual(['pull-request', 'translate']);
  for (const step of used) {
    const unknown = Object.keys(step.with ?? {}).filter((name) => !(name in action.inputs));
    expect(unknown).toEqual([]);
  }
});

const PROJECTS = `defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de]
    routes: [{ from: "locales/{locale}.json" }]`;

/** `npx dragoman` in a shell is this program. */
async function programs(): Promise<string> {
  const folder = await temporaryFolder();
  const file = join(folder, 'npx');
  await mkdir(folder, { recursive: true });
  await writeFile(file, `#!/bin/sh\nshift\nexec "${process.execPath}" "${MAIN}" "$@"\n`);
  await chmod(file, 0o755);
  return folder;
}

interface Ended {
  readonly code: number | null;
  readonly out: string;
}

/** Runs a step as its system does: `bash -e`. */
async function shell(text: string, checkout: Checkout, env: NodeJS.ProcessEnv): Promise<Ended> {
  const { promise, resolve } = Promise.withResolvers<Ended>();
  const options = {
    cwd: checkout.root,
    env: { ...process.env, ...GIT_ENV, ...env },
  };
  execFile('bash', ['-e', '-o', 'pipefail', '-c', text], options, (error, stdout, stderr) => {
    resolve({ code: error === null ? 0 : (error.code as number | null), out: stdout + stderr });
  });
  return await promise;
}

const script = (name: string): string =>
  steps.find((step) => step.name === name)?.run ?? `exit 99 # there is no step ${name}`;

async function begin() {
  const { team, first } = await Team.start(PROJECTS, { 'locales/en.json': '{"a":"One"}\n' });
  const folder = await programs();
  const outputs = join(folder, 'outputs');
  const path = `${folder}:${process.env['PATH']}`;
  const env = { PATH: path, BRANCH: 'translations', LIMIT: '1000', GITHUB_OUTPUT: outputs };
  return { team, first, env, folder };
}

test('a push to main is translated on the branch, again after a correction there, and a conflict of git buys nothing', async () => {
  const { team, first, env } = await begin();
  const key = { DRAGOMAN_KEY: team.sandbox.key };
  const run = async (checkout: Checkout) => {
    for (const name of ['Merge', 'Translate', 'Commit']) {
      const { code, out } = await shell(script(name), checkout, { ...env, ...key });
      if (code !== 0) return { code, out, at: name };
    }
    return { code: 0, out: '', at: '' };
  };
  expect(await run(await team.clone())).toEqual({ code: 0, out: '', at: '' });
  first.git('fetch', '--quiet', 'origin', 'translations');
  const files = first.git('ls-tree', '-r', '--name-only', 'FETCH_HEAD').split('\n');
  expect(files).toContain('locales/de.json');
  expect(files).toContain('dragoman.lock/app/de');
  expect(files.filter((file) => file.startsWith('.dragoman'))).toEqual([]);

  const reviewer = await team.clone('--branch=translations');
  await reviewer.write({ 'locales/de.json': '{"a":"Eins von Hand"}\n' });
  reviewer.git('commit', '--quiet', '--all', '--message', 'correct');
  reviewer.git('push', '--quiet', 'origin', 'HEAD:translations');
  await first.write({ 'locales/en.json': '{"a":"One","b":"Two"}\n' });
  first.commit('add a text');
  const texts = () =>
    team.sandbox.log().reduce((sum, { texts: all }) => sum + (all?.length ?? 0), 0);
  const before = texts();
  expect(await run(await team.clone())).toEqual({ code: 0, out: '', at: '' });
  expect(texts() - before).toBe(1);
  reviewer.git('pull', '--quiet', 'origin', 'translations');
  expect(JSON.parse(await reviewer.read('locales/de.json'))).toMatchObject({ a: 'Eins von Hand' });

  await first.write({ 'locales/de.json': '{"a":"Eins auf main"}\n' });
  first.commit('write the target on main too');
  const stopped = await run(await team.clone());
  expect(stopped.at).toBe('Merge');
  expect(texts() - before).toBe(1);
});

test('a pull request is planned and checked without a key, and fails for what it makes wrong', async () => {
  const { team, first, env, folder } = await begin();
  await first.run('once');
  first.commit('translate');
  first.git('checkout', '--quiet', '-b', 'feature');
  await first.write({
    'locales/en.json': '{"a":"One {n}"}\n',
    'locales/de.json': '{"a":"Eins"}\n',
  });
  first.git('commit', '--quiet', '--all', '--message', 'break a text');
  first.git('push', '--quiet', 'origin', 'feature');
  const runner = await team.clone('--branch=feature');
  const plan = join(folder, 'plan.md');
  const summary = join(folder, 'summary.md');
  const own = { ...env, BASE: 'main', PLAN: plan, GITHUB_STEP_SUMMARY: summary };
  expect((await shell(script('Plan'), runner, own)).code).toBe(0);
  expect(readFileSync(summary, 'utf8')).toContain('### Translations since `origin/main`');
  const checked = await shell(script('Check'), runner, own);
  expect(checked.code).toBe(1);
  expect(checked.out).toMatch(/^::error file=locales\/de\.json,line=1/m);

  const job = gitlab['translations:check']?.script ?? [];
  const base = first.git('merge-base', 'origin/main', 'HEAD').trim();
  const merge = { ...env, CI_MERGE_REQUEST_DIFF_BASE_SHA: base };
  expect((await shell(job.slice(0, -1).join('\n'), runner, merge)).code).toBe(0);
  expect((await shell(job.at(-1) ?? '', runner, merge)).code).toBe(1);
  expect(JSON.parse(await runner.read('gl-code-quality-report.json'))).toHaveLength(1);
  expect(await runner.read('dragoman-junit.xml')).toContain('failures="1"');
});
