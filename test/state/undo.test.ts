import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashBytes } from '../../src/files/disk.ts';
import type { Hash, JobId } from '../../src/job.ts';
import { type Replacing, undoSteps, undoVerdict } from '../../src/state/undo.ts';

const FILES = ['a.json', 'b.json', 'c.json'];

/** Events of a file during a run: a job writes it, a job is killed before it writes, or a person writes it. */
const act = fc.record({
  who: fc.constantFrom('job', 'job', 'job', 'killed', 'person'),
  file: fc.constantFrom(...FILES),
  text: fc.nat(1000),
});

function hashOf(text: string | undefined): Hash | null {
  return text === undefined ? null : hashBytes(text);
}

function writing(file: string, texts: { old: string | undefined; next: string }): Replacing {
  const old = hashOf(texts.old);
  return {
    job: `app/de/${file}` as JobId,
    project: 'app',
    path: file,
    wrote: hashBytes(texts.next),
    old: old === null ? null : { hash: old, file: texts.old ?? '' },
    before: { wrote: [], delivered: null },
  };
}

test('taking a run back gives every file what it held before, or leaves it as somebody else made it', () => {
  const start = fc.dictionary(fc.constantFrom(...FILES), fc.constantFrom('1', '2'), {
    noNullPrototype: true,
  });
  fc.assert(
    fc.property(start, fc.array(act, { maxLength: 12 }), (before, acts) => {
      const disk = new Map<string, string>(Object.entries(before));
      const log: Replacing[] = [];
      const touched = new Set<string>();
      for (const { who, file, text } of acts) {
        const next = `${who} ${text}`;
        if (who !== 'person' && disk.get(file) !== next) {
          log.push(writing(file, { old: disk.get(file), next }));
        }
        if (who === 'person') touched.add(file);
        if (who !== 'killed') disk.set(file, next);
      }
      for (const step of undoSteps(log)) {
        const present = disk.get(step.path);
        const verdict = undoVerdict(step, hashOf(present));
        if (verdict.kind === 'put-back') {
          if (step.old === null) disk.delete(step.path);
          else disk.set(step.path, step.old.file);
        }
        // A person's text is never lost: it stays, or it was what the run found.
        if (touched.has(step.path) && verdict.kind === 'put-back') {
          expect(present?.startsWith('person')).toBe(false);
        }
        if (!touched.has(step.path)) expect(disk.get(step.path)).toBe(before[step.path]);
      }
    }),
  );
});

test('the changes of several jobs in one file are undone in one step, to the content before the first of them', () => {
  const first = writing('all.csv', { old: 'none', next: 'de' });
  const second = { ...writing('all.csv', { old: 'de', next: 'de fr' }), job: 'app/fr/x' as JobId };
  const [step, ...others] = undoSteps([first, second]);
  expect(others).toEqual([]);
  expect(step).toMatchObject({ old: { file: 'none' }, isMixed: false });
  expect(step?.jobs.map(({ id }) => id)).toEqual(['app/de/all.csv', 'app/fr/x']);
});
