/** Drafts: large files are worked on by a thread, with the outcome that they would have here. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { serialize } from 'node:v8';
import { expect, onTestFinished, test } from 'vitest';
import { parseConfig } from '../../src/config/parse.ts';
import { JobFailure } from '../../src/failure.ts';
import { hashBytes } from '../../src/files/disk.ts';
import { partsText } from '../../src/format.ts';
import { jobId } from '../../src/job.ts';
import { parseLanguage } from '../../src/language.ts';
import { ParserThreads } from '../../src/parsing/threads.ts';
import { fingerprint, recipeFor } from '../../src/plan/recipe.ts';
import type { TextAnswer } from '../../src/segments/record-for.ts';
import { type Statement, sourceHash, targetHash, unitId } from '../../src/segments/statements.ts';
import { TermIndex } from '../../src/segments/terms.ts';
import { openBaselines } from '../../src/state/baseline.ts';
import { FolderMemories } from '../../src/state/memories/folder.ts';
import { lockFilesIn } from '../../src/state/thread-locks.ts';
import type { Draft } from '../../src/translate/draft.ts';
import { openDraft } from '../../src/translate/draft.ts';
import { Drafts } from '../../src/translate/drafts.ts';
import type { OrderableText } from '../../src/translate/orderable-text.ts';
import { RECALL_PORTION } from '../../src/translate/recall.ts';
import type { TextCase } from '../../src/translate/text-case.ts';
import { commitAll, notedGit } from '../git.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const GERMAN = parseLanguage('de') as NonNullable<ReturnType<typeof parseLanguage>>;
const AT = '2026-11-20T10:00:00.000Z';
const KEYS = 2500;

const resource = (text: (n: number) => string, keys = KEYS) =>
  `{\n${Array.from({ length: keys }, (_, n) => `  "key_${n}": ${JSON.stringify(text(n))}`).join(',\n')}\n}\n`;
const sentence = (n: number) => `The quick brown fox number ${n} jumps over {name} and the dragon`;

/** A project of one file, and drafts of it. */
async function shelf(file: string, content: string, heapMegabytes?: number) {
  const root = await temporaryFolder();
  const { config } = parseConfig(CONFIG, { file: join(root, 'dragoman.yaml'), env: {} });
  const project = config?.projects[0];
  const route = project?.routes[0];
  if (project === undefined || route === undefined) throw new Error('the config is at fault');
  const baselines = openBaselines(join(root, '.state', 'base'));
  onTestFinished(() => baselines[Symbol.asyncDispose]());
  const memories = new FolderMemories({ folder: join(root, '.state', 'memory') });
  onTestFinished(() => memories[Symbol.asyncDispose]());
  const recipe = recipeFor(project, GERMAN);
  const source = `en/${file}`;
  const sourcePath = join(root, source);
  await mkdir(dirname(sourcePath), { recursive: true });
  await mkdir(join(root, 'de'), { recursive: true });
  await writeFile(sourcePath, content);
  const key = { project: 'p', language: GERMAN, path: source };
  const index = new TermIndex(new Map([['dragon', 'Drache']]));
  const caseOf = async (wrote?: TextCase['wrote']): Promise<TextCase> => ({
    job: {
      id: jobId('p', GERMAN, source),
      project: 'p',
      lane: 'text',
      source,
      language: GERMAN,
      targets: { file: `de/${file}` },
      fingerprint: fingerprint(hashBytes(content), recipe.key),
    },
    route,
    recipe,
    sourceLanguage: parseLanguage('en'),
    root,
    sourcePath,
    targetPath: `de/${file}`,
    memory: await memories.open('p', GERMAN),
    baseline: baselines.of(key, wrote),
    wrote,
    projectTerms: { terms: { index, version: 'v' } },
    instructions: {},
  });
  const threads = new ParserThreads({ heapMegabytes });
  onTestFinished(() => threads[Symbol.asyncDispose]());
  const drafts = new Drafts({ threads });
  return { root, drafts, baselines, memories, recipe, caseOf };
}

