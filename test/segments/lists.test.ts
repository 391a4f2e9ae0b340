/** Elements of a list keep their translations when the source adds, removes or reorders elements. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SegmentRecord } from '../../src/baseline.ts';
import { partsText } from '../../src/format.ts';
import type { WantedSegment } from '../../src/segments/decision.ts';
import { followLists } from '../../src/segments/lists.ts';
import { merge } from '../../src/segments/merge.ts';
import { type Statement, sourceHash, targetHash, unitId } from '../../src/segments/statements.ts';

type Texts = Readonly<Record<string, string>>;

const list = (name: string, ...texts: readonly string[]): Texts =>
  Object.fromEntries(texts.map((text, at) => [`${name}.${at}`, text]));

const hasWords = (text: string) => /\p{L}/u.test(text);
/** A text without words is copied, and the lock says nothing of it. */
const german = (text: string) => (hasWords(text) ? `de:${text}` : text);

interface Change {
  readonly before: Texts;
  readonly now: Texts;
  /** The changes of a person in the translations. */
  readonly edited?: Texts;
  readonly memory?: 'baseline' | 'lock';
  readonly deletedSource?: 'keep' | 'trash';
}

/** The target after a run, and the bought texts. */
function run({ before, now, edited = {}, memory = 'baseline', deletedSource = 'trash' }: Change) {
  const target = new Map(
    Object.entries(before).map(([id, text]): [string, string[]] => [id, [german(text)]]),
  );
  const found = new Map(target);
  for (const [id, text] of Object.entries(edited)) found.set(id, [text]);
  const records = Object.entries(before).map(([id, source]): [string, SegmentRecord] => [
    id,
    { id, source, target: target.get(id) ?? null, origin: 'adopted', state: 'ok' },
  ]);
  const wanted = Object.entries(now).map(
    ([id, text]): WantedSegment => ({
      ...{ id, source: [text] },
      treatment: hasWords(text) ? 'translate' : 'copy',
    }),
  );
  const statements = (id: string): Statement[] => {
    const [source, text] = [before[id], target.get(id)];
    if (source === undefined || text === undefined || !hasWords(source)) return [];
    const pair = { source: sourceHash(source), target: targetHash(partsText(text)) };
    return [{ unit: unitId('a.json', id), ...pair, mark: 'adopted' }];
  };
  const isLock = memory === 'lock';
  const followed = followLists(
    wanted,
    { base: new Map(isLock ? [] : records), found, statements: isLock ? statements : undefined },
    deletedSource,
  );
  const policies = { existing: 'adopt', humanEdits: 'conflict', deletedSource } as const;
  const known = followed.statements;
  const { decisions, removed, kept } = merge({
    ...{ found: followed.found, base: followed.base },
    wanted: wanted.filter(({ id }) => !followed.left.has(id)),
    policy: { policies, ...(known && { statements: known }) },
  });
  const stands = Object.fromEntries(
    decisions.map((each) => [each.id, 'record' in each ? partsText(each.record.target ?? []) : '']),
  );
  const bought = decisions.flatMap((each) => (each.kind === 'buy' ? [now[each.id]] : []));
  return { stands, bought, removed: removed.map(({ id }) => id), kept, decisions };
}

test.each(['baseline', 'lock'] as const)(
  'an element in front or in the middle buys one text, with the %s',
  (memory) => {
    const before = list('l', 'One', 'Two', 'Three');
    for (const at of [0, 1, 2, 3]) {
      const texts = ['One', 'Two', 'Three'].toSpliced(at, 0, 'Fresh');
      const { stands, bought } = run({ before, now: list('l', ...texts), memory });
      expect(bought).toEqual(['Fresh']);
      expect(Object.values(stands)).toEqual(texts.map((t) => (t === 'Fresh' ? '' : `de:${t}`)));
    }
  },
);

test.each(['baseline', 'lock'] as const)(
  'an element without words counts as ours, with the %s',
  (memory) => {
    const texts = ['One', '100%', 'Three'];
    const before = list('l', ...texts);
    const same = run({ before, now: before, memory });
    expect(same.decisions.map(({ kind }) => kind)).not.toContain('conflict');
    expect(same.bought).toEqual([]);
    for (const at of [0, 1, 2, 3]) {
      const now = texts.toSpliced(at, 0, 'Fresh');
      const { stands, bought } = run({ before, now: list('l', ...now), memory });
      expect(bought).toEqual(['Fresh']);
      expect(Object.values(stands)).toEqual(now.map((t) => (t === 'Fresh' ? '' : german(t))));
    }
  },
);

