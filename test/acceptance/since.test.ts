/** `--since REF`: the work that a branch adds, in real clones, compared with the work that was open before. */
import { expect, test, vi } from 'vitest';
import { type Checkout, Team } from '../team.ts';

const PROJECTS = `defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de, fr]
    routes: [{ from: "locales/{locale}/**/*.json" }]`;

const json = (texts: Readonly<Record<string, string>>) => `${JSON.stringify(texts, null, 2)}\n`;

interface Planned {
  readonly estimated_characters: number;
  readonly jobs: readonly {
    readonly source: string;
    readonly language: string;
    readonly texts?: { readonly bought: number; readonly held: number };
  }[];
}

async function plan(checkout: Checkout, ...args: readonly string[]): Promise<Planned> {
  const { code, out } = await checkout.run('plan', '--json', ...args);
  expect(code, out).toBeLessThan(3);
  return JSON.parse(out) as Planned;
}

const said = ({ jobs, estimated_characters }: Planned) => ({
  jobs: jobs.map(({ source, language, texts }) => `${source} ${language} ${texts?.bought}`),
  estimated_characters,
});

/** The open work of `main`: German is complete, French lacks a text, and a page was never translated. */
async function withBacklog(): Promise<{ team: Team; first: Checkout }> {
  const { team, first } = await Team.start(PROJECTS, {
    'locales/en/app.json': json({ save: 'Save' }),
    'locales/en/other.json': json({ quit: 'Quit' }),
  });
  await first.run('once');
  await first.write({
    'locales/en/app.json': json({ save: 'Save', open: 'Open' }),
    'locales/en/late.json': json({ late: 'Too late' }),
  });
  first.commit('leave some work');
  first.git('checkout', '--quiet', '-b', 'feature');
  return { team, first };
}

test('a plan since a branch prices the texts that were added, and not what was open before', async () => {
  const { team, first } = await withBacklog();
  await first.write({
    'locales/en/app.json': json({ save: 'Save', open: 'Open', close: 'Close' }),
  });
  first.git('commit', '--quiet', '--all', '--message', 'add a text');
  first.git('push', '--quiet', 'origin', 'feature');
  expect((await plan(first)).jobs).toHaveLength(4);
  const expected = {
    jobs: ['locales/en/app.json de 1', 'locales/en/app.json fr 1'],
    estimated_characters: 10,
  };
  expect(said(await plan(first, '--since', 'main'))).toEqual(expected);
  const runner = await team.clone('--branch=feature');
  // A first plan asks for the languages of the service, and keeps them.
  await runner.run('plan');
  const ended = await runner.run('plan', '--since', 'origin/main');
  expect(ended.out).toContain('2 jobs, 10 characters to be billed');
  expect(ended).toMatchObject({ texts: 0, requests: 0 });
  expect(said(await plan(runner, '--since', 'origin/main'))).toEqual(expected);
  expect(runner.git('status', '--porcelain')).toBe('');
});

test('a branch that changes nothing adds nothing, and one that pays what was open adds nothing', async () => {
  const { first } = await withBacklog();
  expect(await plan(first, '--since', 'main')).toMatchObject({ jobs: [], estimated_characters: 0 });
  await first.run('once');
  expect(await plan(first, '--since', 'main')).toMatchObject({ jobs: [], estimated_characters: 0 });
  expect((await first.run('plan', '--since', 'main')).out).toBe('Nothing to do since main.');
});

test('a changed source text is new work, in a fresh clone too', async () => {
  const { team, first } = await withBacklog();
  await first.write({ 'locales/en/other.json': json({ quit: 'Leave' }) });
  first.git('commit', '--quiet', '--all', '--message', 'change a text');
  first.git('push', '--quiet', 'origin', 'feature');
  const runner = await team.clone('--branch=feature');
  const jobs = ['locales/en/other.json de 1', 'locales/en/other.json fr 1'];
  const expected = { jobs, estimated_characters: 10 };
  expect(said(await plan(first, '--since', 'main'))).toEqual(expected);
  expect(said(await plan(runner, '--since', 'origin/main'))).toEqual(expected);
  const checked = await runner.run('check', '--since', 'origin/main');
  expect(checked).toMatchObject({ code: 1, requests: 0 });
  expect(checked.out).toContain('locales/de/other.json:2:12 quit: stale');
  expect(checked.out).not.toContain('open: missing');
});

