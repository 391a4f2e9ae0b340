/** The list of the Review page. It draws only visible rows, since it may have a hundred thousand. */
import { html } from 'htm/preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ReviewRow } from '../../control/review-report.ts';
import { inLanguage } from './in-language.ts';
import { hasTypedText, rowId } from './typed-texts.ts';

/** Height of a row in pixels. */
const ROW = 76;
/** Milliseconds without a jump after which the list is at rest. */
const REST_MS = 150;
/** Number of rows that are loaded at once. */
export const LIST_PORTION = 100;

interface ListProps {
  rowAt(index: number): ReviewRow | undefined;
  /** Ids of rows that are being saved. */
  readonly late: ReadonlyMap<string, string>;
  readonly total: number;
  readonly isCounting: boolean;
  readonly at: number;
  go(to: number): void;
  load(portion: number): void;
  /** Opens the text: narrow screens show the list or the text, not both. */
  open(): void;
}

export function TextList({ rowAt, late, total, isCounting, at, go, load, open }: ListProps) {
  const [top, setTop] = useState(0);
  const box = useRef<HTMLElement>(null);
  const height = box.current?.clientHeight ?? 480;
  const first = Math.max(0, Math.floor(top / ROW) - 3);
  const last = Math.min(total, first + Math.ceil(height / ROW) + 6);
  useLoading({ first, last }, load);
  useEffect(() => {
    const list = box.current;
    if (list === null) return;
    const [begin, end] = [at * ROW, (at + 1) * ROW];
    if (begin < list.scrollTop) list.scrollTop = begin;
    else if (end > list.scrollTop + list.clientHeight) list.scrollTop = end - list.clientHeight;
  }, [at]);
  const shown = Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index);
  const move = (event: KeyboardEvent) => {
    if (event.key === 'Enter') {
      // The focus goes to the translation at once, which would get a line break.
      event.preventDefault();
      return open();
    }
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8, Home: -total, End: total };
    const step = new Map(Object.entries(steps)).get(event.key);
    if (step === undefined) return;
    event.preventDefault();
    go(Math.max(0, Math.min(total - 1, at + step)));
  };
  return html`
    <div class="texts" ref=${box} role="listbox" tabindex="0" aria-label="Texts" onKeyDown=${move}
      aria-activedescendant=${shown.includes(at) ? `row-${at}` : undefined}
      onScroll=${(event: Event) => setTop((event.target as HTMLElement).scrollTop)}>
      <div role="presentation" style=${{ height: `${total * ROW}px` }}>
        ${shown.map((index) => {
          const choose = () => {
            go(index);
            open();
          };
          return html`<div key=${index} id="row-${index}" role="option" aria-selected=${index === at}
            aria-setsize=${isCounting ? -1 : total} aria-posinset=${index + 1} class="row ${index === at ? 'chosen' : ''}"
            style=${{ top: `${index * ROW}px` }} onClick=${choose}>${rowWords(rowAt(index), late)}</div>`;
        })}
      </div>
    </div>
  `;
}

/** Loads the visible rows. While a person drags the scroll bar, rows that only pass are not loaded. */
function useLoading(
  { first, last }: { readonly first: number; readonly last: number },
  load: ListProps['load'],
): void {
  const before = useRef(0);
  useEffect(() => {
    const isJump = Math.abs(first - before.current) > LIST_PORTION;
    before.current = first;
    const loadVisible = () => {
      for (let portion = Math.floor(first / LIST_PORTION); portion * LIST_PORTION < last; portion++)
        load(portion);
    };
    if (!isJump) return loadVisible();
    const rest = setTimeout(loadVisible, REST_MS);
    return () => clearTimeout(rest);
  }, [first, last]);
}

function rowWords(row: ReviewRow | undefined, late: ReadonlyMap<string, string>) {
  if (row === undefined) return html`<span class="note">…</span>`;
  const { text, language, source_language, file } = row;
  const inTarget = text.target === null ? {} : inLanguage(language);
  return html`<span class="source" ...${inLanguage(source_language)}>${text.source}</span>
    <span class="target" ...${inTarget}>${text.target ?? '(nothing)'}</span>
    <span class="note"><b class=${toneOf(text.state)}>${text.state}</b> ${text.key || file}${late.has(rowId(row)) ? ' · saving' : hasTypedText(row) && html` · <b class="risk">not saved</b>`}</span>`;
}

function toneOf(state: string): string {
  if (state === 'reviewed') return 'good';
  return state === 'done' ? '' : 'care';
}
