/** A person joins and splits paragraphs of a target: their text is there once, after any later change of the source. */
import { expect, test } from 'vitest';
import type { SegmentRecord } from '../../src/baseline.ts';
import { partsText } from '../../src/format.ts';
import { alignSequence } from '../../src/segments/align-sequence.ts';
import type { MergePolicy, WantedSegment } from '../../src/segments/decision.ts';
import type { Features } from '../../src/segments/likeness.ts';
import { merge } from '../../src/segments/merge.ts';
import { recordFor } from '../../src/segments/record-for.ts';

const SOURCE = [
  'First, download the archive from the page of releases.',
  'Then unpack it into a folder of your choice.',
  'Restart the service when you are ready, and wait.',
];
const TARGET = [
  'Laden Sie zuerst das Archiv von der Seite der Versionen.',
  'Entpacken Sie es dann in einen Ordner Ihrer Wahl.',
  'Starten Sie den Dienst neu, wenn Sie so weit sind.',
];
const JOINED = [
  'Laden Sie zuerst das Archiv von der Seite der Versionen und entpacken Sie es dann in einen Ordner Ihrer Wahl.',
  TARGET[2] ?? '',
];

const featuresOf = (texts: readonly string[]): Features[] =>
  texts.map((text, at) => ({ text, line: at + 1, place: '', anchors: new Set() }));

interface Run {
  readonly records: readonly SegmentRecord[];
  /** How each paragraph of the source is decided, by its first words. */
  readonly kinds: readonly string[];
}

/** One run: each bought text is in brackets. */
function run(
  source: readonly string[],
  target: readonly string[],
  { records = [] }: Partial<Run> = {},
  rules: Partial<MergePolicy> = {},
): Run {
  const wanted = source.map(
    (text): WantedSegment => ({ id: text, source: [text], treatment: 'translate' }),
  );
  const found = target.map((text) => [text]);
  const features = () => ({ source: featuresOf(source), target: featuresOf(target) });
  const choices = new Map(
    wanted.flatMap(({ id }) => {
      const choice = rules.resolution?.(id, id);
      return choice === undefined ? [] : [[id, choice] as const];
    }),
  );
  const isOwn = () => false;
  const aligned = alignSequence({ wanted, records, found, isOwn, choices, features });
  const policies = { existing: 'adopt', humanEdits: 'conflict', deletedSource: 'trash' } as const;
  const { decisions } = merge({
    ...{ wanted, found: aligned.found, base: aligned.base },
    policy: { policies, missing: 'leave', ...rules },
  });
  const settled = decisions.flatMap((decision) => {
    const buys = decision.kind === 'buy' || (decision.kind === 'conflict' && decision.buys);
    const answer = buys
      ? ({ kind: 'translated', parts: [`[${decision.id}]`] } as const)
      : undefined;
    return recordFor(decision, answer, 'sequence') ?? [];
  });
  return { records: settled, kinds: decisions.map(({ kind }) => kind) };
}

const delivered = (): Run => ({
  kinds: [],
  records: SOURCE.map((source, at) => ({
    ...{ id: source, source, target: [TARGET[at] ?? ''] },
    ...{ origin: 'machine', state: 'ok' },
  })),
});

/** The one of the first two that has no paragraph of its own. */
const partIn = ({ records }: Run) => records.findIndex(({ joined }) => joined !== undefined);

const FIRST_CONTACT = ['first contact', () => run(SOURCE, TARGET)] as const;
const DELIVERY = ['a delivery of ours', delivered] as const;

test.each([FIRST_CONTACT, DELIVERY])(
  'a change of either of two paragraphs that a person joined after %s is a conflict',
  (_, start) => {
    const before = start();
    const joined = run(SOURCE, JOINED, before);
    expect(joined.kinds).toEqual(['keep', 'keep', 'keep']);
    for (const known of [before, joined, run(SOURCE, JOINED, joined)]) {
      for (const at of [0, 1]) {
        const source = SOURCE.with(at, `${SOURCE[at]} Now.`);
        const changed = run(source, JOINED, known);
        expect(changed.kinds).toEqual(['keep', 'keep', 'keep'].with(at, 'conflict'));
        expect(changed.records[at]).toMatchObject({
          previousSource: SOURCE[at],
          machine: [`[${source[at]}]`],
        });
        expect(changed.records[partIn(changed)]).toMatchObject({
          target: null,
          joined: [JOINED[0]],
        });
        expect(run(source, JOINED, changed)).toEqual(changed);
      }
    }
  },
);

