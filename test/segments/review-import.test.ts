/** Texts that come back from a translator: the decision table of the import, and laws for every import. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exchangeId } from '../../src/segments/exchange-id.ts';
import { decideByProject } from '../../src/segments/import-projects.ts';
import {
  decideImport,
  type ImportRow,
  type ReviewedText,
  withoutGarbled,
} from '../../src/segments/review-import.ts';
import { NO_TARGET, sourceHash, targetHash, unitId } from '../../src/segments/statements.ts';

interface Made extends ReviewedText {
  readonly source: string;
}

function current(key: string, source: string, target: string | null, more = {}): Made {
  return {
    ...{ path: 'en.json', key },
    ...{ unit: unitId('en.json', key), source, sourceHash: sourceHash(source), nth: 1, target },
    targetHash: target === null ? NO_TARGET : targetHash(target),
    ...{ isReviewed: false, isPersons: false, ...more },
  };
}

/** The row that the export writes. */
function rowOf(text: Made, more: Partial<ImportRow> = {}): ImportRow {
  const { unit, sourceHash: source, nth, target, targetHash: was } = text;
  return {
    ...{ id: `${unit}.${source}.${nth}`, source: text.source, target: target ?? '', was },
    ...{ word: 'open', ...more },
  };
}

const SAVE = current('save', 'Save', 'Speichern');
const only = (row: ImportRow, texts: readonly Made[] = [SAVE], as?: 'human' | 'reviewed') =>
  decideImport([row], texts, as)[0];

test('an unchanged text that is final is reviewed, once', () => {
  expect(only(rowOf(SAVE, { word: 'final' }))).toMatchObject({ kind: 'reviewed', text: SAVE });
  const reviewed = { ...SAVE, isReviewed: true };
  expect(only(rowOf(SAVE, { word: 'final' }), [reviewed])?.kind).toBe('unchanged');
  expect(only(rowOf(SAVE))?.kind).toBe('unchanged');
});

test('a text at the end of its file that may be cut is never approved, whatever the file or the command says', () => {
  const row = rowOf(SAVE, { word: 'final', mayBeCut: true });
  expect(only(row)?.kind).toBe('unchanged');
  expect(only(row, [SAVE], 'reviewed')?.kind).toBe('unchanged');
});

test('a changed text of the source as it is now is written, and is reviewed when it is final', () => {
  const row = rowOf(SAVE, { target: 'Sichern' });
  expect(only(row)).toMatchObject({ kind: 'write', isFinal: false });
  expect(only(row)).not.toHaveProperty('older');
  expect(only({ ...row, word: 'final' })).toMatchObject({ kind: 'write', isFinal: true });
  const missing = current('more', 'More', null);
  expect(only(rowOf(missing, { target: 'Mehr' }), [missing])?.kind).toBe('write');
});

test('a changed text gets the line ends that its text has on the disk, whatever the tool wrote', () => {
  const ends = (text: Made, target: string) => only(rowOf(text, { target }), [text])?.row.target;
  expect(ends(SAVE, 'Sichern\r\njetzt')).toBe('Sichern\njetzt');
  const lines = current('lines', 'One\nTwo', 'Eins\nZwei');
  expect(ends(lines, 'Ein\r\nZwo\rDrei')).toBe('Ein\nZwo\nDrei');
  const windows = current('windows', 'One\r\nTwo', null);
  expect(ends(windows, 'Eins\nZwei')).toBe('Eins\r\nZwei');
  const mixed = current('mixed', 'One\r\nTwo\nThree', null);
  expect(ends(mixed, 'Eins\r\nZwei\nDrei')).toBe('Eins\r\nZwei\nDrei');
});

/** A file whose program changed the white space of a source. */
function fromProgram(known: string, returned: string, edited: Made, target: string) {
  const shown = current('shown', known, 'Egal');
  const rows = [rowOf(shown, { source: returned }), rowOf(edited, { target })];
  const [, decision] = decideImport(rows, [shown, edited]);
  return [decision?.kind, decision?.row.target];
}

