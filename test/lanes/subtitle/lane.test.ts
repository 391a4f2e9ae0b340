/**
 * The subtitle lane after any sequence of edits. Texts of a person stay, texts that are up to date are not bought, and the times are those
 * of the source.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { hashBytes } from '../../../src/files/disk.ts';
import { Mutex } from '../../../src/files/mutex.ts';
import { UNSHARED } from '../../../src/files/reservations.ts';
import { partsText } from '../../../src/format.ts';
import { readSubtitles } from '../../../src/formats/captions/read.ts';
import { type Fingerprint, jobId } from '../../../src/job.ts';
import { subtitleLane } from '../../../src/lanes/subtitle/lane.ts';
import { parseLanguage } from '../../../src/language.ts';
import type { JobRecord, Written } from '../../../src/ledger.ts';
import type { Recipe } from '../../../src/plan/recipe.ts';
import type { Route } from '../../../src/project.ts';
import { openBaselines } from '../../../src/state/baseline.ts';
import { FolderMemories } from '../../../src/state/memories/folder.ts';
import type { TextCase } from '../../../src/translate/text-case.ts';
import { Translator } from '../../../src/translate/translate.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const GERMAN = parseLanguage('de') as NonNullable<ReturnType<typeof parseLanguage>>;
const SOURCE = 'film.srt';
const TARGET = 'film.de.srt';

const route = {
  subtitles: {
    lines: 2,
    sdh: 'translate',
    group: true,
    fallbackEncoding: 'windows-1252',
    report: false,
  },
  policies: {
    existing: 'adopt',
    humanEdits: 'keep',
    deletedSource: 'trash',
    retranslateOn: new Set(['source']),
  },
} as unknown as Route;
const recipe = {
  key: 'r',
  options: 'o',
  target: GERMAN,
  customInstructions: [],
} as unknown as Recipe;

/** A film's folder, a lane over it, and a service that writes everything in capitals. */
async function studio() {
  const root = await temporaryFolder();
  const memories = new FolderMemories({ folder: join(root, '.state', 'memory') });
  const bases = openBaselines(join(root, '.state', 'base'));
  onTestFinished(() => bases[Symbol.asyncDispose]());
  await mkdir(join(root, '.state'), { recursive: true });
  const bought: string[] = [];
  const translator = new Translator({
    clock: systemClock,
    memories,
    purchase: async (_, orders) => {
      bought.push(...orders.map(({ text }) => text));
      return orders.map((order) => ({
        order,
        outcome: { kind: 'fit', parts: [partsText(order.wanted.parts).toUpperCase()] },
      }));
    },
  });
  const job = {
    id: jobId('p', GERMAN, SOURCE),
    project: 'p',
    lane: 'subtitle',
    source: SOURCE,
    language: GERMAN,
    targets: { file: TARGET },
  } as const;
  let wrote: readonly Written[] = [];
  const caseOf = async (): Promise<TextCase> => ({
    job: { ...job, fingerprint: '' as Fingerprint },
    route,
    recipe,
    projectTerms: {},
    sourceLanguage: undefined,
    root,
    sourcePath: join(root, SOURCE),
    targetPath: TARGET,
    memory: await memories.open('p', GERMAN),
    baseline: bases.of({ project: 'p', language: GERMAN, path: SOURCE }, wrote[0]?.hash),
    wrote: wrote[0]?.hash,
    instructions: {},
  });
  const allow = async () => ({ kind: 'allowed', [Symbol.dispose]: () => {} }) as const;
  const lane = subtitleLane({
    translator,
    writers: new Mutex(),
    reservations: UNSHARED,
    clock: systemClock,
    caseOf,
    allow,
    onTermsMissing: () => {},
    isLimited: () => false,
    onRemoved: () => {},
    onDamage: () => {},
  });
  const read = async (path: string) => readFile(join(root, path), 'utf8');
  return {
    bought,
    read,
    readBytes: (path: string) => readFile(join(root, path)),
    write: (path: string, text: string | Uint8Array) => writeFile(join(root, path), text),
    /** Runs the job for the source as it is now. */
    async run() {
      bought.length = 0;
      const fingerprint = `${hashBytes(await read(SOURCE))}.r` as Fingerprint;
      const result = await lane.run({
        job: { ...job, fingerprint, wrote } as unknown as JobRecord,
        resumeFrom: { kind: 'started' },
        signal: new AbortController().signal,
        step: async () => {},
        mayPublish: () => true,
        record: async () => {},
        replan: () => {},
      });
      if (result.kind === 'delivered') wrote = result.wrote;
      return result;
    },
    async [Symbol.asyncDispose]() {
      await memories[Symbol.asyncDispose]();
      await rm(root, { recursive: true, force: true });
    },
  };
}

interface Line {
  readonly text: string;
  readonly time: number;
}

function srt(lines: readonly Line[]): string {
  const at = (ms: number) => new Date(ms).toISOString().slice(11, 23).replace('.', ',');
  return lines
    .map(({ text, time }, nth) => `${nth + 1}\n${at(time)} --> ${at(time + 1500)}\n${text}\n`)
    .join('\n');
}

const cuesOf = (text: string) =>
  readSubtitles(Buffer.from(text), { file: 'f', fallback: 'utf-8' }).cues;

type Edit =
  | { readonly kind: 'correct' | 'insert' | 'delete'; readonly at: number; readonly text: string }
  | { readonly kind: 'shift'; readonly by: number }
  | { readonly kind: 'human'; readonly at: number; readonly text: string };

