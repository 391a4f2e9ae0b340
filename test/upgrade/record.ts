/**
 * Recorded `0.1.0/`: the real command line of version 0.1.0 (commit da258a6) at work on `sources/`, on days of its own. To record it
 * again, check that commit out, put this folder into it, and run `node test/upgrade/record.ts`.
 */
import { once } from 'node:events';
import { cpSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { CASES, type Words } from './answers.ts';
import type { Hold } from './gateway.ts';
import { Installation } from './installation.ts';

const SOURCES = join(import.meta.dirname, 'sources');
const OUT = join(import.meta.dirname, '0.1.0');

const TEXT = 'POST /v2/translate';
const DOCUMENT = 'POST /v2/document';
const STATUS = 'POST /v2/document/{id}';
const RESULT = 'POST /v2/document/{id}/result';
const RECORDING = 'PUT /assets/{id}';
const VOICE_STATUS = 'GET /v1/jobs/voice/translate/{id}';
const TRANSCRIPT = 'GET /assets/{id}/0';

rmSync(OUT, { recursive: true, force: true });
await recordSettled();
const words = await recordKilled();
const said = new Map<string, unknown>();
for (const [name, { folder, date, ask }] of Object.entries(CASES)) {
  await using at = await Installation.open(join(OUT, folder), date);
  said.set(name, await ask(at, words));
}
const answers = { words, said: Object.fromEntries(said) };
writeFileSync(join(OUT, 'answers.json'), `${JSON.stringify(answers, null, 1)}\n`);

/** Everything is done, or waits for a person. */
async function recordSettled(): Promise<void> {
  await using at = await Installation.open(join(SOURCES, 'settled'), '2026-05-04T08:00:00Z');
  const { faults } = at.rig.sandbox;
  faults.add([{ kind: 'damage', how: 'drop', matches: 'Hurt', times: 'always' }]);
  await run(at, 'memory', 'import', 'agency.tmx', '--project', 'people');
  // The charges of this day are so old in the end that they are folded.
  await run(at, 'once', 'app', 'film', 'many', 'people', 'terms');

  at.travel('2026-08-11T08:00:00Z');
  await loseAnswers(at);
  faults.add([{ kind: 'no_answer', operation: DOCUMENT }]);
  await run(at, 'once', 'trouble/en/doubt.txt');
  faults.add([{ kind: 'failed_job', message: 'no luck' }]);
  await run(at, 'once', 'trouble/en/refused.txt');
  faults.add([{ kind: 'wrong_result', text: 'no Word file at all' }]);
  await run(at, 'once', 'trouble/en/doubtful.docx');
  await run(at, 'once');

  at.travel('2026-08-20T08:00:00Z');
  editTargets(at);
  await run(at, 'once');
  changeSources(at);
  await run(at, 'once');
  await run(at, 'resolve', 'people/de/app.json', 'chosen', '--human');
  await run(at, 'once');

  at.travel('2026-08-21T08:00:00Z');
  edit(at, 'people/en/undone.json', 'is taken', 'was taken');
  await run(at, 'once', 'people/en/undone.json');
  await run(at, 'undo', '--yes');
  await run(at, 'once');
  save(at, 'settled');
}

async function loseAnswers(at: Installation): Promise<void> {
  edit(at, 'people/en/twice.json', 'was lost', 'is lost');
  const text = {
    operation: TEXT,
    about: 'A text whose answer is lost',
    from: 'beginning',
  } as const;
  await kill(at, [text], 'people/en/twice.json');
  await kill(at, [{ operation: RESULT, about: 'lost.txt', from: 'middle' }], 'trouble/en/lost.txt');
  const transcript = { operation: TRANSCRIPT, about: 'lost.wav', from: 'middle' } as const;
  await kill(at, [transcript], 'talks/short/lost.wav');
  // A document whose source is deleted while it is translated.
  const status = { operation: STATUS, about: 'gone.txt', from: 'beginning' } as const;
  await kill(at, [status], 'trouble/en/gone.txt');
  at.rig.remove('trouble/en/gone.txt');
}

function editTargets(at: Installation): void {
  const { rig } = at;
  const texts = rig.json('people/de/app.json') as Record<string, string>;
  rig.write(
    'people/de/app.json',
    `${JSON.stringify({ ...texts, edited: 'Von Hand verbessert', conflict: 'Von Hand geschrieben', chosen: 'Von Hand gewählt' }, null, 2)}\n`,
  );
  rig.write('people/keep/de/app.json', '{ "kept": "Von Hand behalten" }\n');
  rig.write('people/overwrite/de/app.json', '{ "machine": "Von Hand verloren" }\n');
  rig.write('trouble/de/edited.txt', 'Von Hand neu geschrieben.\n');
  const [, , line = ''] = rig.read('film/de/keepers.srt').split('\n');
  edit(at, 'film/de/keepers.srt', line, 'Wir hüten das Licht');
}

function changeSources(at: Installation): void {
  const { rig } = at;
  edit(at, 'people/en/app.json', 'changes later', 'has changed');
  edit(at, 'people/en/app.json', 'decides about', 'decided about');
  edit(at, 'people/en/app.json', 'old_key', 'new_key');
  edit(at, 'people/keep/en/app.json', 'stays', 'still stays');
  edit(at, 'people/overwrite/en/app.json', 'is written', 'was written');
  edit(at, 'trouble/en/edited.txt', 'fate is', 'fate was');
  edit(at, 'film/en/keepers.srt', 'And <i>nobody</i> came.', 'But <i>nobody</i> came.');
  edit(at, 'l10n/terms.csv', 'Hafen', 'Hafenbecken');
  edit(at, 'app/en/nested.json', 'Close the gate', 'Shut the gate');
  renameSync(rig.path('people/en/before.json'), rig.path('people/en/renamed.json'));
  rig.remove('people/en/gone.json');
  // So many at once that a person must confirm it.
  for (let n = 2; n <= 22; n++) rig.remove(`many/en/f${n}.json`);
}

/**
 * A process that was killed amid all that it can be amid.
 * @returns the answers of the service about the files under way
 */
async function recordKilled(): Promise<Words> {
  await using at = await Installation.open(join(SOURCES, 'killed'), '2026-09-07T08:00:00Z');
  const texts = ['texts/en/before.json', 'texts/en/after.json'];
  await run(at, 'once', ...texts, 'papers/en/approved.txt');
  await run(at, 'approve', '--yes', 'papers/en/approved.txt');
  for (const moment of ['before', 'after']) {
    const source = `texts/en/${moment}.json`;
    edit(at, source, 'A text', 'The text');
    const child = at.spawn({ KILL_AT: `${moment} /de/${moment}.json` }, 'once', source);
    await once(child, 'close');
  }
  const holds: readonly Hold[] = [
    { operation: TEXT, about: 'A text that was on its way', from: 'beginning' },
    { operation: DOCUMENT, about: 'closing.txt', from: 'beginning' },
    { operation: STATUS, about: 'uploaded.txt', from: 'beginning' },
    { operation: RESULT, about: 'asked.txt', from: 'beginning' },
    { operation: RESULT, about: 'downloading.txt', from: 'middle' },
    { operation: RECORDING, about: 'closing.wav', from: 'beginning' },
    { operation: VOICE_STATUS, about: 'uploaded.wav', from: 'beginning' },
    { operation: TRANSCRIPT, about: 'downloading.wav', from: 'middle' },
  ];
  const documents = ['closing', 'uploaded', 'asked', 'downloading'];
  const files = [
    ...documents.map((name) => `papers/en/${name}.txt`),
    ...['closing', 'uploaded', 'downloading'].map((name) => `talks/${name}.wav`),
  ];
  await kill(at, holds, 'texts/en/asked.json', ...files);
  save(at, 'killed');
  const sent = files.map((file) => [file, at.gateway.words.get(basename(file))] as const);
  return Object.fromEntries(sent.map(([file, said = []]) => [file, said]));
}

async function run(at: Installation, ...args: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await at.run(...args);
  process.stdout.write(`--- ${args.join(' ')}: ${code}\n${stdout}${stderr}\n`);
}

/** Kills a run that waits for all of these answers. */
async function kill(at: Installation, holds: readonly Hold[], ...scope: readonly string[]) {
  const child = at.spawn({}, 'once', ...scope);
  const closed = once(child, 'close');
  await at.gateway.hold(holds);
  // Waits until the effect of an answer is on the disk.
  await wait(500);
  child.kill('SIGKILL');
  await closed;
}

function edit({ rig }: Installation, path: string, ...[from, to]: readonly [string, string]): void {
  const text = rig.read(path);
  if (!text.includes(from)) throw new Error(`${path} does not hold "${from}"`);
  rig.write(path, text.replace(from, to));
}

function save(at: Installation, name: string): void {
  cpSync(at.rig.root, join(OUT, name), { recursive: true });
}
