/**
 * What a PO entry says of its text in comments for translators: `key: nav.home`, `target: 1EN6qd`. Programs that turn PO into XLIFF
 * make notes of them, and back.
 */
import type { ExchangeUnit, ReturnedRow } from './exchange.ts';

/** States that are exported as `fuzzy`: whoever removes the mark has looked at the text. */
export const FUZZY: ReadonlySet<ExchangeUnit['state']> = new Set(['unreviewed', 'stale', 'held']);

interface SaidOfText {
  readonly row: Pick<ReturnedRow, 'project' | 'path' | 'key' | 'was'>;
  readonly isReviewed: boolean;
  /** It was exported with a mark that asks for a person. */
  readonly wasFuzzy: boolean;
}

/** @param lines later ones count more: the first are notes of developers, which may look the same */
export function readComments(lines: readonly string[]): SaidOfText {
  const said = (name: string) =>
    lines
      .findLast((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2)
      .trimEnd();
  const fields = { project: 'project', path: 'file', key: 'key', was: 'target' } as const;
  const row = Object.fromEntries(
    Object.entries(fields).flatMap(([field, name]) => {
      const value = said(name);
      return value === undefined ? [] : [[field, value]];
    }),
  );
  const state = said('state') as ExchangeUnit['state'] | undefined;
  return {
    row,
    isReviewed: state === 'reviewed',
    // The second is a note of an XLIFF export: programs make each unit without an approval a fuzzy entry.
    wasFuzzy: (state !== undefined && FUZZY.has(state)) || said('approved') !== undefined,
  };
}