let serial = 0;
// Every text is its own: two equal ones would be one purchase.
const sentence = fc
  .constantFrom('we were', 'alone.', 'Why not?', 'and <i>so</i> on')
  .map((words) => `${words.replace(/\W*$/, '')} ${++serial}${/\W*$/.exec(words)?.[0] ?? ''}`);
const place = fc.nat(30);
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({ kind: fc.constantFrom('correct', 'insert', 'delete'), at: place, text: sentence }),
  fc.record({ kind: fc.constant('shift'), by: fc.integer({ min: 1, max: 5000 }) }),
  fc.record({ kind: fc.constant('human'), at: place, text: sentence }),
);

function edited(lines: readonly Line[], change: Edit): Line[] {
  if (change.kind === 'human') return [...lines];
  if (change.kind === 'shift')
    return lines.map((line) => ({ ...line, time: line.time + change.by }));
  const at = change.at % lines.length;
  const line = lines[at];
  if (line === undefined) return [];
  switch (change.kind) {
    case 'correct':
      return lines.with(at, { ...line, text: change.text });
    case 'insert':
      return lines.toSpliced(at + 1, 0, { text: change.text, time: line.time + 1000 });
    case 'delete':
      return lines.length > 1 ? lines.toSpliced(at, 1) : [...lines];
  }
}

test('any sequence of edits ends in a whole film with the times of its source, and a second run has nothing to do', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(sentence, { minLength: 1, maxLength: 12 }),
      fc.array(edit, { maxLength: 6 }),
      async (texts, edits) => {
        await using film = await studio();
        let lines = texts.map((text, nth): Line => ({ text, time: nth * 2000 }));
        await film.write(SOURCE, srt(lines));
        await film.run();
        const theirs = new Set<string>();
        for (const change of edits) {
          if (change.kind === 'human') {
            const target = await film.read(TARGET);
            const cues = cuesOf(target);
            const old = cues[change.at % cues.length]?.text ?? '';
            theirs.delete(old);
            theirs.add(`Mensch ${change.text}`);
            await film.write(TARGET, target.replace(`\n${old}\n`, `\nMensch ${change.text}\n`));
          }
          const before = cuesOf(await film.read(TARGET)).map(({ text }) => text);
          const changed = edited(lines, change);
          await film.write(SOURCE, srt(changed));
          expect(await film.run()).toMatchObject({ kind: 'delivered', state: { kind: 'done' } });
          const after = cuesOf(await film.read(TARGET));
          expect(after.map(({ start }) => start)).toEqual(changed.map(({ time }) => time));
          expect(after.every(({ text }) => text !== '')).toBe(true);
          if (change.kind === 'shift' || change.kind === 'human') expect(film.bought).toEqual([]);
          // Only a deleted cue takes a person's text with it.
          const kept = new Set(after.map(({ text }) => text));
          const lost = before.filter((text) => theirs.has(text) && !kept.has(text));
          expect(lost.length).toBeLessThanOrEqual(change.kind === 'delete' ? 1 : 0);
          lines = changed;
          expect(await film.run()).toMatchObject({ changed: [] });
          expect(film.bought).toEqual([]);
        }
      },
    ),
    { numRuns: 20 },
  );
});

describe('a target that a person wrote in another encoding', () => {
  const wide = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le');
  test.each([
    ['UTF-16LE', wide],
    ['UTF-16BE', (text: string) => wide(text).swap16()],
    ['UTF-16LE without a mark', (text: string) => Buffer.from(text, 'utf16le')],
    ['windows-1252', (text: string) => Buffer.from(text, 'latin1')],
  ])('keeps it: %s', async (_, written) => {
    await using film = await studio();
    const lines = [
      { text: 'Come in.', time: 0 },
      { text: 'Sit down.', time: 2000 },
    ];
    const theirs = [
      { text: 'Tritt über die Schwelle.', time: 0 },
      { text: 'Setz dich.', time: 2000 },
    ];
    await film.write(SOURCE, srt(lines));
    await film.write(TARGET, written(srt(theirs)));
    await film.run();
    await film.write(SOURCE, srt(lines.with(1, { text: 'Stand up.', time: 2000 })));
    await film.run();
    const wanted = srt(theirs.with(1, { text: 'STAND UP.', time: 2000 }));
    expect(await film.readBytes(TARGET)).toEqual(written(wanted));
    const more = [...lines.with(1, { text: 'Stand up.', time: 2000 }), { text: 'Go.', time: 4000 }];
    await film.write(SOURCE, srt(more));
    await film.run();
    const longer = [
      ...theirs.with(1, { text: 'STAND UP.', time: 2000 }),
      { text: 'GO.', time: 4000 },
    ];
    expect(await film.readBytes(TARGET)).toEqual(written(srt(longer)));
  });

  test('becomes UTF-8 when its encoding lacks a letter of a new text', async () => {
    await using film = await studio();
    await film.write(
      SOURCE,
      srt([
        { text: 'One.', time: 0 },
        { text: 'Two.', time: 2000 },
      ]),
    );
    const theirs = srt([
      { text: 'Für einen.', time: 0 },
      { text: 'Zwei.', time: 2000 },
    ]);
    await film.write(TARGET, Buffer.from(theirs, 'latin1'));
    await film.run();
    await film.write(
      SOURCE,
      srt([
        { text: 'One.', time: 0 },
        { text: 'Два.', time: 2000 },
      ]),
    );
    await film.run();
    const wanted = srt([
      { text: 'Für einen.', time: 0 },
      { text: 'ДВА.', time: 2000 },
    ]);
    expect(await film.read(TARGET)).toBe(wanted);
  });
});
