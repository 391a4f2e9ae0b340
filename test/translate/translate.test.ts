/** The translator with its till, on a real ledger, real memories and the sandbox over a real socket. */
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { Events } from '../../src/event.ts';
import { Semaphore } from '../../src/files/semaphore.ts';
import { partsText } from '../../src/format.ts';
import type { JobId } from '../../src/job.ts';
import type { LanguageTag } from '../../src/language.ts';
import { recipeFor } from '../../src/plan/recipe.ts';
import type { SimulatedFault } from '../../src/sandbox/faults.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import type { TextAnswer } from '../../src/segments/record-for.ts';
import { connect } from '../../src/service/client.ts';
import { openLedger } from '../../src/state/json-ledger.ts';
import { FolderMemories } from '../../src/state/memories/folder.ts';
import { LedgerTill } from '../../src/state/tills/ledger-till.ts';
import type { JobText } from '../../src/translate/order.ts';
import { acceptsAt, purchaseAt } from '../../src/translate/purchase.ts';
import { type Participant, Translator } from '../../src/translate/translate.ts';
import { projectOf } from '../projects.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const TRANSLATE = 'POST /v2/translate';

async function shop(
  options: {
    faults?: SimulatedFault[];
    mayGrow?: (joined: number) => boolean;
    partialMs?: number;
  } = {},
) {
  const folder = await temporaryFolder();
  const sandbox = await startSandbox({ faults: options.faults ?? [] });
  const clock = systemClock;
  const ledger = await openLedger({ folder, clock });
  const memories = new FolderMemories({ folder: `${folder}/memory` });
  const service = connect({ url: sandbox.url, key: sandbox.key, random: () => 0 });
  onTestFinished(async () => {
    await service[Symbol.asyncDispose]();
    await memories[Symbol.asyncDispose]();
    await ledger[Symbol.asyncDispose]();
    await sandbox[Symbol.asyncDispose]();
  });
  const events = new Events();
  const till = new LedgerTill({ ledger, memories });
  const sources = {
    reserveSpace: async () => ({ [Symbol.dispose]: () => {} }),
    service,
    ledger,
    till,
    clock,
    events,
    remoteIds: async () => ({}),
    doubt: async () => {},
    booked: () => {},
    semaphore: new Semaphore(8),
    stopWaiting: new AbortController().signal,
  };
  const paid = { purchase: purchaseAt(sources), accepts: acceptsAt(sources) };
  const translator = new Translator({ clock, memories, ...paid, ...options });
  return { translator, ledger, memories, till, sandbox };
}

function wanted(text: string, job = 'app/de/en/a.json', code = 'de'): JobText {
  return {
    job: job as JobId,
    project: 'app',
    lane: 'text',
    recipe: recipeFor(projectOf(), code as LanguageTag),
    parts: [text],
    syntax: 'generic',
  };
}

const numberIn = (answer: TextAnswer) =>
  answer.kind === 'translated' ? Number(/\d+/.exec(partsText(answer.parts))) : undefined;
const kinds = (answers: readonly TextAnswer[]) => answers.map(({ kind }) => kind);
const calls = ({ sandbox }: Awaited<ReturnType<typeof shop>>) =>
  sandbox.counters().operations[TRANSLATE]?.calls ?? 0;

test('texts of several jobs share a request, and each job is booked its share to the character', async () => {
  const open = await shop();
  using first = open.translator.join();
  using second = open.translator.join();
  const ask = (participant: Participant, job: string, texts: string[]) =>
    participant.translate(texts.map((text) => wanted(text, job)));
  await Promise.all([ask(first, 'one', ['Hello', 'Bye']), ask(second, 'two', ['Thanks'])]);
  expect(calls(open)).toBe(1);
  const charges = [...open.ledger.all('charges')].map(({ job, characters }) => [job, characters]);
  expect(charges).toEqual([
    ['one', 8],
    ['two', 6],
  ]);
  expect(open.ledger.size('requests')).toBe(0);
});

test('10,000 texts of a large file are taken and sent at a time, in as few requests as possible, and each gets its own answer', async () => {
  const open = await shop();
  const texts = Array.from(
    { length: 15_000 },
    (_, n) => `Text ${n}${n % 7 === 0 ? ' {name}' : ''}`,
  );
  let [asked, most, requests] = [0, 0, 0];
  const full = Promise.withResolvers<void>();
  const translator = new Translator({
    clock: systemClock,
    memories: open.memories,
    async purchase(_kind, orders) {
      requests += 1;
      asked += orders.length;
      most = Math.max(most, asked);
      // Nothing is answered before so many are asked for: 5,000 of each form wait for a full request.
      if (asked >= 9900) full.resolve();
      await full.promise;
      asked -= orders.length;
      return orders.map((order) => ({
        order,
        outcome: { kind: 'fit', parts: order.wanted.parts } as const,
      }));
    },
  });
  using participant = translator.join();
  const one = wanted('');
  let [taken, answered, ahead] = [0, 0, 0];
  async function* portions() {
    for (; taken < texts.length; taken += 500) {
      ahead = Math.max(ahead, taken - answered);
      yield texts.slice(taken, taken + 500).map((text) => ({ ...one, parts: [text] }));
    }
  }
  const numbers: (number | undefined)[] = [];
  for await (const answers of participant.translateInPortions(portions())) {
    numbers.push(...answers.map(numberIn));
    answered += answers.length;
  }
  expect(numbers).toEqual(texts.map((_, n) => n));
  expect(ahead).toBeLessThanOrEqual(10_000);
  expect(most).toBeLessThanOrEqual(10_000);
  expect(requests).toBeLessThanOrEqual(15_000 / 50 + 4);
});

