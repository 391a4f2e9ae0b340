/** The three-way merge, row by row, and its laws over random histories of a file. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SegmentRecord } from '../../src/baseline.ts';
import { type Part, partsText } from '../../src/format.ts';
import type { Decision, MergePolicy, WantedSegment } from '../../src/segments/decision.ts';
import { type Merge, merge } from '../../src/segments/merge.ts';
import { describeOutOfDate, outOfDate } from '../../src/segments/out-of-date.ts';
import { resolve } from '../../src/segments/record.ts';
import { recordFor, type TextAnswer } from '../../src/segments/record-for.ts';
import {
  NO_TARGET,
  sourceHash,
  statementsOf,
  targetHash,
  unitId,
} from '../../src/segments/statements.ts';

const POLICIES: MergePolicy['policies'] = {
  existing: 'adopt',
  humanEdits: 'conflict',
  deletedSource: 'trash',
};

type Texts = Readonly<Record<string, string>>;

function wantedOf(source: Texts): WantedSegment[] {
  return Object.entries(source).map(([id, text]) => ({
    id,
    source: [text],
    treatment: 'translate',
  }));
}

const foundOf = (target: Texts) =>
  new Map(Object.entries(target).map(([id, text]): [string, Part[]] => [id, [text]]));

const baseOf = (...records: SegmentRecord[]) =>
  new Map(records.map((record) => [record.id, record]));

const ours = (id: string, source: string, more: Partial<SegmentRecord> = {}): SegmentRecord => ({
  id,
  source,
  target: [`de:${source}`],
  origin: 'machine',
  state: 'ok',
  ...more,
});

interface World {
  readonly source: Texts;
  readonly target?: Texts;
  readonly base?: ReadonlyMap<string, SegmentRecord>;
  readonly rules?: Partial<MergePolicy>;
}

const mergeOf = ({ source, target = {}, base = new Map(), rules = {} }: World): Merge =>
  merge({
    wanted: wantedOf(source),
    found: foundOf(target),
    base,
    policy: { policies: POLICIES, ...rules },
  });

const first = (world: World): Decision => {
  const [decision] = mergeOf(world).decisions;
  if (decision === undefined) throw new Error('nothing is wanted');
  return decision;
};

test('a new segment is bought', () => {
  expect(first({ source: { a: 'Hi' } })).toMatchObject({
    kind: 'buy',
    reason: 'new',
    current: null,
  });
});

test('a translation that exists at first contact is adopted, also one that equals its source', () => {
  const decision = first({ source: { a: 'Hi' }, target: { a: 'Hi' } });
  expect(decision).toMatchObject({ kind: 'adopt', record: { origin: 'adopted', state: 'ok' } });
});

test('an empty value is no translation', () => {
  expect(first({ source: { a: 'Hi' }, target: { a: '' } })).toMatchObject({ reason: 'new' });
});

test.each<[string, Partial<SegmentRecord> | undefined, string]>([
  ['that nobody filled is bought', undefined, 'buy'],
  ['that was held is still held', { target: null, state: 'held' }, 'hold'],
  ['that we filled and a person emptied is an edit', {}, 'keep'],
  ['that a person emptied before stays', { target: [], origin: 'human' }, 'keep'],
])('an empty value of a keyed file %s', (_, record, kind) => {
  const base = record === undefined ? baseOf() : baseOf(ours('a', 'Hi', record));
  const { decisions } = merge({
    wanted: wantedOf({ a: 'Hi' }),
    found: foundOf({ a: '' }),
    vacant: new Set(['a']),
    base,
    policy: { policies: POLICIES },
  });
  expect(decisions).toMatchObject([{ kind }]);
});

test('white space of a keyed file is a text, and nothing is asked where the source has no words', () => {
  const { decisions } = merge({
    wanted: [
      ...wantedOf({ a: 'Hi' }),
      { id: 'b', source: [','], treatment: 'copy' },
      { id: 'c', source: ['Brand'], treatment: 'copy', isLocked: true },
    ],
    found: foundOf({ a: ' ', b: '', c: '' }),
    vacant: new Set(['b', 'c']),
    base: new Map(),
    policy: { policies: POLICIES },
  });
  expect(decisions).toMatchObject([{ kind: 'adopt' }, { kind: 'adopt' }, { kind: 'copy' }]);
});

test('existing: overwrite buys at first contact, but not what the memory knows as ours', () => {
  const policies = { ...POLICIES, existing: 'overwrite' as const };
  const world = { source: { a: 'Hi' }, target: { a: 'Hallo' } };
  expect(first({ ...world, rules: { policies } })).toMatchObject({
    kind: 'buy',
    current: { parts: ['Hallo'], origin: 'adopted' },
  });
  const remembered = () => ['Hallo'];
  expect(first({ ...world, rules: { policies, remembered } })).toMatchObject({
    kind: 'adopt',
    record: { origin: 'machine' },
  });
});

test('an unchanged segment is kept, and one missing from the target restored', () => {
  const base = baseOf(ours('a', 'Hi'), ours('b', 'Ho'));
  const { decisions } = mergeOf({ source: { a: 'Hi', b: 'Ho' }, target: { a: 'de:Hi' }, base });
  expect(decisions).toMatchObject([
    { kind: 'keep', record: { origin: 'machine' } },
    { kind: 'restore', record: { target: ['de:Ho'] } },
  ]);
});

test('a human edit is kept and remembered as human', () => {
  const decision = first({
    source: { a: 'Hi' },
    target: { a: 'Servus' },
    base: baseOf(ours('a', 'Hi')),
  });
  expect(decision).toMatchObject({
    kind: 'keep',
    record: { origin: 'human', target: ['Servus'], state: 'ok' },
  });
});

test.each(['machine', 'adopted'] as const)('a changed source re-buys %s text', (origin) => {
  const base = baseOf(ours('a', 'Hi', { origin }));
  expect(first({ source: { a: 'Hello' }, target: { a: 'de:Hi' }, base })).toMatchObject({
    kind: 'buy',
    reason: 'changed',
    current: { parts: ['de:Hi'], origin },
  });
});

const edited = {
  source: { a: 'Hello' },
  target: { a: 'Servus' },
  base: baseOf(ours('a', 'Hi')),
} satisfies World;

test('a human edit whose source changes is a conflict that buys the machine text once', () => {
  const decision = first(edited);
  expect(decision).toMatchObject({
    kind: 'conflict',
    buys: true,
    record: { source: 'Hello', previousSource: 'Hi', target: ['Servus'], origin: 'human' },
  });
  const record = recordFor(decision, { kind: 'translated', parts: ['Hallo'] }, 'keyed');
  expect(record).toMatchObject({ state: 'conflict', machine: ['Hallo'], target: ['Servus'] });
  const again = first({ ...edited, base: baseOf(record as SegmentRecord) });
  expect(again).toMatchObject({ kind: 'conflict', buys: false, record });
});

test('a machine text that is the same as the person\u2019s settles their conflict', () => {
  const record = recordFor(first(edited), { kind: 'translated', parts: ['Servus'] }, 'keyed');
  expect(record).toMatchObject({
    state: 'ok',
    origin: 'human',
    source: 'Hello',
    target: ['Servus'],
  });
});

test('human_edits: keep marks the text as stale, overwrite buys', () => {
  const withPolicy = (humanEdits: 'keep' | 'overwrite') =>
    first({ ...edited, rules: { policies: { ...POLICIES, humanEdits } } });
  expect(withPolicy('keep')).toMatchObject({ kind: 'keep', record: { state: 'stale' } });
  expect(withPolicy('overwrite')).toMatchObject({
    kind: 'buy',
    current: { parts: ['Servus'], origin: 'human' },
  });
});

const open = ours('a', 'Hello', {
  target: ['Servus'],
  origin: 'human',
  state: 'conflict',
  previousSource: 'Hi',
  machine: ['Hallo'],
});

test('a conflict ends when its source changes back, or a person edits the text again', () => {
  const base = baseOf(open);
  expect(first({ source: { a: 'Hi' }, target: { a: 'Servus' }, base })).toMatchObject({
    kind: 'keep',
    record: { state: 'ok', origin: 'human' },
  });
  expect(first({ source: { a: 'Hello' }, target: { a: 'Grüß Gott' }, base })).toMatchObject({
    kind: 'keep',
    record: { state: 'ok', origin: 'human', target: ['Grüß Gott'] },
  });
  expect(first({ source: { a: 'Hello' }, target: { a: 'Hallo' }, base })).toMatchObject({
    kind: 'keep',
    record: { state: 'ok', origin: 'machine' },
  });
});

test('a conflict is resolved for the person, the machine, or a third text', () => {
  expect(resolve(open, 'human')).toMatchObject({
    target: ['Servus'],
    origin: 'human',
    state: 'ok',
  });
  expect(resolve(open, 'machine')).toMatchObject({ target: ['Hallo'], origin: 'machine' });
  expect(resolve(open, { parts: ['Hey'] })).toMatchObject({ target: ['Hey'], origin: 'human' });
  const { machine: _, ...unbought } = open;
  expect(resolve(unbought, 'machine')).toBeUndefined();
});

test('a resolution reaches the target in the next merge', () => {
  const world = { source: { a: 'Hello' }, target: { a: 'Servus' }, base: baseOf(open) };
  expect(first({ ...world, rules: { resolution: () => 'machine' } })).toMatchObject({
    kind: 'restore',
    record: { target: ['Hallo'], origin: 'machine', state: 'ok' },
  });
});

test('a renamed key takes its text along, a human one too, and bills nothing', () => {
  const base = baseOf(ours('old', 'Hi'));
  const { decisions, removed } = mergeOf({
    source: { new: 'Hi' },
    target: { old: 'Servus' },
    base,
  });
  expect(decisions).toMatchObject([
    { kind: 'move', from: 'old', record: { id: 'new', target: ['Servus'], origin: 'human' } },
  ]);
  expect(removed).toMatchObject([{ id: 'old', movedTo: 'new' }]);
});

test('texts that occur in several renamed groups move with the other texts of their group', () => {
  const sources = { 'a.ok': 'OK', 'a.title': 'One', 'b.ok': 'OK', 'b.title': 'Two' };
  const { decisions, removed } = mergeOf({
    source: { 'new.ok': 'OK', 'c.ok': 'OK', 'c.title': 'Two', 'd.title': 'One', 'd.ok': 'OK' },
    target: { 'a.ok': 'In Ordnung', 'a.title': 'Eins', 'b.ok': 'Gut', 'b.title': 'Zwei' },
    base: baseOf(...Object.entries(sources).map(([id, source]) => ours(id, source))),
  });
  const moves = decisions.map((decision) => [decision.id, 'from' in decision && decision.from]);
  expect(Object.fromEntries(moves)).toEqual({
    'new.ok': false,
    'c.ok': 'b.ok',
    'c.title': 'b.title',
    'd.title': 'a.title',
    'd.ok': 'a.ok',
  });
  expect(removed).toHaveLength(4);
});

const SIMILAR = { source: 'Copy files to your computer', now: 'Copy files to your computers' };

test("a person's text moves to a new key with a similar text, as if that text had been edited in its place", () => {
  const { source, now } = SIMILAR;
  const world = {
    source: { other: 'Something else', new: now },
    target: { old: 'Von Jana' },
    base: baseOf(ours('old', source)),
  };
  const { decisions, removed } = mergeOf(world);
  expect(decisions).toMatchObject([
    { kind: 'buy', id: 'other' },
    { kind: 'conflict', id: 'new', record: { target: ['Von Jana'], previousSource: source } },
  ]);
  expect(removed).toMatchObject([{ id: 'old', movedTo: 'new' }]);
  const keep = { policies: { ...POLICIES, humanEdits: 'keep' as const } };
  expect(mergeOf({ ...world, rules: keep }).decisions).toMatchObject([
    { kind: 'buy' },
    { kind: 'move', from: 'old', record: { id: 'new', target: ['Von Jana'], state: 'stale' } },
  ]);
});

test('no other text moves to a key with a similar text: of the machine, with too few letters in common, or where the format keeps it', () => {
  const { source, now } = SIMILAR;
  const machine = { source: { new: now }, target: {}, base: baseOf(ours('old', source)) };
  const other = {
    source: { new: 'Delete folder' },
    target: { old: 'Von Jana' },
    base: baseOf(ours('old', 'Delete file')),
  };
  const kept = {
    source: { new: now },
    target: { old: 'Von Jana' },
    base: baseOf(ours('old', source)),
    rules: { keepsEdited: true },
  };
  for (const world of [machine, other, kept]) {
    const { decisions, removed } = mergeOf(world);
    expect(decisions).toMatchObject([{ kind: 'buy', reason: 'new', current: null }]);
    expect(removed[0]).not.toHaveProperty('movedTo');
  }
});

test('a new checkout holds a text without words that the lock calls held, and adds none that the lock calls absent', () => {
  const said = (mark: 'held' | 'human') => ({
    ...{ unit: unitId('a.html'), source: sourceHash('1.2'), target: NO_TARGET, mark },
  });
  const decisionFor = (mark: 'held' | 'human') =>
    merge({
      wanted: [{ id: 'a', source: ['1.2'], treatment: 'copy' }],
      ...{ found: new Map(), base: new Map() },
      policy: { policies: POLICIES, statements: () => [said(mark)] },
    }).decisions[0];
  expect(decisionFor('held')).toMatchObject({ kind: 'hold', record: { state: 'held' } });
  expect(decisionFor('human')).toMatchObject({ kind: 'keep', record: { target: null } });
});

test('a deleted key leaves the target, and stays with deleted_source: keep', () => {
  const world = { source: {}, target: { a: 'Servus' }, base: baseOf(ours('a', 'Hi')) };
  expect(mergeOf(world)).toMatchObject({
    removed: [{ id: 'a', origin: 'human', target: ['Servus'] }],
    kept: [],
  });
  const policies = { ...POLICIES, deletedSource: 'keep' as const };
  expect(mergeOf({ ...world, rules: { policies } })).toMatchObject({ removed: [], kept: ['a'] });
});

test('a key that only the target has is kept', () => {
  expect(mergeOf({ source: {}, target: { mine: 'x' } })).toMatchObject({
    removed: [],
    kept: ['mine'],
  });
});

test('a changed recipe re-buys machine text only', () => {
  const base = baseOf(ours('a', 'Hi'), ours('b', 'Ho', { origin: 'adopted' }), ours('c', 'Hu'));
  const target = { a: 'de:Hi', b: 'de:Ho', c: 'meins' };
  const rules = { changedInputs: () => ['notes'] as const };
  const { decisions } = mergeOf({ source: { a: 'Hi', b: 'Ho', c: 'Hu' }, target, base, rules });
  expect(decisions.map(({ kind }) => kind)).toEqual(['buy', 'keep', 'keep']);
  expect(decisions.map(outOfDate)).toEqual([['notes'], [], []]);
});

test('a text is out of date by its source, by inputs of its translation, or perhaps', () => {
  const base = baseOf(ours('a', 'Hi'));
  const target = { a: 'de:Hi' };
  const why = (world: World) => describeOutOfDate(outOfDate(first(world)));
  expect(why({ source: { a: 'Ho' }, target, base })).toBe(
    'its source changed since it was translated',
  );
  const rules = { changedInputs: () => ['glossary', 'notes'] as const };
  expect(why({ source: { a: 'Hi' }, target, base, rules })).toBe(
    'a glossary term in it and its note changed since it was translated',
  );
  const edited = first({ source: { a: 'Ho' }, target: { a: 'meins' }, base });
  expect(outOfDate(edited)).toEqual(['source']);
  expect(outOfDate({ ...edited, isUnknown: true } as Decision)).toEqual(['unknown']);
});

test('a held segment is bought again only when a person asks or its source changes', () => {
  const base = baseOf(ours('a', 'Hi', { target: null, state: 'held', problem: '{x} is missing' }));
  expect(first({ source: { a: 'Hi' }, base }).kind).toBe('hold');
  expect(first({ source: { a: 'Hi' }, base, rules: { retryHeld: true } })).toMatchObject({
    kind: 'buy',
    reason: 'held',
  });
  expect(first({ source: { a: 'Ho' }, base })).toMatchObject({ kind: 'buy', reason: 'changed' });
  expect(first({ source: { a: 'Hi' }, target: { a: 'Hallo' }, base })).toMatchObject({
    kind: 'keep',
    record: { origin: 'human', state: 'ok' },
  });
});

test('a text that awaits approval is bought when a person approves, also where the lock calls it held', () => {
  const held = { target: null, state: 'held', awaits: 'approval' } as const;
  const base = baseOf(ours('a', 'Hi', held));
  const stated = {
    unit: unitId('a.html'),
    source: sourceHash('Hi'),
    target: NO_TARGET,
    mark: 'held',
  } as const;
  for (const lock of [{}, { statements: () => [stated] }]) {
    expect(first({ source: { a: 'Hi' }, base, rules: lock }).kind).toBe('hold');
    const approved = first({ source: { a: 'Hi' }, base, rules: { ...lock, approved: true } });
    expect(approved).toMatchObject({ kind: 'buy', reason: 'held' });
  }
});

test('a text that its target could not take is tried again, also where the lock of an earlier version calls it held', () => {
  const held = { target: null, state: 'held', awaits: 'target' } as const;
  const base = baseOf(ours('a', 'Hi', held));
  const stated = {
    unit: unitId('a.json', 'a'),
    source: sourceHash('Hi'),
    target: NO_TARGET,
    mark: 'held',
  } as const;
  for (const lock of [{}, { statements: () => [] }, { statements: () => [stated] }]) {
    expect(first({ source: { a: 'Hi' }, base, rules: lock })).toMatchObject({ kind: 'buy' });
  }
  expect(statementsOf(ours('a', 'Hi', held))).toEqual([]);
});

test('a text that was put back to what the machine wrote for an earlier source makes room beside a lock that has only the present one', () => {
  const record = ours('a', 'Hi 2', { former: [targetHash('de:Hi 1')] });
  const present = {
    unit: unitId('a.json', 'a'),
    source: sourceHash('Hi 2'),
    target: targetHash('de:Hi 2'),
    mark: 'machine',
  } as const;
  const put = { source: { a: 'Hi 2' }, target: { a: 'de:Hi 1' }, base: baseOf(record) };
  const rules = { statements: () => [present] };
  expect(first({ ...put, rules })).toMatchObject({ kind: 'restore', record });
  expect(first({ ...put, target: { a: 'Hallo' }, rules })).toMatchObject({
    kind: 'keep',
    record: { origin: 'human' },
  });
});

test('a refused answer leaves the key out, keeps the old text, or copies the source by shape', () => {
  const refused: TextAnswer = { kind: 'refused', problem: '{x} is missing' };
  const fresh = first({ source: { a: 'Hi' } });
  expect(recordFor(fresh, refused, 'keyed')).toMatchObject({ state: 'held', target: null });
  expect(recordFor(fresh, refused, 'sequence')).toMatchObject({
    state: 'held',
    target: ['Hi'],
  });
  const base = baseOf(ours('a', 'Ha'));
  const changed = first({ source: { a: 'Hi' }, target: { a: 'de:Ha' }, base });
  expect(recordFor(changed, refused, 'keyed')).toMatchObject({
    state: 'held',
    target: ['de:Ha'],
  });
});

test('a locked key is copied, also when it was translated before, and bought once it is unlocked', () => {
  const lock = (treatment: 'copy' | 'translate', target: string, record?: SegmentRecord) =>
    merge({
      wanted: [{ id: 'a', source: ['Acme'], treatment }],
      found: foundOf({ a: target }),
      base: record === undefined ? new Map() : baseOf(record),
      policy: { policies: POLICIES },
    }).decisions[0];
  const locked = lock('copy', 'de:Acme', ours('a', 'Acme'));
  expect(locked).toMatchObject({ kind: 'copy', record: { target: ['Acme'], origin: 'copied' } });
  const record = (locked as { record: SegmentRecord }).record;
  expect(lock('copy', 'Acme', record)).toMatchObject({ kind: 'keep' });
  expect(lock('translate', 'Acme', record)).toMatchObject({ kind: 'buy', reason: 'new' });
});

test('a target that was written just before a crash is recognised by the memory', () => {
  const rules = { remembered: () => ['de:Hello'] };
  const base = baseOf(ours('a', 'Hi'));
  expect(first({ source: { a: 'Hello' }, target: { a: 'de:Hello' }, base, rules })).toMatchObject({
    kind: 'keep',
    record: { origin: 'machine', source: 'Hello' },
  });
});

// Random histories: authors and translators work on a file while runs come in between.

const KEYS = ['a', 'b', 'c', 'd'] as const;
const key = fc.constantFrom(...KEYS);
const step = fc.oneof(
  fc.record({ do: fc.constant('write' as const), key, text: fc.constantFrom('Hi', 'Ho', 'Hu') }),
  fc.record({ do: fc.constant('delete' as const), key }),
  fc.record({ do: fc.constant('rename' as const), key, to: key }),
  fc.record({ do: fc.constant('edit' as const), key }),
  fc.record({ do: fc.constant('clear' as const), key }),
  fc.record({ do: fc.constant('lose target' as const) }),
  fc.record({ do: fc.constant('run' as const), broken: fc.constantFrom('', '', 'Hu') }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

class History {
  readonly source = new Map<string, string>();
  readonly target = new Map<string, string>();
  readonly bought: string[] = [];
  base: ReadonlyMap<string, SegmentRecord> = new Map();
  #edits = 0;
  readonly #policies: MergePolicy['policies'];

  constructor(policies: MergePolicy['policies']) {
    this.#policies = policies;
  }

  apply(step: Exclude<Step, { do: 'run' }>): void {
    if (step.do === 'write') this.source.set(step.key, step.text);
    if (step.do === 'delete') this.source.delete(step.key);
    if (step.do === 'rename') this.#rename(step.key, step.to);
    if (step.do === 'edit' && this.target.has(step.key)) {
      this.target.set(step.key, `human ${++this.#edits}`);
    }
    if (step.do === 'clear') this.target.delete(step.key);
    if (step.do === 'lose target') this.target.clear();
  }

  run(broken: string): Merge {
    const result = merge({
      wanted: wantedOf(Object.fromEntries(this.source)),
      found: foundOf(Object.fromEntries(this.target)),
      base: this.base,
      policy: { policies: this.#policies },
    });
    for (const { id } of result.removed) this.target.delete(id);
    const records = result.decisions.flatMap((decision) => {
      const record = recordFor(decision, this.#buy(decision, broken), 'keyed');
      return record === undefined ? [] : [record];
    });
    for (const { id, target } of records) {
      if (target === null) this.target.delete(id);
      else this.target.set(id, partsText(target));
    }
    this.base = baseOf(...records);
    return result;
  }

  #buy(decision: Decision, broken: string): TextAnswer | undefined {
    if (decision.kind !== 'buy' && !(decision.kind === 'conflict' && decision.buys))
      return undefined;
    const text = partsText(decision.source);
    this.bought.push(decision.id);
    return text === broken
      ? { kind: 'refused', problem: 'broken' }
      : { kind: 'translated', parts: [`de:${text}`] };
  }

  #rename(from: string, to: string): void {
    const text = this.source.get(from);
    if (text === undefined || this.source.has(to)) return;
    this.source.delete(from);
    this.source.set(to, text);
  }
}

const histories = fc.array(step, { minLength: 1, maxLength: 30 });
const policies = fc.record({
  existing: fc.constantFrom('adopt' as const, 'overwrite' as const),
  humanEdits: fc.constantFrom('conflict' as const, 'keep' as const, 'overwrite' as const),
  deletedSource: fc.constantFrom('trash' as const, 'keep' as const, 'delete' as const),
});

test('a run after a run decides to keep everything, buys nothing and changes nothing', () => {
  fc.assert(
    fc.property(histories, policies, (steps, rules) => {
      const history = new History(rules);
      for (const step of steps) {
        if (step.do !== 'run') {
          history.apply(step);
          continue;
        }
        history.run(step.broken);
        const target = new Map(history.target);
        const base = history.base;
        history.bought.length = 0;
        const { decisions, removed } = history.run(step.broken);
        expect(history.bought).toEqual([]);
        expect(removed).toEqual([]);
        expect(history.target).toEqual(target);
        expect(history.base).toEqual(base);
        expect(decisions.every((d) => ['keep', 'hold', 'conflict'].includes(d.kind))).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
});

test('only what is new, changed or was left out is bought', () => {
  fc.assert(
    fc.property(histories, policies, (steps, rules) => {
      const history = new History(rules);
      for (const step of [...steps, { do: 'run' as const, broken: '' }]) {
        if (step.do !== 'run') {
          history.apply(step);
          continue;
        }
        const { base } = history;
        history.bought.length = 0;
        history.run(step.broken);
        const unchanged = history.bought.filter(
          (id) => base.get(id)?.source === history.source.get(id),
        );
        expect(unchanged).toEqual([]);
      }
    }),
    { numRuns: 500 },
  );
});

test("a person's text is never overwritten or lost while its key lives, unless policy says so", () => {
  const gentle = policies.filter(({ humanEdits }) => humanEdits !== 'overwrite');
  fc.assert(
    fc.property(histories, gentle, (steps, rules) => {
      const history = new History({ ...rules, existing: 'adopt' });
      for (const step of [...steps, { do: 'run' as const, broken: '' }]) {
        if (step.do !== 'run') {
          history.apply(step);
          continue;
        }
        const before = [...history.target].filter(([, text]) => text.startsWith('human'));
        const result = history.run(step.broken);
        const reported = result.removed.flatMap(({ target }) =>
          target ? [partsText(target)] : [],
        );
        for (const [id, text] of before) {
          if (history.source.has(id)) expect(history.target.get(id)).toBe(text);
          else expect([...history.target.values(), ...reported]).toContain(text);
        }
      }
    }),
    { numRuns: 500 },
  );
});

test('renaming every key of a file bills nothing, and every text moves along', () => {
  const texts = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(texts, (all) => {
      const named = (prefix: string) =>
        Object.fromEntries(all.map((t, n) => [`${prefix}${n}`, `x${t}`]));
      const base = baseOf(...Object.entries(named('old')).map(([id, text]) => ours(id, text)));
      const target = Object.fromEntries(all.map((_, n) => [`old${n}`, `human ${n}`]));
      const { decisions, removed } = mergeOf({ source: named('new'), target, base });
      expect(decisions.map((d) => d.kind === 'move' && d.record.target?.[0])).toEqual(
        all.map((_, n) => `human ${n}`),
      );
      expect(removed).toHaveLength(all.length);
    }),
  );
});

test('a machine text of an earlier source does not count as a person’s when its source changes again, and makes room for the present one when it is put back', () => {
  const rules = { policies: POLICIES };
  const bought = (source: string, base: ReadonlyMap<string, SegmentRecord>, target: string) => {
    const decision = first({ source: { a: source }, target: { a: target }, base, rules });
    expect(decision).toMatchObject({
      kind: 'buy',
      reason: 'changed',
      current: { origin: 'machine' },
    });
    const record = recordFor(decision, { kind: 'translated', parts: [`de:${source}`] }, 'keyed');
    return baseOf(...(record === undefined ? [] : [record]));
  };
  const second = bought('Hi 2', baseOf(ours('a', 'Hi 1')), 'de:Hi 1');
  const seen = first({ source: { a: 'Hi 2' }, target: { a: 'de:Hi 2' }, base: second, rules });
  expect(seen).toMatchObject({ kind: 'keep', record: second.get('a') });
  const third = bought('Hi 3', second, 'de:Hi 1');
  expect(bought('Hi 4', third, 'de:Hi 1').get('a')?.former).toHaveLength(3);
  const target = { a: 'de:Hi 1' };
  expect(first({ source: { a: 'Hi 2' }, target, base: second, rules })).toMatchObject({
    kind: 'restore',
    record: second.get('a'),
  });
  expect(
    first({ source: { a: 'Hi 3' }, target: { a: 'Hallo' }, base: second, rules }),
  ).toMatchObject({
    kind: 'conflict',
  });
  // Source and text came back together: the text is in place.
  const back = bought('Hi 1', second, 'de:Hi 2');
  expect(first({ source: { a: 'Hi 1' }, target, base: back, rules })).toMatchObject({
    kind: 'keep',
    record: { origin: 'machine' },
  });
});
