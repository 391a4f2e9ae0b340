/** Reads one source or one target for `check`: the work behind `target-parsers.ts`. */
import { describeDuplicate } from '../../formats/text/duplicates.ts';
import type { Reading } from '../../parsing/parser.ts';
import { decide, gather, look } from '../../translate/inspection.ts';
import { Recall } from '../../translate/recall.ts';
import { openSource, readSource as readSourceFile } from '../../translate/text-files.ts';
import { type Finding, findingsIn } from './findings.ts';
import { caseOf, sourceCase } from './target-case.ts';
import type { PackedSource, PackedTarget } from './target-parsers.ts';

export const readSource: Reading<PackedSource, readonly Finding[]> = async (inspected) => {
  const text = sourceCase(inspected);
  const files = await readSourceFile(text);
  return () => {
    const { warnings, duplicates = [] } = openSource(text, files).doc;
    const repeated = duplicates.map((duplicate) => ({
      line: duplicate.lines[1] ?? 1,
      message: describeDuplicate(duplicate),
    }));
    return [...warnings, ...repeated].map(({ line, message }) => ({
      line,
      column: 1,
      severity: 'warn',
      message,
    }));
  };
};

export const readTarget: Reading<PackedTarget, readonly Finding[]> = async (inspected) => {
  const text = caseOf(inspected);
  const material = await gather(text);
  return () => {
    const findings = look(text, material);
    return findingsIn({ ...findings, ...decide(text, findings, new Recall()) }, text);
  };
};