test('a text that two jobs want at once is bought once, and its first claimant pays', async () => {
  const open = await shop();
  using first = open.translator.join();
  using second = open.translator.join();
  const [one, two] = await Promise.all([
    first.translate([wanted('Hello', 'one')]),
    second.translate([wanted('Hello', 'two')]),
  ]);
  expect(one).toEqual(two);
  expect(open.sandbox.counters().billed_characters).toBe(5);
  expect([...open.ledger.all('charges')].map(({ job }) => job)).toEqual(['one']);
});

test('one text that the service rejects does not fail the others of its request', async () => {
  const open = await shop({
    faults: [{ kind: 'status', status: 400, matches: '^poison$', times: 'always' }],
  });
  const texts = ['Hello', 'Bye', 'poison', 'Thanks', 'Sorry', 'Please'];
  const answers = await Promise.allSettled(
    texts.map(async (text) => {
      using participant = open.translator.join();
      return await participant.translate([wanted(text, text)]);
    }),
  );
  expect(answers.map(({ status }) => status)).toEqual(
    texts.map((text) => (text === 'poison' ? 'rejected' : 'fulfilled')),
  );
  expect(open.sandbox.counters().asked_twice).toEqual([]);
});

test.each([
  { at: [0, 49], form: 'plain' },
  { at: [24, 25], form: 'plain' },
  { at: [0, 49], form: 'xml' },
])(
  'texts $at of 50 ($form) that the service rejects do not fail the others',
  async ({ at, form }) => {
    const open = await shop({
      faults: [{ kind: 'status', status: 400, matches: 'poison', times: 'always' }],
    });
    using participant = open.translator.join();
    const answers = await Promise.allSettled(
      Array.from({ length: 50 }, async (_, n) => {
        const text = wanted(`${at.includes(n) ? 'poison' : 'Text'} ${n}`);
        const parts = form === 'xml' ? [...text.parts, { raw: '{name}' }] : text.parts;
        return await participant.translate([{ ...text, parts }]);
      }),
    );
    const refused = answers.flatMap(({ status }, n) => (status === 'rejected' ? [n] : []));
    expect(refused).toEqual(at);
    expect(open.sandbox.counters().asked_twice).toEqual([]);
    expect(open.ledger.size('requests')).toBe(0);
  },
);

test('a rule that the service rejects as a whole costs two probes, not a request per text', async () => {
  const open = await shop({ faults: [{ kind: 'status', status: 400, times: 'always' }] });
  using participant = open.translator.join();
  const texts = Array.from({ length: 40 }, (_, n) => wanted(`Text ${n}`));
  await expect(participant.translate(texts)).rejects.toThrow('rejected');
  expect(calls(open)).toBe(3);
  expect(open.ledger.size('requests')).toBe(0);
});

test('a service that takes the settings, but no text, is asked about 500 texts fewer than 150 times', async () => {
  const open = await shop({
    faults: [{ kind: 'status', status: 400, matches: 'Text', times: 'always' }],
  });
  using participant = open.translator.join();
  const texts = Array.from({ length: 500 }, (_, n) => wanted(`Text ${n}`));
  await expect(participant.translate(texts)).rejects.toThrow('rejected');
  await open.translator.stop();
  expect(calls(open)).toBeLessThan(150);
  expect(open.ledger.size('requests')).toBe(0);
});

test('a request that is too large for the service is halved until it fits', async () => {
  const open = await shop({ faults: [{ kind: 'status', status: 413, times: 1 }] });
  using participant = open.translator.join();
  const answers = await participant.translate(
    ['Hello', 'Bye', 'Thanks'].map((text) => wanted(text)),
  );
  expect(kinds(answers)).toEqual(['translated', 'translated', 'translated']);
  expect(calls(open)).toBe(3);
});

test('an answer that is lost on the way is asked for once more, and booked as possibly billed twice', async () => {
  const open = await shop({ faults: [{ kind: 'no_answer', times: 1 }] });
  using participant = open.translator.join();
  expect(kinds(await participant.translate([wanted('Hello')]))).toEqual(['translated']);
  const charges = [...open.ledger.all('charges')].map(({ kind, characters }) => [kind, characters]);
  expect(charges).toEqual([
    ['possibly-twice', 5],
    ['billed', 5],
  ]);
});