test('an element that is removed removes only its own translation', () => {
  const before = list('l', 'One', 'Two', 'Three');
  const { stands, bought, removed } = run({ before, now: list('l', 'Two', 'Three') });
  expect([stands, bought]).toEqual([list('l', 'de:Two', 'de:Three'), []]);
  expect(removed).toEqual(['l.2']);
});

test('records in lists move as a whole, and lists in lists follow', () => {
  const before = {
    ...{ 'faq.0.q': 'What?', 'faq.0.a.0': 'A tool.', 'faq.0.a.1': 'A toy.' },
    ...{ 'faq.1.q': 'Who?', 'faq.1.a.0': 'We.' },
  };
  const now = {
    ...{ 'faq.0.q': 'How much?', 'faq.0.a.0': 'Nothing.' },
    ...{ 'faq.1.q': 'What?', 'faq.1.a.0': 'A new one.', 'faq.1.a.1': 'A tool.' },
    ...{ 'faq.1.a.2': 'A toy.', 'faq.2.q': 'Who?', 'faq.2.a.0': 'We.' },
  };
  const { stands, bought } = run({ before, now });
  expect(bought).toEqual(['How much?', 'Nothing.', 'A new one.']);
  expect(stands).toMatchObject({
    ...{ 'faq.1.q': 'de:What?', 'faq.1.a.1': 'de:A tool.', 'faq.1.a.2': 'de:A toy.' },
    ...{ 'faq.2.q': 'de:Who?', 'faq.2.a.0': 'de:We.' },
  });
});

test("a person's edit moves with its element, and is a conflict when that one changed", () => {
  const days = { 'days[0]': 'Monday', 'days[1]': 'Tuesday', 'days[2]': 'Friday' };
  const now = {
    ...{ 'days[0]': 'Sunday', 'days[1]': 'Monday', 'days[2]': 'Tuesdays' },
    'days[3]': 'Friday',
  };
  const edited = { 'days[0]': 'Mo', 'days[1]': 'Di' };
  const { stands, bought, decisions } = run({ before: days, now, edited });
  expect(bought).toEqual(['Sunday']);
  expect(stands).toMatchObject({ 'days[1]': 'Mo', 'days[2]': 'Di', 'days[3]': 'de:Friday' });
  expect(decisions.map(({ kind }) => kind)).toEqual(['buy', 'keep', 'conflict', 'keep']);
});

test('an edited element stays where it is, as do lists that a person made longer, or that keep what left', () => {
  const before = list('l', 'One', 'Two', 'Three');
  expect(run({ before, now: list('l', 'One', 'Other', 'Three') }).bought).toEqual(['Other']);
  const longer = {
    before,
    now: list('l', 'New', 'One', 'Two', 'Three'),
    edited: { 'l.3': 'Vier' },
  };
  expect(run(longer).stands['l.3']).toBe('Vier');
  const { kept } = run({ before, now: list('l', 'Two', 'Three'), deletedSource: 'keep' });
  expect(kept).toEqual(['l.2']);
});

test.each(['baseline', 'lock'] as const)(
  'when elements of a list move that a person made longer, nothing is replaced, bought or taken for another text, with the %s',
  (memory) => {
    const before = list('l', 'One', 'Two');
    const edited = { 'l.2': 'mehr' };
    for (const texts of [
      ['New', 'One', 'Two'],
      ['Two', 'One'],
      ['Two'],
      ['One', 'Two', 'Three', 'Four'],
    ]) {
      const { bought, decisions, removed } = run({
        before,
        now: list('l', ...texts),
        edited,
        memory,
      });
      expect([bought, removed]).toEqual([[], []]);
      expect(decisions.map(({ kind }) => kind).filter((kind) => kind === 'conflict').length).toBe(
        texts.length > 2 ? (texts[0] === 'New' ? 3 : 1) : texts.length,
      );
    }
    expect(run({ before, now: list('l', 'One', 'Other'), edited, memory }).bought).toEqual([
      'Other',
    ]);
  },
);

test('whatever happens to a list, no translation of a text that stays is bought or lost', () => {
  const texts = fc.uniqueArray(fc.constantFrom(...'abcdefgh'), { minLength: 1 });
  fc.assert(
    fc.property(texts, texts, fc.constantFrom('baseline', 'lock'), (old, fresh, memory) => {
      const { bought, stands } = run({
        before: list('l', ...old),
        now: list('l', ...fresh),
        memory,
      });
      expect(bought).toEqual(fresh.filter((text) => !old.includes(text)));
      for (const [at, text] of fresh.entries()) {
        if (old.includes(text)) expect(stands[`l.${at}`]).toBe(`de:${text}`);
      }
    }),
  );
});