test('changes that were made on the other branch since are not of this one', async () => {
  const { first } = await withBacklog();
  await first.write({
    'locales/en/app.json': json({ save: 'Save', open: 'Open', close: 'Close' }),
  });
  first.git('commit', '--quiet', '--all', '--message', 'add a text');
  first.git('checkout', '--quiet', 'main');
  await first.write({ 'locales/en/other.json': json({ quit: 'Leave' }) });
  first.commit('change another');
  first.git('checkout', '--quiet', 'feature');
  expect(said(await plan(first, '--since', 'main')).jobs).toEqual([
    'locales/en/app.json de 1',
    'locales/en/app.json fr 1',
  ]);
});

test('uncommitted changes count, and so does a file that git does not know', async () => {
  const { first } = await withBacklog();
  await first.write({ 'locales/en/new.json': json({ fresh: 'Fresh' }) });
  expect(said(await plan(first, '--since', 'main')).jobs).toEqual([
    'locales/en/new.json de 1',
    'locales/en/new.json fr 1',
  ]);
});

test('a language that the config gains is new work for every file, and the others stay as they were', async () => {
  const { first } = await withBacklog();
  const config = await first.read('dragoman.yaml');
  await first.write({ 'dragoman.yaml': config.replace('[de, fr]', '[de, es, fr]') });
  const { jobs } = said(await plan(first, '--since', 'main'));
  expect(jobs.toSorted((a, b) => a.localeCompare(b))).toEqual([
    'locales/en/app.json es 2',
    'locales/en/late.json es 1',
    'locales/en/other.json es 1',
  ]);
});

test('a config that begins with the branch makes everything new', async () => {
  const { team, first } = await Team.start(PROJECTS, { 'locales/en/app.json': json({ a: 'One' }) });
  const config = await first.read('dragoman.yaml');
  await first.remove('dragoman.yaml');
  first.commit('without a config');
  const other = await team.clone('--branch=main');
  await other.write({ 'dragoman.yaml': config });
  expect(said(await plan(other, '--since', 'origin/main')).jobs).toEqual([
    'locales/en/app.json de 1',
    'locales/en/app.json fr 1',
  ]);
});

test('a target that a branch damages is checked, and earlier findings are not reported', async () => {
  const { first } = await withBacklog();
  const all = await first.run('check');
  expect(all.out).toContain('open: missing');
  expect((await first.run('check', '--since', 'main')).out).toContain('0 faults, 0 warnings');
  await first.write({
    'locales/en/other.json': json({ quit: 'Leave' }),
    'locales/de/app.json': json({ save: 'Sichern {number}' }),
  });
  const found = await first.run('check', '--since', 'main');
  expect(found.code).toBe(1);
  expect(found.out).toContain('locales/de/app.json:2');
  expect(found.out).toContain('{number}');
  expect(found.out).toContain('locales/fr/other.json:2:12 quit: stale');
  expect(found.out).not.toContain('open: missing');
});

test('status since a branch lists what needs a person in the files that it touches', async () => {
  const { first } = await withBacklog();
  await first.run('once', '--max-characters', '1');
  const held = async (...args: readonly string[]) =>
    (JSON.parse((await first.run('status', '--json', ...args)).out) as { attention: object[] })
      .attention;
  expect(await held()).toHaveLength(4);
  expect(await held('--since', 'main')).toHaveLength(0);
  await first.write({ 'locales/en/late.json': json({ late: 'Too late for this' }) });
  await first.run('once', '--max-characters', '1');
  expect(await held('--since', 'main')).toMatchObject([
    { source: 'locales/en/late.json', language: 'de' },
    { source: 'locales/en/late.json', language: 'fr' },
  ]);
});