test('white space that the program of a file changes is no edit, and a person may still change other white space', () => {
  const name = current('name', 'Name:', 'Name: ');
  expect(only(rowOf(name, { target: 'Name:' }), [name])?.kind).toBe('write');
  expect(fromProgram('A: ', 'A:', name, 'Name:')).toEqual(['unchanged', 'Name: ']);
  expect(fromProgram('a  b', 'a b', name, 'Name:')).toEqual(['write', 'Name:']);
  expect(fromProgram('A: ', 'A:', name, ' Name:')[0]).toBe('write');
  const wide = current('wide', 'Wide', 'a\u00a0b');
  expect(only(rowOf(wide, { target: 'a b' }), [wide])?.kind).toBe('write');
  expect(fromProgram('1\u00a0km', '1 km', wide, 'a b')).toEqual(['unchanged', 'a\u00a0b']);
});

test('an edited text keeps the white space at its edges that the program of its file drops', () => {
  const name = current('name', 'Name:', '\tName: ');
  expect(fromProgram('A: ', 'A:', name, '\tVorname:')).toEqual(['write', '\tVorname: ']);
  expect(fromProgram('\tA', 'A', name, 'Vorname: ')).toEqual(['write', '\tVorname: ']);
  expect(only(rowOf(name, { target: 'Vorname' }), [name])?.row.target).toBe('Vorname');
});

test('an edited text gets no white space that the program of its file writes around all texts', () => {
  const broken = '\n    Save\n  ';
  const edit = (target: string) => fromProgram('Save', broken, SAVE, target);
  expect(edit('\n      Sichern\n    ')).toEqual(['write', 'Sichern']);
  expect(edit('\n Sichern\njetzt \n')).toEqual(['write', 'Sichern\njetzt']);
  // The program writes no tabs, so this one is of a person.
  expect(edit('\tSichern')).toEqual(['write', '\tSichern']);
  const spaced = current('spaced', ' Save ', ' Speichern ');
  expect(fromProgram('Save', broken, spaced, '\n  Sichern\n ')).toEqual(['write', ' Sichern ']);
  const missing = current('missing', 'Name: ', null);
  expect(fromProgram('Save', broken, missing, '\n Name: \n')).toEqual(['write', 'Name: ']);
  expect(only(rowOf(missing, { target: ' Name' }), [missing])?.row.target).toBe(' Name');
});

test('the apostrophe that the export wrote is no part of a text, also when its reason is gone', () => {
  const read = (text: Made, cell: string) => {
    const row = rowOf(text, { target: cell, cell });
    const decision = only(row, [text]);
    return [decision?.kind, decision?.row.target];
  };
  const minus = current('minus', 'Minus', '-5 Grad');
  expect(read(minus, "'-5 Grad")).toEqual(['unchanged', '-5 Grad']);
  expect(read(minus, "'Minus 5 Grad")).toEqual(['write', 'Minus 5 Grad']);
  const tab = current('tab', 'Tab', '\tEingabe');
  expect(read(tab, "'Eingabe")).toEqual(['unchanged', '\tEingabe']);
  expect(read(tab, "'Ausgabe")).toEqual(['write', 'Ausgabe']);
  const quoted = current('quoted', 'Quoted', "'Tis");
  expect(read(quoted, "'Tis")).toEqual(['unchanged', "'Tis"]);
  expect(read(quoted, "'Twas")).toEqual(['write', "'Twas"]);
});

test('a changed text of an older source is kept for that source', () => {
  const now = current('save', 'Save all', 'Speichern');
  const row = rowOf(SAVE, { target: 'Sichern' });
  expect(only(row, [now])).toMatchObject({ kind: 'write', older: SAVE.sourceHash });
  expect(only(rowOf(SAVE, { word: 'final' }), [now])?.kind).toBe('unchanged');
});

