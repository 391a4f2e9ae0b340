/**
 * The commands for style lists: differences between file and service, the calls of `push`, and old lists that are left on the service.
 */
import { type Fault, faultLine } from '../config/fault.ts';
import { noStyleRules } from '../config/language-checks.ts';
import { findStyle, stepsOfStyle } from '../sync/style-sync.ts';
import { styleKeyOf } from '../sync/styles.ts';
import { type LoadedStyle, loadStyles } from '../terminology/load-styles.ts';
import { describeStyleDiff, type StyleStep } from '../terminology/style-steps.ts';
import { type AskedTerminology, requireSync, type TerminologyControl } from './glossaries.ts';
import type { TerminologyReport } from './report.ts';

export async function styleReports(
  rules: TerminologyControl,
  { names, act, options }: AskedTerminology,
): Promise<TerminologyReport[]> {
  // The files as they are now: a daemon uses only content that is settled and valid.
  const all = await loadStyles(rules.terminology.config);
  const isNamed = ({ content, path }: LoadedStyle) =>
    names.length === 0 || names.includes(path) || names.includes(content?.name ?? '');
  const reports: TerminologyReport[] = [];
  for (const style of all.filter(isNamed))
    reports.push(await reportOf(rules, style, { act, options }));
  return reports;
}

async function reportOf(
  { terminology, service }: TerminologyControl,
  style: LoadedStyle,
  { act, options }: Pick<AskedTerminology, 'act' | 'options'>,
): Promise<TerminologyReport> {
  const { content, path } = style;
  const line = (fault: Fault) => faultLine(fault, terminology.config.base);
  const faults = style.faults.map(line);
  const warnings = style.warnings.map(line);
  const { id, obsolete = [] } = terminology.remote.records.read(styleKeyOf(style)) ?? {};
  const report = {
    kind: 'style',
    name: content?.name ?? path,
    faults,
    warnings,
    wrote: [],
  } as const;
  const unusable = { ...report, id: id ?? null, differences: [], calls: [] };
  if (content === undefined) return unusable;
  if (!terminology.remote.styles.isSupported(content)) {
    return { ...unusable, faults: [`${path}: ${noStyleRules([content.language])}`] };
  }
  const current = await findStyle(service, { content, id }, options);
  const differences = describeStyleDiff(content, current).map((line) => differenceOf(line));
  terminology.remote.styles.report(style, differences.length === 0 ? 'equal' : 'different');
  if (differences.length > 0) await terminology.remote.records.expire(styleKeyOf(style));
  const calls = [
    ...stepsOfStyle(service, content, current).map(describeStep),
    // Left by a replacement that stopped before its last request.
    ...obsolete.map((old) => `DELETE the old list ${old}`),
  ];
  if (act !== 'push' || calls.length === 0) {
    return { ...report, id: current?.id ?? null, differences, calls };
  }
  requireSync(terminology);
  const synced = await terminology.remote.styles.sync(style, content);
  return { ...report, id: synced.id, differences, calls };
}

function differenceOf(line: string): TerminologyReport['differences'][number] {
  const change = line[0];
  if (change === '+' || change === '-' || change === '~') {
    return { where: 'list', change, what: line.slice(2) };
  }
  return { where: 'list', change: '~', what: line };
}

function describeStep(step: StyleStep): string {
  switch (step.kind) {
    case 'create':
      return 'POST the list';
    case 'replace':
      return 'POST a new list, then DELETE the old one';
    case 'rename':
      return `PATCH name ${step.name}`;
    case 'rules':
      return 'PUT the configured rules';
    case 'add':
      return `POST instruction "${step.instruction.label}"`;
    case 'edit':
      return `PUT instruction "${step.instruction.label}"`;
    case 'remove':
      return 'DELETE one instruction';
  }
}
