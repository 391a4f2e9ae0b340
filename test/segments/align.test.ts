/** Paragraphs keep their identity through edits on either side. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SegmentRecord } from '../../src/baseline.ts';
import { partsText } from '../../src/format.ts';
import { align } from '../../src/segments/align.ts';
import type { WantedSegment } from '../../src/segments/decision.ts';
import { merge } from '../../src/segments/merge.ts';
import { commonSubsequence } from '../../src/segments/subsequence.ts';

const wantedOf = (source: readonly string[]): WantedSegment[] =>
  source.map((text, nth) => ({ id: `${text}#${nth}`, source: [text], treatment: 'translate' }));

const recordsOf = (source: readonly string[]): SegmentRecord[] =>
  source.map((text, nth) => ({
    id: `${text}#${nth}`,
    source: text,
    target: [`de:${text}`],
    origin: 'machine',
    state: 'ok',
  }));

const translated = (source: readonly string[]) => source.map((text) => `de:${text}`);

interface Change {
  readonly before: readonly string[];
  readonly now: readonly string[];
  readonly target?: readonly string[];
}

function run({ before, now, target = translated(before) }: Change) {
  const wanted = wantedOf(now);
  const found = target.map((text) => [text]);
  const aligned = align({ wanted, records: recordsOf(before), found });
  const { base, found: texts } = aligned;
  const policies = { existing: 'adopt', humanEdits: 'conflict', deletedSource: 'trash' } as const;
  const { decisions, removed } = merge({ wanted, found: texts, base, policy: { policies } });
  const bought = decisions.filter(({ kind }) => kind === 'buy').map(({ id }) => id.split('#')[0]);
  const stands = decisions.map((d) => ('record' in d ? partsText(d.record.target ?? []) : '?'));
  return { ...aligned, decisions, removed, bought, stands };
}

test('one edited paragraph is one bought paragraph', () => {
  const { bought, stands, fit } = run({ before: ['a', 'b', 'c'], now: ['a', 'B', 'c'] });
  expect([bought, stands, fit]).toEqual([['B'], ['de:a', '?', 'de:c'], 'exact']);
});

test('an inserted, a deleted and a moved paragraph bill only the inserted one', () => {
  const { bought, stands } = run({ before: ['a', 'b', 'c', 'd'], now: ['d', 'new', 'a', 'c'] });
  expect([bought, stands]).toEqual([['new'], ['de:d', '?', 'de:a', 'de:c']]);
});

test('a human edit moves along with its paragraph', () => {
  const target = ['de:a', 'mein b', 'de:c'];
  const { bought, stands } = run({ before: ['a', 'b', 'c'], now: ['b', 'c', 'a'], target });
  expect([bought, stands]).toEqual([[], ['mein b', 'de:c', 'de:a']]);
});

test('an edited paragraph whose translation a person edited is a conflict, also beside a new one', () => {
  const before = ['Start', 'The quick brown fox jumps.', 'End'];
  const target = ['de:Start', 'Der Fuchs.', 'de:End'];
  const now = ['Start', 'Something new', 'The quick brown fox jumps high.', 'End'];
  const { decisions, bought } = run({ before, now, target });
  expect(decisions.map(({ kind }) => kind)).toEqual(['keep', 'buy', 'conflict', 'keep']);
  expect(bought).toEqual(['Something new']);
});

test('paragraphs that were edited and changed their places keep their own translations', () => {
  const before = ['Start', 'The quick brown fox jumps.', 'A lazy dog sleeps here.', 'End'];
  const target = ['de:Start', 'Der Fuchs.', 'Der Hund.', 'de:End'];
  const now = ['Start', 'A lazy dog sleeps there.', 'The quick brown fox jumps high.', 'End'];
  expect(run({ before, now, target }).stands).toEqual([
    'de:Start',
    'Der Hund.',
    'Der Fuchs.',
    'de:End',
  ]);
});

test('no other paragraph gets the translation of a removed one, also where as many paragraphs are there as before', () => {
  const before = ['Start', 'Nothing like it.', 'A lazy dog sleeps here.', 'End'];
  const target = ['de:Start', 'Nichts davon.', 'Der Hund.', 'de:End'];
  const now = ['Start', 'A lazy dog sleeps there.', 'Wholly unknown words', 'End'];
  const { stands, removed, bought } = run({ before, now, target });
  expect(stands).toEqual(['de:Start', 'Der Hund.', '?', 'de:End']);
  expect([removed.map(({ target: text }) => text), bought]).toEqual([
    [['Nichts davon.']],
    ['Wholly unknown words'],
  ]);
});

test('a translation that a person edited and moved stays with its source', () => {
  const before = ['Start', 'One', 'Two', 'End'];
  const target = [
    'de:Start',
    'Ein Hund schläft hier sehr gut.',
    'Der Fuchs springt sehr hoch.',
    'de:End',
  ];
  const records = before.map((text, at) => ({
    id: `${text}#${at}`,
    source: text,
    target: [['de:Start', 'Der Fuchs springt hoch.', 'Ein Hund schläft hier.', 'de:End'][at] ?? ''],
    origin: 'machine' as const,
    state: 'ok' as const,
  }));
  const { found } = align({
    wanted: wantedOf(before),
    records,
    found: target.map((text) => [text]),
  });
  expect(found.get('One#1')).toEqual(['Der Fuchs springt sehr hoch.']);
  expect(found.get('Two#2')).toEqual(['Ein Hund schläft hier sehr gut.']);
});

test('a human text whose paragraph is gone is reported', () => {
  const { removed } = run({ before: ['a', 'b'], now: ['a'], target: ['de:a', 'mein b'] });
  expect(removed).toMatchObject([{ target: ['mein b'], origin: 'human' }]);
});

test('a paragraph that a person deleted or added in the target moves no other', () => {
  const before = ['a', 'b', 'c', 'd'];
  const target = ['de:b', 'mein c', 'de:d', 'extra'];
  const { stands, fit, unplaced } = run({ before, now: before, target });
  expect(stands).toEqual(['de:a', 'de:b', 'mein c', 'de:d']);
  expect(fit).toBe('realigned');
  expect(unplaced).toEqual([['extra']]);
});

test('a lost target is rebuilt from the records', () => {
  const { stands, bought, fit } = run({ before: ['a', 'b'], now: ['a', 'b'], target: [] });
  expect([stands, bought, fit]).toEqual([['de:a', 'de:b'], [], 'exact']);
});

test('first contact pairs by place, and says when target and source are built differently', () => {
  const wanted = wantedOf(['a', 'b']);
  const adopted = align({ wanted, records: [], found: [['x'], ['y']] });
  expect([...adopted.found.values()]).toEqual([['x'], ['y']]);
  expect(adopted.fit).toBe('exact');
  const other = align({ wanted, records: [], found: [['x']] });
  expect(other).toMatchObject({ fit: 'unknown', unplaced: [['x']] });
  expect(other.found.size).toBe(0);
});

test('texts of ignored segments are not unplaced', () => {
  const wanted: WantedSegment[] = [
    { id: 'date', source: ['2020'], treatment: 'omit' },
    ...wantedOf(['a']),
  ];
  const { fit, unplaced } = align({
    wanted,
    records: recordsOf(['a']),
    found: [['2020'], ['de:a']],
  });
  expect([fit, unplaced]).toEqual(['exact', []]);
});

const words = fc.array(fc.constantFrom<string[]>('a', 'b', 'c', 'd', 'e', 'f', 'g'), {
  maxLength: 25,
});

test('every text is paired at most once and texts that are paired as unchanged are equal', () => {
  fc.assert(
    fc.property(words, words, (before, now) => {
      const { bought, stands, base } = run({ before, now });
      expect(base.size).toBe(before.length);
      const left = [...before];
      for (const [nth, text] of stands.entries()) {
        if (text === '?') continue;
        expect(text).toBe(`de:${now[nth]}`);
        left.splice(left.indexOf(now[nth] ?? ''), 1);
      }
      // Nothing is bought whose translation was there to be used.
      expect(bought.filter((text) => left.includes(text ?? ''))).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test("a person's text is kept, is reported as removed, or stays without a position", () => {
  const edits = fc.array(fc.nat(30), { maxLength: 5 });
  fc.assert(
    fc.property(words, words, edits, (before, now, edited) => {
      const target = translated(before);
      for (const [nth, at] of edited.entries()) target.splice(at, nth % 2, `mein ${nth}`);
      const { stands, removed, unplaced } = run({ before, now, target });
      const somewhere = [
        ...stands,
        ...removed.map((segment) => partsText(segment.target ?? [])),
        ...unplaced.map((parts) => partsText(parts)),
      ];
      for (const text of target.filter((t) => t.startsWith('mein'))) {
        expect(somewhere).toContain(text);
      }
    }),
    { numRuns: 500 },
  );
});

test('a common subsequence rises on both sides and pairs equal texts', () => {
  fc.assert(
    fc.property(words, words, (a, b) => {
      let last = { a: -1, b: -1 };
      for (const pair of commonSubsequence(a, b)) {
        expect(a[pair.a]).toBe(b[pair.b]);
        expect(pair.a).toBeGreaterThan(last.a);
        expect(pair.b).toBeGreaterThan(last.b);
        last = pair;
      }
      expect(commonSubsequence(a, a)).toHaveLength(a.length);
    }),
  );
});

test('100,000 paragraphs with one edit and one move are aligned at once', () => {
  const before = Array.from({ length: 100_000 }, (_, n) => (n % 10 === 0 ? 'Note' : `text ${n}`));
  const now = before.with(501, 'edited');
  now.push(...now.splice(7001, 1));
  const { bought, fit } = run({ before, now });
  expect([bought, fit]).toEqual([['edited'], 'exact']);
});
