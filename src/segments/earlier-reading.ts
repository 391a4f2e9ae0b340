/**
 * Earlier versions read texts differently. Template calls and attributes of lines were part of the text, and line breaks between tags were
 * blanks. The tags of an element with a visible attribute were part of the text between them. Their records are read as today, so that
 * these texts are not bought again. Pure.
 */
import type { SegmentRecord } from '../baseline.ts';
import { type Part, partsText } from '../format.ts';
import { ATTRIBUTES, NO_TAG } from '../parsing/markup.ts';
import type { WantedSegment } from './decision.ts';

export function asReadNow(
  records: readonly SegmentRecord[],
  wanted: readonly Pick<WantedSegment, 'source'>[],
  found: readonly (readonly Part[])[],
): SegmentRecord[] {
  const sources = byBareText(wanted.map(({ source }) => source));
  const targets = byBareText(found);
  return records.map((record) => {
    const source = sources(record.source);
    const target = record.target && targets(partsText(record.target));
    return {
      ...record,
      ...(source === undefined ? {} : { source: partsText(source) }),
      ...(target ? { target } : {}),
    };
  });
}

/** Finds the text that differs only in markup and blanks; undefined when the same text is still there. */
function byBareText(texts: readonly (readonly Part[])[]) {
  const exact = new Set(texts.map((parts) => partsText(parts)));
  const bare = Map.groupBy(texts, (parts) => bareText(partsText(parts)));
  return (text: string): readonly Part[] | undefined => {
    if (exact.has(text)) return undefined;
    const key = bareText(text);
    return key === '' ? undefined : bare.get(key)?.shift();
  };
}

const ELEMENT = new RegExp(String.raw`^<[A-Z]${ATTRIBUTES}>(${NO_TAG})</[A-Z][\w.]*>$`);

function bareText(text: string): string {
  return text
    .replace(/\{\{[^{}]*\}\}|\{%[^{}]*%\}|\{[ \t]*[:#.][^{}]*\}/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(ELEMENT, '$1');
}