const CONFIG = `version: 1
service: { url: "http://127.0.0.1:9", key: { env: KEY } }
projects:
  p: { source: en, targets: [de], routes: [{ from: "{locale}/*.{json,xliff,md}" }] }
`;

async function textsOf(draft: Draft): Promise<OrderableText[]> {
  const texts: OrderableText[] = [];
  while (texts.length < draft.facts.texts) texts.push(...(await draft.texts(texts.length)));
  return texts;
}

const answered = (texts: readonly OrderableText[]): TextAnswer[] =>
  texts.map(({ parts }, n) =>
    n === 3
      ? { kind: 'refused', problem: 'not fit' }
      : { kind: 'translated', parts: [partsText(parts).replace('The', 'Der')] },
  );

/** Without `isSlow`, which only says how busy the machine is. */
const timelessFacts = ({ facts: { isSlow, ...facts } }: Draft) => facts;

test('a thread buys, composes and notes what this thread would', async () => {
  const { drafts, baselines, caseOf, root } = await shelf('app.json', resource(sentence));
  await using _drafts = drafts;
  const text = await caseOf();
  using reserved = await drafts.reserve(text, 'buy');
  using there = await reserved.open();
  using here = await openDraft(text);
  expect(timelessFacts(there)).toEqual(timelessFacts(here));
  expect(there.facts.texts).toBe(KEYS);
  expect(await there.texts(0)).toHaveLength(RECALL_PORTION);
  const texts = await textsOf(there);
  expect(texts).toEqual(await textsOf(here));
  expect(await there.sample(80)).toBe(await here.sample(80));
  for (const draft of [there, here]) await draft.answer(answered(texts));
  const [ours, theirs] = [await here.finish(AT), await there.finish(AT)];
  expect(theirs).toEqual({
    ...ours,
    content: { ...ours.content, bytes: new Uint8Array(ours.content?.bytes ?? []) },
  });
  expect(theirs.state).toMatchObject({ kind: 'held', hold: { kind: 'damaged-segments' } });
  expect(theirs.termsMissing).toHaveLength(1);

  const { bytes, hash } = theirs.content ?? { bytes: new Uint8Array(), hash: undefined };
  const key = { project: 'p', language: GERMAN, path: 'en/app.json' };
  await there.prepare();
  const noted = await baselines.copyOf(key);
  await here.prepare();
  expect(noted).toEqual(await baselines.copyOf(key));
  await writeFile(join(root, 'de', 'app.json'), bytes);
  using again = await (await drafts.reserve(await caseOf(hash), 'buy')).open();
  expect(again.facts).toMatchObject({ texts: 0, target: { hash } });
});

test('what the main thread is told of a draft takes at most five bytes for each of its texts', async () => {
  const { drafts, caseOf } = await shelf('app.json', resource(sentence));
  await using _drafts = drafts;
  using draft = await (await drafts.reserve(await caseOf(), 'buy')).open();
  expect(draft.facts.texts).toBe(KEYS);
  const { byteLength } = serialize(draft.facts);
  expect(byteLength).toBeLessThan(5 * KEYS + 2000);
});

test('texts of the target are recognised with the memory of the main thread', async () => {
  const { drafts, baselines, caseOf, root, memories, recipe } = await shelf(
    'app.json',
    resource(sentence),
  );
  await using _drafts = drafts;
  const memory = await memories.open('p', GERMAN);
  await memory.remember([
    { recipe: recipe.key, source: [sentence(7)], translation: ['Sieben'], request: 'r', at: AT },
  ]);
  await writeFile(
    join(root, 'de', 'app.json'),
    resource((n) => (n === 7 ? 'Sieben' : 'Alt')),
  );
  const text = await caseOf();
  using draft = await (await drafts.reserve(text, 'buy')).open();
  await draft.finish(AT);
  await draft.prepare();
  const stored = await baselines
    .of({ project: 'p', language: GERMAN, path: 'en/app.json' }, undefined)
    .read(draft.facts.target?.hash ?? null);
  expect(stored.get('key_7')?.origin).toBe('machine');
  expect(stored.get('key_8')?.origin).toBe('adopted');
});

