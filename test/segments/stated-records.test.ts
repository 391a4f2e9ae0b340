import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { WantedSegment } from '../../src/segments/decision.ts';
import { statedRecords } from '../../src/segments/stated-records.ts';
import {
  type Assertion,
  type Mark,
  NO_TARGET,
  sourceHash,
  targetHash,
} from '../../src/segments/statements.ts';

const said = (source: string, target: string | null, mark: Mark = 'machine'): Assertion => ({
  source: sourceHash(source),
  target: target === null ? NO_TARGET : targetHash(target),
  mark,
});

function paired(sources: string[], targets: string[], statements: Assertion[]) {
  const wanted = sources.map(
    (text, at): WantedSegment => ({ id: `${at}`, source: [text], treatment: 'translate' }),
  );
  const found = targets.map((text) => [text]);
  return statedRecords({ wanted, found, statements, records: [] }).map(
    ({ source, target }) => `${source}=${target?.join('')}`,
  );
}

test('texts that a statement pairs are paired at any position', () => {
  const statements = [said('a', 'A'), said('b', 'B')];
  expect(paired(['b', 'a'], ['A', 'B'], statements)).toEqual(['b=B', 'a=A']);
});

test('between them a changed source keeps its known translation, and a new one has none', () => {
  const statements = [said('a', 'A'), said('b', 'B'), said('c', 'C')];
  expect(paired(['a', 'b2', 'c'], ['A', 'B', 'C'], statements)).toEqual(['a=A', 'b2=B', 'c=C']);
  expect(paired(['a', 'new', 'b', 'c'], ['A', 'B', 'C'], statements)).toEqual([
    'a=A',
    'b=B',
    'c=C',
  ]);
});

test('of two equal texts of the target, the one between its neighbours is the translation, and the other stays', () => {
  const statements = [said('a', 'A'), said('b', null, 'held'), said('c', 'C'), said('d', 'D')];
  const sources = ['a', 'b', 'c', 'd'];
  const targets = ['A', 'C', 'C', 'D'];
  const wanted = sources.map(
    (text): WantedSegment => ({ id: text, source: [text], treatment: 'translate' }),
  );
  const found = targets.map((text) => [text]);
  const records = statedRecords({ wanted, found, statements, records: [] });
  expect(records.map(({ id, target }) => `${id}=${target?.join('')}`)).toEqual([
    'a=A',
    'c=C',
    'd=D',
  ]);
});

test('an edited translation stays with its known source', () => {
  expect(paired(['a', 'b'], ['A', 'edited'], [said('a', 'A'), said('b', 'B')])).toEqual([
    'a=A',
    'b=edited',
  ]);
});

test('a machine text whose source is gone is removed, and a text of a person is left alone', () => {
  expect(paired(['a'], ['A', 'B'], [said('a', 'A'), said('b', 'B')])).toEqual(['a=A', '\0=B']);
  expect(paired(['a'], ['A', 'B'], [said('a', 'A'), said('b', 'B', 'human')])).toEqual(['a=A']);
});

test('a paragraph that a person took out takes no text of its neighbours', () => {
  const statements = [said('a', 'A'), said('b', null, 'human'), said('c', 'C')];
  expect(paired(['a', 'b', 'c'], ['A', 'C'], statements)).toEqual(['a=A', 'c=C']);
});

test('a page that a person translated again keeps its order when a source in its middle changes', () => {
  const statements = ['a', 'b', 'c', 'd'].map((each) => said(each, each.toUpperCase()));
  expect(paired(['a', 'b2', 'c', 'd'], ['1', '2', '3', '4'], statements)).toEqual([
    'a=1',
    'b2=2',
    'c=3',
    'd=4',
  ]);
});

test('whatever sources changed and whatever a person edited: where no text came or went, each stays with the one at its place', () => {
  const changes = fc.array(fc.record({ isChanged: fc.boolean(), isEdited: fc.boolean() }));
  fc.assert(
    fc.property(changes, (texts) => {
      const statements = texts.map((_, at) => said(`s${at}`, `t${at}`));
      const sources = texts.map(({ isChanged }, at) => `s${at}${isChanged ? '!' : ''}`);
      const targets = texts.map(({ isEdited }, at) => `t${at}${isEdited ? '?' : ''}`);
      expect(paired(sources, targets, statements)).toEqual(
        sources.map((source, at) => `${source}=${targets[at]}`),
      );
    }),
  );
});

