/** Tells findings of two reports apart: by file and message and not by line, since lines move. Pure. */
import { hash } from 'node:crypto';
import type { ReportedFinding } from './report.ts';

/** @returns one name for each, in the order of the findings; those that are alike are numbered */
export function fingerprints(findings: readonly ReportedFinding[]): string[] {
  const seen = new Map<string, number>();
  return findings.map(({ file, rule, message }) => {
    const name = `${rule}\0${file}\0${message}`;
    const number = seen.get(name) ?? 0;
    seen.set(name, number + 1);
    return hash('sha256', number === 0 ? name : `${name}\0${number}`);
  });
}