test('a text that was changed on the disk and in the file is a conflict, and one that only the disk changed stays', () => {
  const now = current('save', 'Save', 'Ablegen');
  expect(only(rowOf(SAVE, { target: 'Sichern' }), [now])?.kind).toBe('conflict');
  expect(only(rowOf(SAVE, { word: 'final' }), [now])?.kind).toBe('superseded');
  expect(only(rowOf(SAVE, { target: 'Ablegen' }), [now])?.kind).toBe('unchanged');
});

test('a row that lost its hash writes over texts of the machine and never over those of a person', () => {
  const { was: _was, ...row } = rowOf(SAVE, { target: 'Sichern' });
  expect(only(row)?.kind).toBe('write');
  expect(only(row, [{ ...SAVE, isPersons: true }])?.kind).toBe('conflict');
});

test('a row that kept only its id is written over the text that was exported, also that of a person, and over no other', () => {
  const persons = { ...SAVE, isPersons: true };
  const { source, unit, sourceHash: hash } = SAVE;
  const row: ImportRow = { id: exchangeId(SAVE), source, target: 'Sichern', word: 'open' };
  expect(only(row, [persons])).toMatchObject({ kind: 'write', text: persons });
  expect(only({ ...row, target: 'Speichern' }, [persons])?.kind).toBe('unchanged');
  const later = { ...current('save', 'Save', 'Ablegen'), isPersons: true };
  expect(only(row, [later])?.kind).toBe('conflict');
  expect(only({ ...row, target: 'Speichern' }, [later])?.kind).toBe('superseded');
  const earlier = `${unit}.${hash}.1`;
  expect(only({ ...row, id: earlier }, [persons])?.kind).toBe('conflict');
  expect(only({ ...row, id: earlier })?.kind).toBe('write');
});

test('of equal sources, a row that lost its id is taken by its key and its file', () => {
  const texts = ['one', 'two'].map((key) => current(key, 'Save', 'Speichern'));
  const row: ImportRow = { id: '7', source: 'Save', target: 'Sichern', word: 'open' };
  expect(only(row, texts)?.kind).toBe('unknown');
  const known = { ...row, path: 'en.json', key: 'two', was: targetHash('Speichern') };
  expect(only(known, texts)).toMatchObject({ kind: 'write', text: texts[1] });
  expect(only({ ...known, source: 'Save it' }, texts)).toMatchObject({
    ...{ text: texts[1], older: sourceHash('Save it') },
  });
  const gone = { ...known, key: 'three' };
  expect(only(gone, texts)?.kind).toBe('unknown');
  const elsewhere = { ...current('two', 'Save', 'Speichern'), path: 'other.json' };
  expect(only({ ...known, key: '' }, [elsewhere, SAVE])).toMatchObject({ text: SAVE });
});

test('a row of no text is lost with its words or its approval, and not when nobody worked on it', () => {
  const row = rowOf(current('gone', 'Gone', 'Weg'));
  const isLost = (more: object, texts: readonly Made[] = [SAVE], as?: 'human' | 'reviewed') =>
    (only({ ...row, ...more }, texts, as) as { isLost?: boolean }).isLost;
  expect(isLost({})).toBe(false);
  expect(isLost({ word: 'final' })).toBe(false);
  expect(isLost({ target: 'Fort' })).toBe(true);
  expect(isLost({ was: undefined })).toBe(true);
  const twins = ['one', 'two'].map((key) => current(key, 'Gone', 'Weg'));
  const ofNone = { id: 'torn' };
  expect(isLost(ofNone, twins)).toBe(false);
  expect(isLost({ ...ofNone, word: 'final' }, twins)).toBe(true);
  expect(isLost({ ...ofNone, word: 'final' }, twins, 'human')).toBe(false);
});