test('a machine text for a changed source is recognized, also where the lock knows only the text of a colleague', () => {
  const wanted = ['a', 'b2'].map(
    (text, at): WantedSegment => ({ id: `${at}`, source: [text], treatment: 'translate' }),
  );
  const made = (id: string, source: string, target: string) =>
    ({ id, source, target: [target], origin: 'machine', state: 'ok' }) as const;
  const records = [made('0', 'a', 'A'), made('1', 'b', 'B')];
  const statements = [said('a', 'Anders', 'human')];
  expect(statedRecords({ wanted, found: [['Anders'], ['B']], statements, records })[1]).toEqual(
    records[1],
  );
});

test('a page whose texts occur often, each in several wordings, is paired as it was written', () => {
  const texts = fc.array(fc.record({ source: fc.nat(3), wording: fc.nat(3) }), { maxLength: 40 });
  fc.assert(
    fc.property(texts, (all) => {
      const pairs = all.map(({ source, wording }) => [`s${source}`, `t${wording}`] as const);
      const statements = pairs.map(([source, target]) => said(source, target, 'adopted'));
      const sources = pairs.map(([source]) => source);
      const targets = pairs.map(([, target]) => target);
      expect(paired(sources, targets, statements)).toEqual(
        pairs.map(([source, target]) => `${source}=${target}`),
      );
    }),
    { numRuns: 500 },
  );
});

test('of two wordings of a text, each stays with a source, also beside a text of a person that is the same as one of them', () => {
  const statements = [said('Tools', 'A', 'adopted'), said('x', 'X'), said('Tools', 'B', 'adopted')];
  const sources = ['Tools', 'x', 'Tools', 'TODO'];
  const all = [...statements, said('TODO', 'TODO')];
  expect(paired(sources, ['A', 'X', 'A', 'mine', 'B', 'TODO'], all)).toEqual([
    'Tools=A',
    'x=X',
    'Tools=B',
    'TODO=TODO',
  ]);
});

test('such a page keeps its pairs where a person edited texts, and where texts are held beside texts of a person', () => {
  const text = fc.record({
    source: fc.nat(3),
    wording: fc.nat(3),
    state: fc.constantFrom('as stated', 'as stated', 'edited', 'held'),
  });
  fc.assert(
    fc.property(fc.array(text, { maxLength: 40 }), (all) => {
      const statements = all.map(({ source, wording, state }) =>
        state === 'held'
          ? said(`held${source}`, null, 'held')
          : said(`s${source}`, `t${wording}`, 'adopted'),
      );
      const sources = all.map(({ source, state }) => `${state === 'held' ? 'held' : 's'}${source}`);
      const targets = all.map(({ wording, state }, at) =>
        state === 'as stated' ? `t${wording}` : `mine${at}`,
      );
      const records = paired(sources, targets, statements);
      const kept = all.flatMap(({ state }, at) =>
        state === 'held' ? [] : [`${sources[at]}=${targets[at]}`],
      );
      expect(records).toEqual(kept);
    }),
    { numRuns: 500 },
  );
});

test('where such a page has texts without a translation and texts of a person, no text of the page leaves it', () => {
  const side = fc.constantFrom('both', 'both', 'both', 'source', 'target');
  const text = fc.record({ source: fc.nat(3), wording: fc.nat(3), side });
  fc.assert(
    fc.property(fc.array(text, { maxLength: 40 }), (all) => {
      const statements = all.flatMap(({ source, wording, side: has }) => [
        ...(has === 'both' ? [said(`s${source}`, `t${wording}`, 'adopted')] : []),
        ...(has === 'source' ? [said(`held${source}`, null, 'held')] : []),
      ]);
      const sources = all.flatMap(({ source, side: has }) =>
        has === 'target' ? [] : [has === 'both' ? `s${source}` : `held${source}`],
      );
      const targets = all.flatMap(({ wording, side: has }, at) =>
        has === 'source' ? [] : [has === 'both' ? `t${wording}` : `mine${at}`],
      );
      const records = paired(sources, targets, statements);
      expect(records).toHaveLength(all.filter(({ side: has }) => has === 'both').length);
      expect(records.filter((record) => record.startsWith('\0'))).toEqual([]);
    }),
    { numRuns: 500 },
  );
});
