/** What `check` prints of its findings: each on a line, or those of one file that say the same in one line with a count. Pure. */
import { faultLine } from '../config/fault.ts';
import type { TargetFinding } from './init/targets.ts';

/** So many findings of one kind in one file are read one by one; more are a count. */
const FEW = 3;

/** Findings of one file and language beside those that are counted: a person mends the first ones and looks again. */
const MOST = 10;

/** @param folder absolute; files beneath it are shown relative to it */
export function checkLines(findings: readonly TargetFinding[], folder: string): string[] {
  const places = Map.groupBy(findings, ({ file, language = '' }) => `${file}\n${language}`);
  return [...places.values()].flatMap((group) => linesOfFile(group, folder));
}

/** Every finding, as `--verbose` prints it. */
export function findingLine({ message, ...place }: TargetFinding, folder: string): string {
  return faultLine({ ...place, path: '', message }, folder);
}

function linesOfFile(findings: readonly TargetFinding[], folder: string): string[] {
  const kinds = Map.groupBy(
    findings,
    ({ severity, text, message }) => `${severity} ${text?.about ?? message}`,
  );
  const counted = [...kinds.values()].filter((same) => same.length > FEW && same[0]?.text);
  const folded = new Set(counted.flat());
  const single = findings.filter((finding) => !folded.has(finding));
  // A fault of the file itself is never left out.
  const shown = single.filter(
    ({ text, severity }, index) => (text === undefined && severity === 'hold') || index < MOST,
  );
  const [rest] = single.filter((finding) => !shown.includes(finding));
  return [
    ...counted.map((same) => countLine(same, folder)),
    ...shown.map((finding) => findingLine(finding, folder)),
    ...(rest === undefined
      ? []
      : [restLine(rest, { count: single.length - shown.length, folder })]),
  ];
}

function countLine(same: readonly TargetFinding[], folder: string): string {
  const [first] = same;
  if (first === undefined) return '';
  const names = same.flatMap(({ text }) => text?.name ?? []).slice(0, FEW);
  const language = first.language === undefined ? '' : ` in ${first.language}`;
  const message = `${same.length.toLocaleString('en-US')} texts${language}: ${first.text?.about}: ${names.join(', ')} …; --verbose lists them`;
  return findingLine({ ...first, message }, folder);
}

function restLine(
  first: TargetFinding,
  { count, folder }: { readonly count: number; readonly folder: string },
): string {
  const message = `${count.toLocaleString('en-US')} more findings from here on; --verbose lists them`;
  return findingLine({ ...first, message }, folder);
}