test('a row whose letters were lost is refused, with all that changed in its file and nothing of others', () => {
  const texts = [current('size', 'Size', 'Größe'), current('open', 'Open', 'Öffnen'), SAVE];
  const row = (index: number, target: string, from = 'a.csv') => ({
    ...rowOf(texts[index] as Made, { target }),
    from,
  });
  const kinds = (rows: ReturnType<typeof row>[]) =>
    withoutGarbled(decideImport(rows, texts)).map((each) =>
      each.kind === 'garbled' ? each.of : each.kind,
    );
  expect(kinds([row(0, 'Gr??e'), row(1, 'Men?'), row(2, 'Speichern')])).toEqual([
    ...['own', 'file', 'unchanged'],
  ]);
  expect(kinds([row(0, 'Gr??e'), row(2, 'Sichern', 'b.csv')])).toEqual(['own', 'write']);
  expect(kinds([row(1, '?ffnen Sie das')])).toEqual(['own']);
  expect(kinds([row(1, 'Öffnen?')])).toEqual(['write']);
});

test('a row whose source lost letters is refused, though nobody knows its text', () => {
  const text = current('size', 'Café size', null);
  const row = rowOf(text, { target: 'Ma?' });
  expect(only({ ...row, source: 'Caf? size' }, [text])?.kind).toBe('garbled');
  expect(only(row, [text])?.kind).toBe('write');
});

test('a text that only lost the line breaks at its edges is unchanged, and one that got some is not', () => {
  const text = current('page', 'One\n', 'Eins\n');
  expect(only(rowOf(text, { target: 'Eins' }), [text])?.kind).toBe('unchanged');
  expect(only(rowOf(text, { target: 'Eins', word: 'final' }), [text])?.kind).toBe('reviewed');
  expect(only(rowOf(text, { target: 'Ein' }), [text])?.kind).toBe('write');
  expect(only(rowOf(SAVE, { target: 'Speichern\n' }))?.kind).toBe('write');
});

test('new and empty rows are ignored', () => {
  expect(only(rowOf(SAVE, { target: 'Sichern', word: 'new' }))).toMatchObject({ because: 'new' });
  expect(only(rowOf(SAVE, { target: ' ' }))).toMatchObject({ kind: 'ignored', because: 'empty' });
});

test('a row of an unknown key is imported for the only text with its source, else it is reported', () => {
  const moved = rowOf(SAVE, { id: `${unitId('old.json', 'save')}.${SAVE.sourceHash}.1` });
  expect(only({ ...moved, target: 'Sichern' })).toMatchObject({ kind: 'write', text: SAVE });
  const twin = current('save2', 'Save', 'Speichern');
  expect(only({ ...moved, target: 'Sichern' }, [SAVE, twin])?.kind).toBe('unknown');
  expect(only({ ...moved, id: 'torn', target: 'Sichern' })?.kind).toBe('write');
  expect(only({ id: '../../etc/passwd', target: 'x', word: 'open' })?.kind).toBe('unknown');
});

test.each([
  ['its source', `${SAVE.unit}.AAAAAAAA.1`],
  ['its place', `AAAAAA.${SAVE.sourceHash}.1`],
  ['its place and its source', 'AAAAAA.AAAAAAAA.1'],
  ['its number', `${SAVE.unit}.${SAVE.sourceHash}.7`],
  ['its form', 'torn'],
])('an id that lost %s is found by the source of its row', (_, id) => {
  const row = rowOf(SAVE, { id, target: 'Sichern' });
  expect(only(row)).toMatchObject({ kind: 'write', text: SAVE });
  expect(only(row)).not.toHaveProperty('older');
});

test('a translation of a key that was renamed since goes to its new place, where no text exists yet', () => {
  const renamed = current('store', 'Save', null);
  expect(only(rowOf(SAVE, { target: 'Sichern' }), [renamed])).toMatchObject({
    ...{ kind: 'write', text: renamed, isFinal: false },
  });
  expect(only(rowOf(SAVE, { word: 'final' }), [renamed])).toMatchObject({
    ...{ kind: 'write', isFinal: true },
  });
  expect(only(rowOf(SAVE), [renamed])?.kind).toBe('unchanged');
  const translated = current('store', 'Save', 'Ablegen');
  expect(only(rowOf(SAVE, { target: 'Sichern' }), [translated])?.kind).toBe('conflict');
});

