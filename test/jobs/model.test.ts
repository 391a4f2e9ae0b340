/**
 * After any changes of sources while their jobs run, reported in any order, every job is offered, and ends with the content of its
 * source.
 */
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Failure } from '../../src/failure.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { translated, WorkModel } from './work-model.ts';

/** More by hand: `DRAGOMAN_MODEL_RUNS=2000 npx vitest run test/jobs/model.test.ts`. */
const RUNS = Number(process.env['DRAGOMAN_MODEL_RUNS'] ?? 60);

const path = fc.constantFrom('en/a.json', 'en/b.json', 'en/c.json');
const content = fc.constantFrom('one', 'two', 'three').map((text) => json(text));

const operation = 'POST /v2/translate';
/** A job comes again after each of them: by itself, at a time, or when paid work goes on. */
const FAILURES: readonly Failure[] = [
  { kind: 'unreachable', operation, message: 'refused' },
  { kind: 'changed-meanwhile', file: 'en/a.json' },
  { kind: 'quota-exceeded', scope: 'account', operation },
];

type Act =
  | { readonly kind: 'write'; readonly path: string; readonly content: string }
  | { readonly kind: 'touch' | 'remove' | 'remove target'; readonly path: string }
  | { readonly kind: 'rename' | 'exchange'; readonly path: string; readonly other: string }
  | { readonly kind: 'tell'; readonly share: number }
  | { readonly kind: 'go on'; readonly which: number; readonly failure?: Failure }
  | { readonly kind: 'resume' }
  | { readonly kind: 'wait'; readonly ms: number };

/** `isWaited`: all that follows from it has happened before the next one. */
type Step = Act & { readonly isWaited: boolean };

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('write' as const), path, content }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('touch' as const, 'remove' as const, 'remove target' as const),
      path,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('rename' as const, 'exchange' as const),
      path,
      other: path,
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('tell' as const), share: fc.nat(2) }) },
  { weight: 9, arbitrary: fc.record({ kind: fc.constant('go on' as const), which: fc.nat(5) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('go on' as const),
      which: fc.nat(5),
      failure: fc.constantFrom(...FAILURES),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'resume' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(600, 20_000) }),
  },
);
const step: fc.Arbitrary<Step> = fc
  .tuple(act, fc.boolean())
  .map(([one, isWaited]) => ({ ...one, isWaited }));

function json(text: string): string {
  return `${JSON.stringify({ first: `Some ${text}`, second: 'The same' }, null, 2)}\n`;
}

async function take(model: WorkModel, step: Step): Promise<void> {
  switch (step.kind) {
    case 'write':
      await model.write(step.path, step.content);
      break;
    case 'touch':
      await model.touch(step.path);
      break;
    case 'remove':
      await model.remove(step.path);
      break;
    case 'remove target':
      await model.remove(step.path.replace('en/', 'de/'));
      break;
    case 'rename':
      await model.rename(step.path, step.other);
      break;
    case 'exchange':
      if (step.path !== step.other) await model.exchange(step.path, step.other);
      break;
    case 'tell':
      await model.tell(step.share);
      break;
    case 'go on':
      model.letOneGoOn(step.which, step.failure);
      break;
    case 'resume':
      model.resume();
      break;
    case 'wait':
      await model.clock.pass(step.ms);
      break;
  }
  if (step.isWaited) await model.quiet();
}

function texts(file: string): unknown {
  return JSON.parse(file);
}

function translationOf(file: string): unknown {
  const entries = Object.entries(JSON.parse(file) as Record<string, string>);
  return Object.fromEntries(entries.map(([key, text]) => [key, translated(text)]));
}

async function expectTranslated(model: WorkModel): Promise<void> {
  const sources = Object.entries(await model.files('en'));
  const targets = Object.entries(await model.files('de'));
  const jobs = [...model.ledger.all('jobs')].map(({ id, state }) => [id, state.kind]);
  expect(Object.fromEntries(jobs)).toEqual(
    Object.fromEntries(sources.map(([name]) => [`app/de/en/${name}`, 'done'])),
  );
  expect(Object.fromEntries(targets.map(([name, file]) => [name, texts(file)]))).toEqual(
    Object.fromEntries(sources.map(([name, file]) => [name, translationOf(file)])),
  );
  expect([model.offers.look(), model.offers.look()]).toEqual([[], []]);
}

test('a target that is removed before the watch has seen it is written again', async () => {
  await using model = await WorkModel.open(await temporaryFolder());
  await model.write('en/a.json', json('one'));
  await model.tell(0);
  for (const _gate of ['read', 'buy', 'publish']) {
    await model.quiet();
    model.letOneGoOn(0);
  }
  await model.quiet();
  expect(await model.files('de')).toHaveProperty(['a.json']);
  await model.remove('de/a.json');
  await model.settle();
  await expectTranslated(model);
});

test('a target that moved with its source and is removed before the watch has seen it is written again', async () => {
  await using model = await WorkModel.open(await temporaryFolder());
  await model.write('en/a.json', json('one'));
  await model.settle();
  await model.rename('en/a.json', 'en/b.json');
  await model.tell(0);
  await model.quiet();
  expect(await model.files('de')).toHaveProperty(['b.json']);
  await model.remove('de/b.json');
  await model.settle();
  await expectTranslated(model);
});

test.each([
  ['moves', 'en/b.json'],
  ['goes', undefined],
])(
  'a source that %s while its target is put in place leaves no target behind',
  async (_how, other) => {
    await using model = await WorkModel.open(await temporaryFolder());
    await model.write('en/a.json', json('one'));
    await model.tell(0);
    for (const _gate of ['read', 'buy']) {
      await model.quiet();
      model.letOneGoOn(0);
    }
    await model.quiet();
    if (other === undefined) await model.remove('en/a.json');
    else await model.rename('en/a.json', other);
    await model.tell(0);
    model.letOneGoOn(0);
    await model.tell(0);
    await model.settle();
    await expectTranslated(model);
  },
);

test('a job that was stopped goes on when paid work resumed before the ledger knew the stop', async () => {
  await using model = await WorkModel.open(await temporaryFolder());
  await model.write('en/a.json', json('one'));
  await model.tell(0);
  await model.goOnTo('buy');
  model.resumeAtStop();
  model.letOneGoOn(0, { kind: 'quota-exceeded', scope: 'account', operation });
  await model.settle();
  await expectTranslated(model);
});

test('whatever happens to sources while their jobs run, every one ends with its translation', async () => {
  const home = await temporaryFolder();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      await using model = await WorkModel.open(join(home, `${run++}`));
      for (const one of steps) await take(model, one);
      await model.settle();
      await expectTranslated(model);
    }),
    { numRuns: RUNS },
  );
}, 600_000);