test('an unknown branch, a shallow clone and a folder without git end with 64 and what to type', async () => {
  const { team, first } = await withBacklog();
  first.git('commit', '--quiet', '--allow-empty', '--message', 'go on');
  first.git('push', '--quiet', 'origin', 'feature');
  for (const name of ['plan', 'check', 'status']) {
    const { code, out } = await first.run(name, '--since', 'origin/mian');
    expect(code).toBe(64);
    expect(out).toContain('git knows no branch, tag or commit "origin/mian"');
    expect(out).toContain('git fetch origin mian');
  }
  first.git('checkout', '--quiet', 'main');
  first.commit('another');
  const shallow = await team.clone('--depth=1', '--no-single-branch', '--branch=feature');
  const { code, out } = await shallow.run('plan', '--since', 'origin/main');
  expect(code).toBe(64);
  expect(out).toContain('fetch-depth: 0');
  await shallow.remove('.git');
  const without = await shallow.run('plan', '--since', 'origin/main');
  expect(without.code).toBe(64);
  expect(without.out).toContain('is in no git repository');
});

test('a config below the top of the repository is compared as one at the top', async () => {
  const { first } = await withBacklog();
  first.git('checkout', '--quiet', 'main');
  for (const path of ['dragoman.yaml', 'locales', 'dragoman.lock']) {
    await first.write({ 'apps/web/.keep': '' });
    first.git('mv', path, `apps/web/${path}`);
  }
  first.commit('move it');
  first.git('checkout', '--quiet', '-b', 'below');
  await first.write({ 'apps/web/locales/en/other.json': json({ quit: 'Leave' }) });
  const planned = await plan(first, '--config', 'apps/web/dragoman.yaml', '--since', 'main');
  expect(said(planned).jobs).toEqual(['locales/en/other.json de 1', 'locales/en/other.json fr 1']);
});

test('findings of a branch are printed for other programs, with the paths of the repository', async () => {
  const { first } = await withBacklog();
  first.git('checkout', '--quiet', 'main');
  for (const path of ['dragoman.yaml', 'locales', 'dragoman.lock']) {
    await first.write({ 'apps/web/.keep': '' });
    first.git('mv', path, `apps/web/${path}`);
  }
  first.commit('move it');
  first.git('checkout', '--quiet', '-b', 'below');
  await first.write({ 'apps/web/locales/de/app.json': json({ save: 'Sichern {number}' }) });
  const config = ['--config', 'apps/web/dragoman.yaml'];
  const check = async (format: string) => {
    const { code, out } = await first.run(
      'check',
      ...config,
      '--since',
      'main',
      '--format',
      format,
    );
    expect(code).toBe(1);
    return out;
  };
  expect(await check('github')).toMatch(
    /^::error file=apps\/web\/locales\/de\/app\.json,line=2,col=12,title=dragoman%3A translation::save: .*\{number\}/m,
  );
  expect(JSON.parse(await check('gitlab'))).toMatchObject([
    { location: { path: 'apps/web/locales/de/app.json', lines: { begin: 2 } } },
  ]);
  expect(await check('sarif')).toContain('"uri": "apps/web/locales/de/app.json"');
  expect(await check('junit')).toContain('file="apps/web/locales/de/app.json" line="2"');
  const frozen = await first.run('once', '--frozen', ...config, '--format', 'github');
  expect(frozen.code).toBe(1);
  expect(frozen.out).toMatch(
    /^::error file=apps\/web\/locales\/en\/late\.json,line=2,.*::de: .*late \(missing\)/m,
  );
  expect((await first.run('once', ...config, '--format', 'github')).code).toBe(64);
  const comment = await first.run('plan', ...config, '--format', 'markdown', '--since', 'main');
  expect(comment.out).toContain('### Translations since `main`');
});