test('a row of a removed key does not disturb the row of another text with its source', () => {
  const gone = rowOf(current('gone', 'Save', 'Speichern'), { target: 'Sichern', word: 'final' });
  const own = rowOf(SAVE, { target: 'Ablegen' });
  const kinds = (...rows: ImportRow[]) => decideImport(rows, [SAVE]).map(({ kind }) => kind);
  expect(kinds(gone, own)).toEqual(['unknown', 'write']);
  expect(kinds(own, gone)).toEqual(['write', 'unknown']);
  expect(kinds(gone, rowOf(SAVE))).toEqual(['unknown', 'unchanged']);
  expect(kinds(gone)).toEqual(['write']);
});

test('two equal rows for one text are imported, and different ones are reported', () => {
  const row = rowOf(SAVE, { target: 'Sichern' });
  const kinds = (rows: ImportRow[]) => decideImport(rows, [SAVE]).map(({ kind }) => kind);
  expect(kinds([row, row])).toEqual(['write', 'write']);
  expect(kinds([row, { ...row, target: 'Ablegen' }])).toEqual(['twice', 'twice']);
});

test('the option of the import counts more than the marks of the rows', () => {
  expect(only(rowOf(SAVE), [SAVE], 'reviewed')?.kind).toBe('reviewed');
  expect(only(rowOf(SAVE, { target: 'Sichern' }), [SAVE], 'reviewed')).toMatchObject({
    ...{ kind: 'write', isFinal: true },
  });
  expect(only(rowOf(SAVE, { word: 'final' }), [SAVE], 'human')?.kind).toBe('unchanged');
  const fresh = rowOf(SAVE, { target: 'Sichern', word: 'new' });
  expect(only(fresh, [SAVE], 'reviewed')).toMatchObject({ kind: 'write', isFinal: true });
});

test('a text of a page whose source was changed is found by its earlier translation', () => {
  const unit = unitId('page.md');
  const texts = ['One', 'Two'].map((source) => ({
    ...current('', source, `${source}!`),
    unit,
  }));
  const changed = texts.map((text, index) =>
    index === 1 ? { ...text, source: 'Two now', sourceHash: sourceHash('Two now') } : text,
  );
  const row = rowOf(texts[1] as Made, { target: 'Zwei' });
  expect(only(row, changed)).toMatchObject({ kind: 'write', text: changed[1] });
  expect(only(row, changed)).toHaveProperty('older');
});

const WORD = fc.string({ minLength: 1, maxLength: 6 }).filter((text) => text.trim() !== '');
const TEXTS = fc
  .uniqueArray(
    fc.record({ key: WORD, source: WORD, target: fc.option(WORD), reviewed: fc.boolean() }),
    {
      selector: ({ key }) => key,
      maxLength: 12,
    },
  )
  .map((made) =>
    made.map(({ key, source, target, reviewed }) =>
      current(key, source, target, { isReviewed: reviewed && target !== null }),
    ),
  );

test('an export that comes back as it was changes nothing, whatever the order of its rows', () => {
  fc.assert(
    fc.property(TEXTS, fc.infiniteStream(fc.nat()), (texts, order) => {
      const rows = texts.map((text) => rowOf(text, { word: text.isReviewed ? 'final' : 'open' }));
      const mixed = rows.toSorted(() => (order.next().value % 2) - 0.5);
      for (const { kind } of decideImport(mixed, texts)) {
        expect(['unchanged', 'ignored']).toContain(kind);
      }
    }),
  );
});

