/** Two configs that share a state folder: the daemon of one does not answer for the other. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { connectControl, controlSocketPath } from '../../src/page/control-socket.ts';
import { Rig } from '../rig.ts';
import { runHere } from '../run-here.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const SOURCE = 'other/en/b.json';
const TARGET = 'other/de/b.json';
const project = (name: string, folder: string) => `
page: false
projects:
  ${name}:
    source: en
    targets: [de]
    glossary: { name: shop, csv: "l10n/{source}-{locale}.csv" }
    routes:
      - { from: "${folder}/{locale}/*.json" }
`;
const FILES = {
  'mine/en/a.json': '{ "hello": "Hello there" }\n',
  [SOURCE]: '{ "other": "From the other" }\n',
  [TARGET]: '{ "other": "Vom anderen" }\n',
  'l10n/en-de.csv': 'cart,Warenkorb\n',
};

/** The arguments of each command that needs the state of its config. */
const ASKING: Readonly<Record<string, readonly string[]>> = {
  plan: [],
  once: ['--frozen'],
  run: [],
  status: [],
  lock: [],
  review: ['list'],
  explain: [SOURCE, 'other'],
  retry: ['--all'],
  approve: ['--all', '--yes'],
  resolve: [TARGET, '--human'],
  undo: [],
  glossary: ['diff'],
  style: ['diff'],
  usage: [],
  dashboard: [],
  pause: [],
  resume: [],
};
/** They ask no daemon, or say what they found without its answer. */
const OTHERS = [
  ...['init', 'schema', 'check', 'state', 'restore', 'doctor', 'memory', 'service', 'completion'],
  ...['sandbox', 'translate', 'improve', 'detect', 'languages', 'keys', 'analytics', 'quickstart'],
];

async function twoConfigs(): Promise<Rig> {
  const rig = await Rig.start({ config: project('mine', 'mine'), files: FILES });
  rig.write(
    'b.yaml',
    rig.read('dragoman.yaml').replace('  mine:', '  other:').replace('"mine/', '"other/'),
  );
  return rig;
}

test('every command is known either to need the state of its config, or not to', () => {
  expect(new Set([...Object.keys(ASKING), ...OTHERS])).toEqual(new Set(Object.keys(COMMANDS)));
});

test('no command is answered by the daemon of another config in the same state folder', async () => {
  await using rig = await twoConfigs();
  const daemon = await rig.daemon();
  for (const [name, args] of Object.entries(ASKING)) {
    const { code, stdout, stderr } = await rig.run(name, ...args, '--config', 'b.yaml');
    expect.soft(`${name} ${code}`).toBe(`${name} 75`);
    if (!['run'].includes(name))
      expect.soft(stderr, name).toMatch(/another config, .*dragoman\.yaml: end that process first/);
    expect.soft(stdout, name).toBe('');
  }
  const checked = await rig.run('check', '--config', 'b.yaml');
  expect(checked.stdout + checked.stderr).not.toContain('mine/');
  const doctor = await rig.run('doctor', '--config', 'b.yaml');
  expect(doctor).toMatchObject({ code: 1, stdout: expect.stringContaining('another config') });
  expect((await rig.run('status')).code).toBe(0);
  await daemon.stop();
  expect((await rig.run('plan', '--config', 'b.yaml')).stdout).not.toContain('mine/');
});

test('a config that is refused is reported as such, and not the daemon of another one', async () => {
  await using rig = await twoConfigs();
  await rig.daemon();
  rig.write('broken.yaml', 'version: 1\nprojects: 7\n');
  for (const name of ['status', 'pause', 'plan'])
    expect((await rig.run(name, '--config', 'broken.yaml')).code, name).toBe(78);
});

test('the same config by a link, by a linked folder or by another spelling is the same config', async () => {
  await using rig = await twoConfigs();
  await rig.daemon();
  mkdirSync(rig.path('sub'));
  symlinkSync('dragoman.yaml', rig.path('link.yaml'));
  symlinkSync('.', rig.path('here'));
  for (const path of ['./sub/../dragoman.yaml', 'link.yaml', rig.path('dragoman.yaml')])
    expect((await rig.run('status', '--config', path)).stdout, path).toContain('mine');
  const linked = { cwd: rig.path('here'), env: { ...process.env, DRAGOMAN_KEY: rig.sandbox.key } };
  expect((await runHere(['status', '--no-input'], linked)).stdout).toContain('mine');
});

test('a daemon of an earlier version, which does not tell its config, answers as before', async () => {
  const path = controlSocketPath(await temporaryFolder());
  const earlier = createServer((incoming, outgoing) => {
    outgoing.writeHead(incoming.method === 'GET' ? 404 : 200);
    outgoing.end(incoming.method === 'GET' ? '{}' : '{"value":{"page":"here"}}');
  });
  await new Promise<void>((resolve) => earlier.listen(path, resolve));
  onTestFinished(() => new Promise<void>((resolve) => void earlier.close(() => resolve())));
  const control = await connectControl(path, { file: '/app/b.yaml' });
  expect(await control?.visit()).toEqual({ page: 'here' });
});
