/** Judges a person's text by the checks that translations of the service must pass, and by what the target has now. */
import { type Part, partsText, sourceParts } from '../../format.ts';
import { checkTranslation } from '../../segments/inline/check.ts';
import { maxLengthOf } from '../../segments/key-pattern.ts';
import { partsFrom } from '../../segments/raw-parts.ts';
import { type TargetHash, targetHash } from '../../segments/statements.ts';
import type { TextCase } from '../../translate/text-case.ts';
import { type OpenTarget, type PersonsText, targetIndex } from './open-target.ts';

export interface RefusedText {
  readonly id: string;
  readonly message: string;
  /** When it may be tried again. How is said where the person works: on the page, or in a terminal. */
  readonly again?: 'now' | 'after-run';
}

/** What a person should know about a text that is written nevertheless. */
export interface TextWarning {
  readonly id: string;
  readonly message: string;
}

type CheckedText = { readonly warnings: readonly TextWarning[] } & (
  | { readonly parts: readonly Part[]; readonly message?: never }
  | ({ readonly parts?: never } & Omit<RefusedText, 'id'>)
);

/** Accepts the text if the target still has it. */
export function uncheckedText({ found }: OpenTarget, { id, text }: PersonsText): CheckedText {
  const parts = found.get(id);
  if (parts !== undefined && partsText(parts) === text) return { warnings: [], parts };
  return { warnings: [], message: 'somebody changed it meanwhile', again: 'now' };
}

/** Applies the checks that translations of the service must pass. */
export function judgeText(
  { job, route }: TextCase,
  findings: OpenTarget,
  { id, text: given, was }: PersonsText,
): CheckedText {
  const segment = findings.segments.find((each) => each.id === id);
  if (findings.blocker !== undefined || segment === undefined) {
    return { warnings: [], message: 'the files changed meanwhile', again: 'now' };
  }
  const found = findings.found.get(id) ?? [];
  if (findings.reader.format.shape === 'sequence' && targetIndex(findings, id) === undefined) {
    const message = 'its page has no place for it yet';
    return { warnings: [], message, again: 'after-run' };
  }
  if (isElsewhere(findings, id, was)) {
    const message =
      'the elements of its list were moved in the source, and the next run moves the translations, too';
    return { warnings: [], message, again: 'after-run' };
  }
  const source = sourceParts(segment);
  const { keepsLineEdges } = findings.reader.format;
  const text = keepsLineEdges ? withLineEdges(given, partsText(source)) : given;
  const control = controlIn(text, partsText(source) + partsText(found));
  if (control !== undefined) {
    const message = `it has ${control}, which neither its source nor its present translation has`;
    return { warnings: [], message };
  }
  // A form may contain what another plural form of the text contains.
  const known = { source, target: [...found, ...(segment.form?.wordings.flat() ?? [])] };
  const parts = partsText(found) === text ? found : partsFrom(text, known);
  const maxLength = segment.maxLength ?? maxLengthOf(route.keys.maxLength, id);
  const results = checkTranslation(
    {
      source: { parts: source, syntax: segment.syntax },
      target: parts,
      ...(maxLength === undefined ? {} : { maxLength }),
      language: job.language,
      ...(segment.form === undefined ? {} : { form: segment.form }),
    },
    route.policies.checks,
  );
  const warnings = results
    .filter(({ severity }) => severity === 'warn')
    .map(({ message }) => ({ id, message }));
  const held = results.find(({ severity }) => severity === 'hold');
  return held === undefined ? { warnings, parts } : { warnings: [], message: held.message };
}

/** Programs for translators often drop the line break at the end of a text. */
function withLineEdges(text: string, source: string): string {
  const begin = source.startsWith('\n') && !text.startsWith('\n') ? '\n' : '';
  const end = source.endsWith('\n') && !text.endsWith('\n') ? '\n' : '';
  return `${begin}${text}${end}`;
}

/**
 * Whether the target has the text of another list element at this place. That is so when elements moved in the source, and no job has
 * reordered the target yet.
 */
function isElsewhere({ reader, target }: OpenTarget, id: string, was: TargetHash): boolean {
  if (reader.format.shape === 'sequence') return false;
  const current = target?.doc.segments.find((each) => each.id === id);
  if (current === undefined || current.gap !== undefined) return false;
  const text = partsText(current.parts);
  return text !== '' && targetHash(text) !== was;
}

/**
 * Control characters except tabs and line ends: nobody types them, and programs end a text at them. A surrogate without its other half
 * (category Cs) has no UTF-8, so the file would get another character than was saved.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\p{Cs}]/gu;

/** @returns the kind of the character, with its code point as Unicode writes it */
function controlIn(text: string, known: string): string | undefined {
  const [found] = text.matchAll(CONTROL).filter(([sign]) => !known.includes(sign));
  if (found === undefined) return undefined;
  const [sign] = found;
  const code = `U+${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
  return sign.isWellFormed() ? `the control character ${code}` : `half of a character (${code})`;
}
