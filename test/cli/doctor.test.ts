/** `doctor`, run as a person would. */

import { chmodSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { examineGit } from '../../src/cli/doctor/machine.ts';
import { spawnSync } from '../in-time.ts';
import { Rig } from '../rig.ts';

interface Findings {
  readonly findings: readonly {
    readonly about: string;
    readonly verdict: string;
    readonly message: string;
    readonly fix?: string;
  }[];
}

const CONFIG = `
projects:
  app: { source: en, targets: [de], routes: [{ from: "{locale}/*.json" }] }
`;

async function examine(rig: Rig, ...args: readonly string[]) {
  const { code, stdout } = await rig.run('doctor', '--json', ...args);
  const { findings } = JSON.parse(stdout) as Findings;
  return {
    code,
    findings,
    of: (about: string) => findings.find((finding) => finding.about === about),
  };
}

test('a git that gives no answer is named, with its folder', async () => {
  await using rig = await Rig.start({ config: CONFIG });
  rig.write('hanging-git', '#!/bin/sh\nsleep 20 & wait\n');
  const program = rig.path('hanging-git');
  chmodSync(program, 0o755);
  expect(await examineGit(rig.root, { program, limitMs: 50 })).toMatchObject({
    verdict: 'fail',
    message: expect.stringContaining(`in ${rig.root}/ gave no answer`),
  });
  expect(await examineGit(rig.root, { program: rig.path('absent') })).toMatchObject({
    verdict: 'ok',
    message: 'it is not installed',
  });
  const { of } = await examine(rig);
  expect(of('git')).toMatchObject({ verdict: 'ok' });
});

test('a git whose answer has no end is named', async () => {
  await using rig = await Rig.start({ config: CONFIG });
  rig.write('endless-git', '#!/bin/sh\ncat /dev/zero\n');
  const program = rig.path('endless-git');
  chmodSync(program, 0o755);
  expect(await examineGit(rig.root, { program })).toMatchObject({
    verdict: 'fail',
    message: `the answer of "${program} rev-parse" is longer than 1 MiB`,
  });
});

test('glossary and style files with a fault are named, each with its first fault', async () => {
  const config = CONFIG.replace(
    'targets: [de],',
    'targets: [de], glossary: { name: shop, csv: terms.csv },',
  );
  await using rig = await Rig.start({ config, files: { 'terms.csv': 'en,de\nText,Satz\n' } });
  expect((await examine(rig)).of('terminology')).toMatchObject({
    verdict: 'ok',
    message: '1 file, without a fault',
  });
  rig.write('terms.csv', 'en,de\nText,Satz\nText,Wort\nText,Spruch\n');
  const { code, of } = await examine(rig);
  expect(code).toBe(1);
  expect(of('terminology')).toMatchObject({
    verdict: 'fail',
    message: expect.stringMatching(/^terms\.csv:3:1 "Text" is already in line 2 \(and 1 more\)$/),
  });
});

test('a sound installation gives ok for everything, and the service is asked only with --online', async () => {
  await using rig = await Rig.start({ config: CONFIG });
  const offline = await examine(rig);
  expect(offline.code).toBe(0);
  expect(offline.of('key')).toMatchObject({ verdict: 'ok' });
  expect(rig.sandbox.counters().operations).toEqual({});
  const online = await examine(rig, '--online');
  expect(online.code).toBe(0);
  expect(online.of('plan')).toMatchObject({ verdict: 'ok' });
  const features = ['glossaries', 'style rules', 'translation memories', 'voice'];
  for (const feature of [...features, 'text improvement', 'language detection']) {
    expect(online.of(feature)).toMatchObject({
      verdict: 'ok',
      message: expect.stringContaining('may be used'),
    });
  }
  expect(rig.sandbox.counters().billed_characters).toBe(0);
  expect(online.of('quota')).toMatchObject({ verdict: 'ok' });
  expect(online.of('clock')).toMatchObject({
    verdict: 'ok',
    message: expect.stringContaining('s apart'),
  });
});

test('features that a key lacks are named, and the plan claims nothing that it cannot know', async () => {
  await using rig = await Rig.start({ config: CONFIG });
  const config = rig.read('dragoman.yaml').replace('{ env: DRAGOMAN_KEY }', '{ file: key }');
  rig.write('dragoman.yaml', config);
  const lacking = async (key: string) => {
    rig.write('key', key);
    const { findings } = await examine(rig, '--online');
    return findings.filter(({ message }) => message === 'not for this key').map((f) => f.about);
  };
  expect(await lacking('sandbox-free')).toEqual(['style rules', 'text improvement']);
  expect(await lacking('sandbox-no-detection')).toEqual(['language detection']);
  expect(await lacking('sandbox-no-voice')).toEqual(['voice']);
  expect(await lacking('sandbox-classic')).toEqual([]);
});

test('a missing key, a damaged state and a refused key fail or warn, each with a fix', async () => {
  await using rig = await Rig.start({
    config: CONFIG,
    files: { 'en/a.json': '{"a":"Text"}', key: 'wrong' },
  });
  await rig.once();
  rig.write('.dragoman/db.json', 'rotten');
  rig.write(
    'dragoman.yaml',
    rig.read('dragoman.yaml').replace('{ env: DRAGOMAN_KEY }', '{ file: key }'),
  );
  const refused = await examine(rig, '--online');
  expect(refused.code).toBe(1);
  expect(refused.of('key')?.verdict).toBe('ok');
  expect(refused.of('state')).toMatchObject({ verdict: 'warn', fix: expect.any(String) });
  rig.remove('key');
  const missing = await examine(rig);
  expect(missing.code).toBe(1);
  expect(missing.of('key')).toMatchObject({ verdict: 'fail', fix: expect.any(String) });
});

test('a state folder that no command can use is a fault: a link that leads nowhere', async () => {
  await using rig = await Rig.start({ config: CONFIG });
  symlinkSync('/nowhere/state', rig.path('.dragoman'));
  expect((await rig.run('plan')).code).toBe(74);
  const { code, of } = await examine(rig);
  expect(code).toBe(1);
  expect(of('state')).toMatchObject({
    verdict: 'fail',
    message: expect.stringContaining('a link that leads nowhere'),
    fix: expect.stringContaining('Move it away'),
  });
});

test('a config at fault is a finding, not a crash', async () => {
  await using rig = await Rig.start({ config: 'projects: {}' });
  const { code, of } = await examine(rig);
  expect(code).toBe(1);
  expect(of('config')).toMatchObject({ verdict: 'fail' });
});

test('ffmpeg is looked for where recordings are routed, and only there', async () => {
  await using texts = await Rig.start({ config: CONFIG });
  expect((await examine(texts)).of('ffmpeg')).toBeUndefined();
  const route =
    '{ from: "talks/*.wav", to: { speech: "{locale}/{name}.opus" }, voice: { speech_format: opus } }';
  const config = `
projects:
  talks: { source: en, targets: [de], routes: [${route}] }
`;
  await using talks = await Rig.start({ config });
  const { PATH } = process.env;
  try {
    process.env['PATH'] = '/nonexistent';
    expect((await examine(talks)).of('ffmpeg')).toMatchObject({
      verdict: 'warn',
      message: expect.stringMatching(
        /not installed: .* are held; speech stays WAV instead of opus/,
      ),
      fix: 'install ffmpeg',
    });
  } finally {
    process.env['PATH'] = PATH;
  }
  const { verdict, message } = (await examine(talks)).of('ffmpeg') ?? {};
  expect([verdict, message]).toEqual(
    hasFfmpeg()
      ? ['ok', 'converts what the service does not take']
      : ['warn', expect.stringContaining('not installed')],
  );
});

function hasFfmpeg(): boolean {
  return spawnSync('ffmpeg', ['-version']).status === 0;
}