test('git is not asked again about a file when another thread opens its draft', async () => {
  const { drafts, caseOf, root } = await shelf('app.json', resource(sentence));
  await using _drafts = drafts;
  const lock = lockFilesIn(join(root, 'dragoman.lock'));
  const stated: Statement = {
    ...{ unit: unitId('en/app.json', 'key_1'), source: sourceHash(sentence(1)) },
    ...{ target: targetHash('of the machine'), mark: 'machine' },
  };
  await lock.write({ project: 'p', language: GERMAN }, new Map([['en/app.json', [stated]]]));
  for (const words of ['of the machine', 'of a person', 'of somebody']) {
    await writeFile(
      join(root, 'de', 'app.json'),
      resource((n) => `${words} ${n}`),
    );
    commitAll(root, words);
  }
  const text = { ...(await caseOf()), lock };
  using asked = await notedGit();
  using reserved = await drafts.reserve(text, 'read');
  using first = await reserved.open();
  expect(await asked.asked(' log ')).toBe(1);
  await using others = new Drafts({ threads: new ParserThreads() });
  using second = await (await others.reserve(text, 'read')).open();
  using here = await openDraft(text);
  const [facts, ...same] = [first, second, here].map(timelessFacts);
  expect(same).toEqual([facts, facts]);
  expect(await asked.asked(' log ')).toBe(1);
});

test('drafts with the same terms are opened in any order, also when the first of them fails: a thread gets the terms before it needs them', async () => {
  const { drafts, caseOf } = await shelf('app.json', resource(sentence));
  await using _drafts = drafts;
  const text = await caseOf();
  const read = Promise.withResolvers<Uint8Array | undefined>();
  const stored = { ...text.baseline.stored, read: () => read.promise };
  const slow = { ...text, baseline: { ...text.baseline, stored } };
  using first = await drafts.reserve(slow, 'read');
  const opening = first.open();
  using second = await drafts.reserve(text, 'read');
  using draft = await second.open();
  expect(draft.facts.texts).toBe(KEYS);
  read.reject(new Error('the baseline cannot be read'));
  await expect(opening).rejects.toThrow('the baseline cannot be read');
  using third = await drafts.reserve(text, 'read');
  using again = await third.open();
  expect(again.facts.texts).toBe(KEYS);
});

test('a fault deep in a large file comes back with its line and column', async () => {
  const content = resource(sentence).replace('"key_2000":', '"key_2000"');
  const { drafts, caseOf, root } = await shelf('app.json', content);
  await using _drafts = drafts;
  using reserved = await drafts.reserve(await caseOf(), 'buy');
  const error = await reserved.open().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(JobFailure);
  expect((error as JobFailure).failure).toMatchObject({
    kind: 'malformed',
    where: { file: join(root, 'en', 'app.json'), line: 2002, column: 14 },
  });
});

test('a file that needs more memory than there is fails alone: the next one gets a thread of its own', async () => {
  const { drafts, caseOf, root } = await shelf('app.json', resource(sentence, 200_000), 32);
  await using _drafts = drafts;
  // The next large file waits until this one is closed.
  {
    using reserved = await drafts.reserve(await caseOf(), 'buy');
    await expect(reserved.open()).rejects.toMatchObject({
      failure: { kind: 'unsupported', what: expect.stringContaining('needs more memory') },
    });
  }
  await writeFile(join(root, 'en', 'app.json'), resource(sentence, 1500));
  using smaller = await (await drafts.reserve(await caseOf(), 'buy')).open();
  expect(smaller.facts.texts).toBe(1500);
});

test('ending ends the thread: what was asked of it is stopped, not lost', async () => {
  const { drafts, caseOf } = await shelf('app.json', resource(sentence));
  using reserved = await drafts.reserve(await caseOf(), 'buy');
  const opening = reserved.open().catch((error: unknown) => error);
  await drafts[Symbol.asyncDispose]();
  expect(await opening).toMatchObject({ failure: { kind: 'stopped' } });
});

test('an idle thread of a run that has ended reads what the next run opens', async () => {
  await using threads = new ParserThreads();
  const reader = () => {
    using lease = threads.lease({ bytes: 1000 });
    return lease.thread;
  };
  const first = reader();
  await new Drafts({ threads })[Symbol.asyncDispose]();
  expect(reader()).toBe(first);
});

