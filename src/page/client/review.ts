/** The Review page: a list of texts that is as long as it is, and one of them to work on. */
import { html } from 'htm/preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ReviewDesk, ReviewRow } from '../../control/review/report.ts';
import { ask, Declined, wordsOf } from './ask.ts';
import { hasDraft } from './drafts.ts';
import { Editor } from './editor.ts';
import { keepSaves, keptSaves, type LastSave, undoSave } from './saves.ts';
import { number } from './words.ts';

/** Pixels of a row, and rows of a portion. */
const ROW = 76;
const PORTION = 100;

const FIRST: Wanted = {
  project: '',
  language: '',
  file: '',
  states: ['stale', 'unreviewed'],
  text: '',
};

interface Loaded {
  readonly desk: ReviewDesk;
  /** By their place in the list. */
  readonly rows: ReadonlyMap<number, ReviewRow>;
}

export function Review() {
  const [wanted, setWanted] = useState(FIRST);
  const [loaded, setLoaded] = useState<Loaded | undefined>(undefined);
  const [at, setAt] = useState(0);
  const [problem, setProblem] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [saves, setSaves] = useState(keptSaves);
  // Whoever walks the list by its arrows stays there (below 0); whoever opens a text or saves one comes to write, time after time.
  const [visit, setVisit] = useState(1);
  const asked = useRef(new Set<number>());
  const run = useRef(0);
  const load = (portion: number, query: Wanted = wanted) => {
    if (asked.current.has(portion)) return;
    asked.current.add(portion);
    const mine = run.current;
    ask<ReviewDesk>('/api/review/list', {
      ...bodyOf(query),
      from: portion * PORTION,
      count: PORTION,
    }).then(
      (desk) => {
        if (mine !== run.current) return;
        setProblem('');
        setLoaded((before) => ({
          desk,
          rows: new Map([
            ...(before?.rows ?? []),
            ...desk.rows.map((row, index) => [portion * PORTION + index, row] as const),
          ]),
        }));
      },
      (error: unknown) => {
        asked.current.delete(portion);
        setProblem(wordsOf(error));
      },
    );
  };
  const begin = (query: Wanted) => {
    run.current += 1;
    asked.current = new Set();
    setLoaded((before) => before && { ...before, rows: new Map() });
    setAt(0);
    load(0, query);
  };
  const change = (next: Wanted) => {
    setWanted(next);
    begin(next);
  };
  useEffect(() => begin(wanted), []);
  useEffect(() => keepSaves(saves), [saves]);
  const total = loaded?.desk.total ?? 0;
  const row = loaded?.rows.get(at);
  const go = (to: number) => {
    if (to < 0 || to >= total) return;
    setAt(to);
    load(Math.floor(to / PORTION));
  };
  // A saved text stays in its place, also when it is in another state now: the list does not move under a person's hands.
  const place = (index: number, next: ReviewRow) =>
    setLoaded((before) => before && { ...before, rows: new Map([...before.rows, [index, next]]) });
  const put = (next: ReviewRow) => {
    const isSaved = next.edited !== undefined && next.edited.at !== row?.edited?.at;
    if (isSaved) setSaves([...saves, { row: next, at, run: run.current }]);
    place(at, next);
  };
  const last = saves.at(-1);
  const undo = async (save: LastSave) => {
    try {
      const before = await undoSave(save);
      setProblem('');
      // Under other filters it stands elsewhere in the list.
      if (save.run !== run.current) begin(wanted);
      else {
        place(save.at, before);
        go(save.at);
      }
    } catch (error) {
      setProblem(wordsOf(error));
      // Nobody said no: it can be tried again.
      if (!(error instanceof Declined)) return;
    }
    setSaves((all) => all.filter((each) => each !== save));
  };
  const open = () => {
    setOpen(true);
    setVisit((last) => Math.abs(last) + 1);
  };
  const walk = (to: number) => {
    setVisit((last) => -Math.abs(last));
    go(to);
  };
  const write = (to: number) => {
    setVisit((last) => Math.abs(last) + 1);
    go(to);
  };
  if (loaded?.desk.lock === null) {
    return html`<main><section><h2>Review</h2><p>Reviews are written down in the lock of the team, and the config names none: add <code>lock: dragoman.lock</code>.</p></section></main>`;
  }
  return html`
    <main class=${isOpen ? 'review open' : 'review'}>
      <section aria-labelledby="review" class="choose">
        <h2 id="review">Review ${loaded && html`<span class="count">${number(total)}</span>`}</h2>
        ${loaded && html`<${Filters} desk=${loaded.desk} wanted=${wanted} change=${change} />`}
        ${problem !== '' && html`<p role="alert" class="risk">${problem}</p>`}
        <${List} rows=${loaded?.rows ?? new Map()} total=${total} at=${at} go=${walk} load=${load} open=${open} />
      </section>
      <section aria-labelledby="text" class="edit">
        <p class="back"><button type="button" onClick=${() => setOpen(false)}>← All texts</button></p>
        <h2 id="text">Text ${total > 0 && html`<span class="note">${number(at + 1)} of ${number(total)}</span>`}</h2>
        ${row && html`<${Editor} key=${`${row.file} ${row.text.id} ${row.text.targetHash} ${row.text.state}`} row=${row} put=${put} visit=${visit} go=${(step: number) => write(at + step)} undo=${last && (() => undo(last))} />`}
        ${total === 0 && loaded && html`<p class="note">No text is in these states.</p>`}
      </section>
    </main>
  `;
}

