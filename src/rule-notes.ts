/** What a person should hear of glossaries and styles in one file: texts bought again for them, terms that did not come out. */
import { type Examination, makingFor, type TextCase } from './examine.ts';
import { partsText } from './format.ts';
import { describeFinding, missingTerms } from './glossary/occurrence.ts';
import type { Prices } from './improvement.ts';
import type { SegmentRecord } from './segments/record.ts';

/** Which texts of a job are bought again though their sources stayed. */
export function boughtAgain({ job }: TextCase, { merge }: Examination): string[] {
  const keys = merge.decisions.flatMap((decision) =>
    decision.kind === 'buy' && decision.reason === 'recipe' ? [decision.id] : [],
  );
  if (keys.length === 0) return [];
  return [
    `${job.source} (${job.language}): bought again, since their rules changed: ${keys.join(', ')}`,
  ];
}

/** Which texts stand as they are though a term that their source holds is another now: nothing buys them again. */
export function staleTerms(text: TextCase, { merge }: Examination): string[] {
  const { job, route } = text;
  if (route.policies.retranslateOn.has('glossary')) return [];
  const keys = merge.decisions.flatMap((decision) => {
    if (decision.kind !== 'keep' || decision.record.origin !== 'machine') return [];
    const { id, source, made } = decision.record;
    return made !== undefined && made.terms !== makingFor(text, [source]).terms ? [id] : [];
  });
  if (keys.length === 0) return [];
  return [
    `${job.source} (${job.language}): a term of these changed, and they stay as they are (retranslate_on: [glossary] would buy them again): ${keys.join(', ')}`,
  ];
}

/** The own bill of improving the sources. */
export function improvementBill({ job }: TextCase, { improvement }: Prices): string[] {
  if (improvement === 0) return [];
  const characters = improvement.toLocaleString('en-US');
  return [`${job.source}: improving its texts first costs ${characters} of these characters`];
}

/** Terms that the texts bought just now should hold and do not, a sentence each: a report, never a hold. */
export function termsMissing(
  { words }: TextCase,
  records: readonly SegmentRecord[],
  bought: ReadonlySet<string>,
): string[] {
  const index = words.terms?.index;
  if (index === undefined) return [];
  const machine = records.filter(({ id, origin }) => origin === 'machine' && bought.has(id));
  return machine.flatMap(({ id, source, target }) => {
    if (target === null) return [];
    const findings = missingTerms(source, partsText(target), index);
    return findings.map((finding) => `${id}: ${describeFinding(finding)}`);
  });
}