test('each of two answers that are lost is booked, so that the books cover what was billed', async () => {
  const open = await shop({ faults: [{ kind: 'no_answer', times: 2 }] });
  using participant = open.translator.join();
  await expect(participant.translate([wanted('Hello')])).rejects.toThrow('no answer');
  const charges = [...open.ledger.all('charges')].map(({ kind, characters }) => [kind, characters]);
  expect(charges).toEqual([
    ['possibly-twice', 5],
    ['possibly-twice', 5],
  ]);
  expect([...open.ledger.all('requests')]).toEqual([]);
});

test('an empty translation is tried again alone, then refused', async () => {
  const open = await shop({ faults: [{ kind: 'empty', matches: '^Hello$', times: 'always' }] });
  using participant = open.translator.join();
  const answers = await participant.translate([wanted('Hello'), wanted('Bye')]);
  expect(kinds(answers)).toEqual(['refused', 'translated']);
});

const short = (text: string, job: string): JobText => ({
  ...wanted(text, job),
  check: (parts) => (partsText(parts).length > 3 ? 'longer than 3 characters' : undefined),
});

test.each([
  ['first', [short('Hello', 'a'), wanted('Hello', 'b')]],
  ['second', [wanted('Hello', 'b'), short('Hello', 'a')]],
])(
  'a translation that is too long for the %s of two equal texts goes to the other one, and is bought once for it',
  async (_, texts) => {
    const open = await shop();
    using participant = open.translator.join();
    const answers = await participant.translate(texts);
    const held = texts.findIndex(({ check }) => check !== undefined);
    expect(answers[held]).toMatchObject({ kind: 'refused', problem: 'longer than 3 characters' });
    expect(answers[1 - held]?.kind).toBe('translated');
    // The short text was tried again alone.
    expect(calls(open)).toBe(2);
  },
);

test('a translation that was too long for its text is remembered for an equal one that comes later', async () => {
  const open = await shop();
  using participant = open.translator.join();
  expect(kinds(await participant.translate([short('Hello', 'a')]))).toEqual(['refused']);
  const before = calls(open);
  expect(kinds(await participant.translate([wanted('Hello', 'b')]))).toEqual(['translated']);
  expect(calls(open)).toBe(before);
});

test('a language that the service keeps waiting does not delay the others when no more texts can join', async () => {
  const open = await shop({
    faults: [{ kind: 'slow_headers', ms: 3000, target_lang: 'fr', times: 1 }],
    mayGrow: () => false,
  });
  using french = open.translator.join();
  const slow = french.translate([wanted('Hello', 'fr', 'fr')]);
  using german = open.translator.join();
  const first = await Promise.race([
    slow.then(() => 'fr'),
    german.translate([wanted('Hello', 'de')]).then(() => 'de'),
  ]);
  expect(first).toBe('de');
  await slow;
});

test('a job that reads its file for long does not keep the texts of others waiting', async () => {
  const open = await shop({ partialMs: 50 });
  using _reading = open.translator.join();
  using participant = open.translator.join();
  expect(kinds(await participant.translate([wanted('Hello')]))).toEqual(['translated']);
  expect(kinds(await participant.translate([wanted('Bye')]))).toEqual(['translated']);
});

test('texts that were not sent when the work stops are refused as stopped, and cost nothing', async () => {
  const open = await shop();
  using _busy = open.translator.join();
  using participant = open.translator.join();
  const waiting = participant.translate([wanted('Hello')]);
  const stopped = expect(waiting).rejects.toThrow('stopped');
  await open.translator.stop();
  await stopped;
  expect(calls(open)).toBe(0);
});

test('a request that was open at a crash is booked as billed when the memory holds its answer, and as possibly billed if not', async () => {
  const open = await shop();
  const language = 'de' as LanguageTag;
  const request = {
    project: 'app',
    language,
    lane: 'text',
    jobs: ['app/de/en/a.json' as JobId],
    characters: 5,
    at: '2026-01-01T00:00:00.000Z',
  } as const;
  await open.ledger.commit([
    { table: 'requests', put: { id: 'answered', ...request } },
    { table: 'requests', put: { id: 'lost', ...request } },
  ]);
  const memory = await open.memories.open('app', language);
  const { key } = recipeFor(projectOf(), language);
  const { at } = request;
  await memory.remember([
    { recipe: key, source: ['Hello'], translation: ['Hallo'], request: 'answered', at },
  ]);
  await open.till.recover();
  const charges = [...open.ledger.all('charges')].map(({ id, kind }) => [id, kind]);
  expect(charges).toEqual([
    ['answered recovered', 'billed'],
    ['lost recovered', 'possibly-twice'],
  ]);
  expect(open.ledger.size('requests')).toBe(0);
});
