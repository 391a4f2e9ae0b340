/**
 * Fingerprints of findings: with them, a program finds the same finding in two reports. They are made of file, rule and message. Lines
 * move, so the line is not part of a fingerprint. Pure.
 */
import { hash } from 'node:crypto';
import type { ReportedFinding } from './report.ts';

/** @returns one SHA-256 (hexadecimal) for each finding, in their order; equal findings are numbered first */
export function fingerprints(findings: readonly ReportedFinding[]): string[] {
  const seen = new Map<string, number>();
  return findings.map(({ file, rule, message }) => {
    const name = `${rule}\0${file}\0${message}`;
    const number = seen.get(name) ?? 0;
    seen.set(name, number + 1);
    return hash('sha256', number === 0 ? name : `${name}\0${number}`);
  });
}