test('a branch that began at a lock of a newer version ends with 78, and is not priced as if nothing had been translated', async () => {
  const { first } = await Team.start(PROJECTS, { 'locales/en/app.json': json({ save: 'Save' }) });
  await first.run('once');
  const path = 'dragoman.lock/app/de';
  const lock = await first.read(path);
  await first.write({ [path]: lock.replace('lock 1', 'lock 2') });
  first.commit('a newer version wrote the lock');
  first.git('checkout', '--quiet', '-b', 'feature');
  await first.write({
    [path]: lock,
    'locales/en/app.json': json({ save: 'Save', open: 'Open' }),
  });
  first.git('commit', '--quiet', '--all', '--message', 'go back, and add a text');
  for (const name of ['plan', 'check', 'status']) {
    const { code, out } = await first.run(name, '--since', 'main');
    expect({ name, code }).toEqual({ name, code: 78 });
    expect(out).toContain('a newer dragoman');
  }
});

test('files that cannot be compared with the earlier commit are named: a damaged file, conflict markers, a refused config', async () => {
  const { first } = await withBacklog();
  first.git('checkout', '--quiet', 'main');
  const good = await first.read('dragoman.yaml');
  const damaged = {
    'locales/en/app.json': '{ "save": "Save", ',
    'locales/en/other.json': '<<<<<<< a\n{}\n=======\n{}\n>>>>>>> b\n',
  };
  await first.write(damaged);
  first.commit('damage two sources');
  first.git('checkout', '--quiet', '-b', 'mend');
  await first.write({
    'locales/en/app.json': json({ save: 'Save', open: 'Open' }),
    'locales/en/other.json': json({ quit: 'Quit', leave: 'Leave' }),
  });
  const app =
    'locales/en/app.json cannot be compared with main (locales/en/app.json:1:17: the file ends too early): all of it counts as new';
  const other = 'locales/en/other.json cannot be compared with main (git left';
  for (const [name = '', ...args] of [['plan'], ['plan', '--format', 'markdown'], ['status']]) {
    const { out, requests } = await first.run(name, '--since', 'main', ...args);
    expect(requests).toBe(0);
    expect(out).toContain(app);
    expect(out).toContain(other);
  }
  const checked = await first.run('check', '--since', 'main');
  expect(checked.out).toContain('app.json cannot be compared with main');
  expect((await first.run('plan', '--since', 'main', 'locales/en/app.json')).out).not.toContain(
    'other.json',
  );

  first.git('checkout', '--quiet', '--force', 'main');
  await first.write({ 'dragoman.yaml': good.replace('source: en', 'source: en, surplus: 1') });
  first.commit('a setting that is none');
  await first.write({ 'dragoman.yaml': good });
  for (const name of ['plan', 'check', 'status']) {
    const { out } = await first.run(name, '--since', 'main');
    expect(out).toContain('the config of main is refused (dragoman.yaml:');
    expect(out).toContain('everything counts as new');
  }
});

test('the plan of a branch has an edit of a person until the lock has it, and a runner without state says nothing about it', async () => {
  const { team, first } = await withBacklog();
  const german = await first.read('locales/de/other.json');
  await first.write({ 'locales/de/other.json': german.replace(/: ".*"/, ': "Beenden"') });
  first.git('commit', '--quiet', '--all', '--message', 'a person edits');
  first.git('push', '--quiet', 'origin', 'feature');
  const runner = await team.clone('--branch=feature');
  const planned = await runner.run('plan', '--since', 'origin/main', '--format', 'markdown');
  expect(planned.out).toContain('edited by hand');
  expect(planned.out).toMatch(/^\| `app` \| `de` \|(?: 0 \|)+ 1 \| 0 \| 0 \|$/mu);
  expect(planned.out).not.toContain('no state yet');
  // It is not work of the next branch.
  runner.git('checkout', '--quiet', '-b', 'next');
  const next = await runner.run('plan', '--since', 'origin/feature');
  expect(next.out).toBe('Nothing to do since origin/feature.');
});

test('a folder for temporary files that is not there is named, and what to do', async () => {
  const { first } = await withBacklog();
  vi.stubEnv('TMPDIR', '/nowhere');
  const { code, out } = await first.run('plan', '--since', 'main').finally(vi.unstubAllEnvs);
  expect([code, out]).toEqual([
    1,
    expect.stringMatching(
      /folder for temporary files \/nowhere cannot be written \(ENOENT\)[\s\S]*TMPDIR/,
    ),
  ]);
});