function bodyOf({ project, language, file, states, text }: Wanted): object {
  const given = Object.entries({ project, language, file, text }).filter(
    ([, value]) => value !== '',
  );
  return { ...Object.fromEntries(given), states };
}

interface ListProps {
  readonly rows: ReadonlyMap<number, ReviewRow>;
  readonly total: number;
  readonly at: number;
  go(to: number): void;
  load(portion: number): void;
  /** Narrow screens show the list or the text, not both. */
  open(): void;
}

/** Only what is in sight is drawn: the list may have a hundred thousand rows. */
function List({ rows, total, at, go, load, open }: ListProps) {
  const [top, setTop] = useState(0);
  const box = useRef<HTMLElement>(null);
  const height = box.current?.clientHeight ?? 480;
  const first = Math.max(0, Math.floor(top / ROW) - 3);
  const last = Math.min(total, first + Math.ceil(height / ROW) + 6);
  useEffect(() => {
    for (let portion = Math.floor(first / PORTION); portion * PORTION < last; portion++)
      load(portion);
  }, [first, last]);
  useEffect(() => {
    const list = box.current;
    if (list === null) return;
    const [begin, end] = [at * ROW, (at + 1) * ROW];
    if (begin < list.scrollTop) list.scrollTop = begin;
    else if (end > list.scrollTop + list.clientHeight) list.scrollTop = end - list.clientHeight;
  }, [at]);
  const shown = Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index);
  const move = (event: KeyboardEvent) => {
    if (event.key === 'Enter') return open();
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    go(Math.max(0, Math.min(total - 1, at + step)));
  };
  return html`
    <div class="texts" ref=${box} role="listbox" tabindex="0" aria-label="Texts" onKeyDown=${move}
      aria-activedescendant=${total === 0 ? undefined : `row-${at}`}
      onScroll=${(event: Event) => setTop((event.target as HTMLElement).scrollTop)}>
      <div role="presentation" style=${{ height: `${total * ROW}px` }}>
        ${shown.map((index) => {
          const row = rows.get(index);
          return html`<div key=${index} id="row-${index}" role="option" aria-selected=${index === at}
            aria-setsize=${total} aria-posinset=${index + 1} class="row ${index === at ? 'chosen' : ''}"
            style=${{ top: `${index * ROW}px` }} onClick=${() => {
              go(index);
              open();
            }}>
            ${
              row === undefined
                ? html`<span class="note">…</span>`
                : html`<span class="source" dir="auto">${row.text.source}</span>
                <span class="target" lang=${row.language} dir="auto">${row.text.target ?? '(nothing)'}</span>
                <span class="note"><b class=${toneOf(row.text.state)}>${row.text.state}</b> ${row.text.key || row.file}${hasDraft(row) ? ' · not saved' : ''}</span>`
            }
          </div>`;
        })}
      </div>
    </div>
  `;
}

function toneOf(state: string): string {
  if (state === 'reviewed') return 'good';
  return state === 'done' ? '' : 'care';
}

/** Which texts the Review page lists. */
interface Wanted {
  readonly project: string;
  readonly language: string;
  readonly file: string;
  readonly states: readonly string[];
  readonly text: string;
}

const STATES = ['missing', 'stale', 'held', 'unreviewed', 'reviewed', 'done'] as const;

interface Props {
  readonly desk: ReviewDesk;
  readonly wanted: Wanted;
  change(wanted: Wanted): void;
}

function Filters({ desk, wanted, change }: Props) {
  const { languages, projects, files, counts, language } = desk;
  const toggle = (state: string) => {
    const has = wanted.states.includes(state);
    change({
      ...wanted,
      states: has ? wanted.states.filter((each) => each !== state) : [...wanted.states, state],
    });
  };
  const choose = (name: 'project' | 'language' | 'file') => (event: Event) => {
    const more = name === 'project' ? { file: '' } : {};
    change({ ...wanted, ...more, [name]: (event.target as HTMLSelectElement).value });
  };
  return html`
    <div class="filters">
      <label>Language <select value=${wanted.language || language} onChange=${choose('language')}>
        ${languages.map((each) => html`<option value=${each}>${each}</option>`)}</select></label>
      ${
        projects.length > 1 &&
        html`<label>Project <select value=${wanted.project} onChange=${choose('project')}>
          <option value="">all</option>
          ${projects.map((each) => html`<option value=${each}>${each}</option>`)}</select></label>`
      }
      <label>File <select value=${wanted.file} onChange=${choose('file')}>
        <option value="">all</option>
        ${files.map((each) => html`<option value=${each}>${each}</option>`)}</select></label>
      <label>Words <input type="search" value=${wanted.text}
        onChange=${(event: Event) => change({ ...wanted, text: (event.target as HTMLInputElement).value })} /></label>
    </div>
    <fieldset class="states">
      <legend>States</legend>
      ${STATES.map(
        (
          state,
        ) => html`<label><input type="checkbox" checked=${wanted.states.includes(state)} onChange=${() => toggle(state)} />
          ${state} <span class="note">${number(counts[state])}</span></label>`,
      )}
    </fieldset>
  `;
}