test('the conflict ends when a person edits the joined paragraph, accepts it, or takes the machine text beside it', () => {
  const joined = run(SOURCE, JOINED, delivered());
  const part = partIn(joined);
  const source = SOURCE.with(part, `${SOURCE[part]} Now.`);
  const changed = run(source, JOINED, joined);
  expect(changed.kinds[part]).toBe('conflict');
  const edited = JOINED.with(0, (JOINED[0] ?? '').replace('Ordner', 'Verzeichnis'));
  const decided = run(source, edited, changed);
  expect(decided.kinds).toEqual(['keep', 'keep', 'keep']);
  expect(run(source, edited, decided)).toEqual(decided);
  const kept = run(source, JOINED, changed, { resolution: () => 'human' });
  expect(kept.records[part]).toMatchObject({ target: null, state: 'ok', joined: [JOINED[0]] });
  expect(run(source, JOINED, kept).kinds).toEqual(['keep', 'keep', 'keep']);
  const taken = run(source, JOINED, changed, { resolution: () => 'machine' });
  expect(partsText(taken.records[part]?.target ?? [])).toBe(`[${source[part]}]`);
});

test('the text of a person for one of them replaces the joined paragraph, and is alone there', () => {
  const joined = run(SOURCE, JOINED, delivered());
  const part = partIn(joined);
  const source = SOURCE.with(part, `${SOURCE[part]} Now.`);
  const changed = run(source, JOINED, joined);
  const own = `${JOINED[0]} Jetzt.`;
  const resolution = (id: string) => (id === source[part] ? { parts: [own] } : undefined);
  const decided = run(source, JOINED, changed, { resolution });
  expect(decided.records.map(({ target }) => target)).toEqual(
    [null, null, [TARGET[2]]].with(part, [own]),
  );
  const target = JOINED.with(0, own);
  const next = run(source, target, decided);
  expect(next.kinds).toEqual(['keep', 'keep', 'keep']);
  for (const at of [0, 1]) {
    expect(run(source.with(at, 'New. Again.'), target, next).kinds).toContain('conflict');
  }
});

test('a joined paragraph that the machine text replaced lacks the other text, which is bought', () => {
  const policies = { existing: 'adopt', humanEdits: 'overwrite', deletedSource: 'trash' } as const;
  const joined = run(SOURCE, JOINED, delivered());
  const part = partIn(joined);
  const source = SOURCE.with(1 - part, `${SOURCE[1 - part]} Now.`);
  const replaced = run(source, JOINED, joined, { policies });
  expect(replaced.kinds[1 - part]).toBe('buy');
  const target = replaced.records.flatMap((each) => each.target ?? []).map(String);
  const next = run(source, target, replaced, { policies });
  expect(next.kinds).toEqual(['keep', 'keep', 'keep'].with(part, 'buy'));
});

test('a paragraph that a person took out is bought when its source changes, as before', () => {
  const without = [TARGET[0] ?? '', TARGET[2] ?? ''];
  const taken = run(SOURCE, without, delivered());
  expect(taken.kinds).toEqual(['keep', 'keep', 'keep']);
  const changed = SOURCE.with(1, 'Then unpack it into a directory of your choice.');
  expect(run(changed, without, taken).kinds).toEqual(['keep', 'buy', 'keep']);
});

test('three paragraphs joined into one, and one split into three, are not bought beside them', () => {
  const whole = [TARGET.join(' ')];
  const joined = run(SOURCE, whole, delivered());
  const changes = SOURCE.map((_, at) => SOURCE.with(at, `${SOURCE[at]} Now.`));
  for (const changed of changes) {
    expect(run(changed, whole, joined).kinds).not.toContain('buy');
    expect(run(changed, whole, delivered()).kinds).not.toContain('buy');
  }
  const one = [SOURCE.join(' ')];
  const first: SegmentRecord = {
    ...{ id: one[0] ?? '', source: one[0] ?? '', target: whole },
    ...{ origin: 'machine', state: 'ok' },
  };
  const split = run(one, TARGET, { records: [first] });
  expect(split.kinds).toEqual(['keep']);
  expect(run([`${one[0]} Now.`], TARGET, split).kinds).toEqual(['conflict']);
});

test.each([FIRST_CONTACT, DELIVERY])(
  'after %s, a joined paragraph stays when the source of one of its texts leaves, until a person has cut it',
  (_, start) => {
    const joined = run(SOURCE, JOINED, start());
    expect(joined.kinds).toEqual(['keep', 'keep', 'keep']);
    for (const at of [0, 1]) {
      const left = SOURCE.toSpliced(at, 1);
      const changed = run(left, JOINED, joined);
      const isWhole = at === partIn(joined);
      expect(changed.kinds).toEqual([isWhole ? 'keep' : 'conflict', 'keep']);
      expect(changed.records[0]).toMatchObject({ id: left[0], target: [JOINED[0]] });
      const again = run(left, JOINED, changed);
      expect(again).toEqual(changed);
      const cut = [TARGET[1 - at] ?? '', TARGET[2] ?? ''];
      expect(run(left, cut, again).kinds).toEqual(['keep', 'keep']);
    }
  },
);