test('a page that takes its parser too long fails by name, and other drafts of that thread are opened again', async () => {
  // The sound page, of 10 kB, has all the time that a busy machine needs. The busy one, of 240 kB, would take minutes: each of its
  // closing marks looks for an opening one among all marks before it. Nothing in it is nested.
  const threads = new ParserThreads({ limitFor: (bytes) => (bytes > 20_000 ? 1500 : 150_000) });
  await using drafts = new Drafts({ threads });
  const paragraphs = Array.from({ length: 300 }, (_, n) => `Paragraph *${n}* of the [page](/x).`);
  const sound = await shelf('sound.md', `${paragraphs.join('\n\n')}\n`);
  // Just below the most marks that a paragraph may have.
  const marks = Array.from({ length: 7 }, () => '*a_ '.repeat(9_900));
  const busy = await shelf('busy.md', marks.join('\n\n'));
  using reserved = await drafts.reserve(await sound.caseOf(), 'buy');
  using other = await drafts.reserve(await busy.caseOf(), 'buy');
  let opened = 0;
  const hung = Promise.withResolvers<void>();
  const first = Promise.withResolvers<void>();
  const done = reserved.use(async (draft) => {
    opened += 1;
    first.resolve();
    if (opened === 1) await hung.promise;
    return (await textsOf(draft)).length;
  });
  await first.promise;
  const error = await other.open().catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    failure: {
      kind: 'malformed',
      where: { file: join(busy.root, 'en', 'busy.md') },
      message: 'reading it took longer than 1.5 s',
    },
  });
  hung.resolve();
  expect(await done).toBe(300);
  expect(opened).toBe(2);
});

test('a page is read on a thread when it is a few kilobytes long already', async () => {
  const paragraphs = Array.from({ length: 300 }, (_, n) => `Paragraph *${n}* of the [page](/x).`);
  const { drafts, caseOf, root } = await shelf('page.md', `${paragraphs.join('\n\n')}\n`);
  await using _drafts = drafts;
  using draft = await (await drafts.reserve(await caseOf(), 'buy')).open();
  await draft.answer((await textsOf(draft)).map(({ parts }) => ({ kind: 'translated', parts })));
  const { content } = await draft.finish(AT);
  // Only what comes from another thread is not a Buffer.
  expect(Buffer.isBuffer(content?.bytes)).toBe(false);
  expect(content?.hash).toBe(hashBytes(await readFile(join(root, 'en', 'page.md'))));
});

test('a small file is opened while pages that fill the room of larger files are open', async () => {
  const large = await shelf('large.json', resource(sentence, 600));
  const small = await shelf('small.json', resource(sentence, 10));
  await using drafts = large.drafts;
  const text = await large.caseOf();
  const fitting = Math.floor(1024 ** 2 / Buffer.byteLength(resource(sentence, 600)));
  const open = await Promise.all(
    Array.from({ length: fitting }, () => drafts.reserve(text, 'buy')),
  );
  using reserved = await drafts.reserve(await small.caseOf(), 'buy');
  expect(reserved).toBeDefined();
  for (const each of open) each[Symbol.dispose]();
});

test('small files are opened up to a limit, and prices are answered at the same time', async () => {
  const content = resource(sentence, 600);
  const { drafts, caseOf } = await shelf('app.json', content);
  await using _drafts = drafts;
  const text = await caseOf();
  const fitting = Math.floor(1024 ** 2 / Buffer.byteLength(content));
  const reservations = await Promise.all(
    Array.from({ length: fitting }, () => drafts.reserve(text, 'buy')),
  );
  const order: string[] = [];
  const next = drafts.reserve(text, 'buy').then((reserved) => {
    order.push('opened');
    return reserved;
  });
  using _look = await drafts.reserve(text, 'read');
  order.push('released');
  for (const reserved of reservations) reserved[Symbol.dispose]();
  using _next = await next;
  expect(order).toEqual(['released', 'opened']);
});