test('the order of rows changes no decision', () => {
  fc.assert(
    fc.property(TEXTS, fc.array(fc.tuple(fc.nat(11), WORD)), (texts, edits) => {
      const rows = edits.flatMap(([at, target]) => {
        const text = texts[at];
        return text === undefined ? [] : [rowOf(text, { target })];
      });
      const kinds = (given: readonly ImportRow[]) =>
        new Map(decideImport(given, texts).map(({ row, kind }) => [row, kind]));
      const back = kinds(rows.toReversed());
      for (const [row, kind] of kinds(rows)) expect(back.get(row)).toBe(kind);
    }),
  );
});

test('an import overwrites no text of a person that was not in the file when it was exported', () => {
  const changes = fc.array(fc.option(WORD), { minLength: 12, maxLength: 12 });
  fc.assert(
    fc.property(TEXTS, changes, WORD, fc.boolean(), (exported, changed, target, keepsHash) => {
      const rows = exported.map((text): ImportRow => {
        const { was, ...row } = rowOf(text, { target });
        return keepsHash && was !== undefined ? { ...row, was } : row;
      });
      const texts = exported.map((text, index) => {
        const now = changed[index] ?? text.target;
        const isPersons = now !== null;
        return { ...text, target: now, targetHash: targetHash(now ?? ''), isPersons };
      });
      const lost = decideImport(rows, texts).filter(
        (decision) =>
          decision.kind === 'write' &&
          decision.text.isPersons &&
          decision.row.was !== decision.text.targetHash,
      );
      expect(lost).toEqual([]);
    }),
  );
});

test('of two projects with a file of the same name, a row changes the text that its id names, also when it has lost all else', () => {
  const web = { ...SAVE, project: 'web' };
  const site = { ...SAVE, project: 'site' };
  const texts = [web, site];
  const row = (project: string) => {
    const { was: _was, ...lost } = rowOf(SAVE, { target: 'Sichern' });
    return { ...lost, id: exchangeId(SAVE, project), from: 'de.csv' };
  };
  const decided = decideByProject([row('web'), row('site')], texts);
  expect(decided).toMatchObject([
    { kind: 'write', text: { project: 'web' } },
    { kind: 'write', text: { project: 'site' } },
  ]);
  const other = { ...row('site'), project: 'web' };
  expect(decideByProject([other], texts)).toMatchObject([{ text: { project: 'site' } }]);
});

test('a row of an older export, whose id names no project, is taken by its project, or by the only project with its id', () => {
  const old = { ...rowOf(SAVE, { target: 'Sichern' }), from: 'de.csv' };
  const web = { ...SAVE, project: 'web' };
  const site = { ...SAVE, project: 'site' };
  const other = { ...current('save', 'Save now', 'Jetzt'), project: 'other' };
  const taken = (row: typeof old & { project?: string }, texts: readonly (typeof web)[]) =>
    decideByProject([row], texts)[0];
  expect(taken({ ...old, project: 'web' }, [web, site])).toMatchObject({ text: web });
  expect(taken(old, [web])).toMatchObject({ kind: 'write', text: web });
  expect(taken(old, [web, site])).toMatchObject({ kind: 'unknown', isShared: true });
  expect(taken({ ...old, project: 'gone' }, [web, other])).toMatchObject({ isShared: true });
});

test('a changed text with an empty segment is refused, also where every row counts as reviewed; one that nobody changed is not', () => {
  const emptySegment = { nth: 2, of: 3 };
  const row = rowOf(SAVE, { target: 'Sichern', emptySegment });
  for (const as of [undefined, 'human', 'reviewed'] as const)
    expect(only(row, [SAVE], as)).toMatchObject({ kind: 'incomplete', lacks: emptySegment });
  expect(only({ ...row, word: 'new' })).toMatchObject({ kind: 'ignored', because: 'new' });
  expect(only({ ...row, word: 'new' }, [SAVE], 'reviewed')?.kind).toBe('incomplete');
  expect(only(rowOf(SAVE, { emptySegment }))?.kind).toBe('unchanged');
  expect(only(rowOf(SAVE, { word: 'final', emptySegment }))?.kind).toBe('reviewed');
});
