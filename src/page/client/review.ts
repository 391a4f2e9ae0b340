/** The Review page: a list of texts that is as long as it is, and one of them to work on. */
import { html } from 'htm/preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ReviewDesk, ReviewRow } from '../../control/review/report.ts';
import { ask, Declined, wordsOf } from './ask.ts';
import { draftSaved, nameOf } from './drafts.ts';
import { Editor, type Visit } from './editor.ts';
import { PORTION, TextList } from './review-list.ts';
import { keepSaves, keptSaves, type LastSave, type Saving, saveText, undoSave } from './saves.ts';
import { number } from './words.ts';

/** Milliseconds that a person waits for a save; one that takes longer goes on while they are at the next text. */
const PATIENCE_MS = 400;

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

/** Where in which list. */
type Place = Pick<LastSave, 'at' | 'run'>;

/** A save that went wrong while the person was at another text. */
interface Miss extends Place {
  readonly row: ReviewRow;
  readonly words: string;
  readonly reviewed: boolean;
  /** What stands there, where somebody else was faster. */
  readonly other: ReviewRow | undefined;
}

export function Review() {
  const [wanted, setWanted] = useState(FIRST);
  const [loaded, setLoaded] = useState<Loaded | undefined>(undefined);
  const [at, setAt] = useState(0);
  const [problem, setProblem] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [saves, setSaves] = useState(keptSaves);
  const [visit, setVisit] = useState<Visit>({ to: 'write' });
  const [late, setLate] = useState<ReadonlySet<string>>(new Set());
  const [quarrel, setQuarrel] = useState<Miss | undefined>(undefined);
  const [misses, setMisses] = useState<readonly Miss[]>([]);
  const asked = useRef(new Set<number>());
  const run = useRef(0);
  /** When the list was first looked at: what is saved since stays in it. */
  const began = useRef<string | undefined>(undefined);
  const load = (portion: number, query: Wanted = wanted) => {
    if (asked.current.has(portion)) return;
    asked.current.add(portion);
    const mine = run.current;
    ask<ReviewDesk>('/api/review/list', {
      ...bodyOf(query),
      ...(began.current === undefined ? {} : { since: began.current }),
      from: portion * PORTION,
      count: PORTION,
    }).then(
      (desk) => {
        if (mine !== run.current) return;
        began.current ??= desk.at;
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
    began.current = undefined;
    setLoaded((before) => before && { ...before, rows: new Map() });
    setAt(0);
    load(0, query);
  };
  const change = (next: Wanted) => {
    // Whoever chooses texts stays where they choose.
    setVisit({ to: 'look' });
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
    setQuarrel(undefined);
    place(at, next);
  };
  const send = async (saving: Saving, where: Place) => {
    const name = nameOf(saving.row);
    setQuarrel(undefined);
    setLate((all) => new Set([...all, name]));
    try {
      const next = await saveText(saving);
      draftSaved({ row: next, text: saving.text });
      const isSaved = next.edited !== undefined && next.edited.at !== saving.row.edited?.at;
      if (isSaved) setSaves((all) => [...all, { row: next, ...where }]);
      if (where.run === run.current) place(where.at, next);
    } finally {
      setLate((all) => new Set([...all].filter((each) => each !== name)));
    }
  };
  // A large file takes seconds to write, and nobody waits for it: what goes wrong then is told, and the text stays unsaved.
  const save = async (saving: Saving) => {
    const where = { at, run: run.current };
    const sent = send(saving, where);
    const isLate = await Promise.race([
      sent.then(() => false),
      new Promise<boolean>((resolve) => setTimeout(resolve, PATIENCE_MS, true)),
    ]);
    if (!isLate) return;
    sent.catch((error: unknown) => {
      const other = error instanceof Declined ? (error.row as ReviewRow | undefined) : undefined;
      const { row: seen, reviewed } = saving;
      const missed = { ...where, row: seen, reviewed, other, words: wordsOf(error) };
      setMisses((all) => [...all, missed]);
    });
  };
  const comeBack = (miss: Miss) => {
    setMisses((all) => all.filter((each) => each !== miss));
    setQuarrel(miss);
    const { project, file, text } = miss.row;
    if (miss.run === run.current) write(miss.at);
    else change({ ...wanted, project, file, states: [], text: text.source });
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
    setVisit({ to: 'write' });
  };
  const walk = (to: number) => {
    setVisit({ to: 'look' });
    go(to);
  };
  const write = (to: number) => {
    setVisit({ to: 'write' });
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
        ${misses.map((miss) => html`<${Missed} miss=${miss} comeBack=${() => comeBack(miss)} />`)}
        ${loaded && total === 0 && html`<${NoText} wanted=${wanted} change=${change} />`}
        ${total > 0 && html`<${TextList} rows=${loaded?.rows ?? new Map()} late=${late} total=${total} at=${at} go=${walk} load=${load} open=${open} />`}
      </section>
      <section aria-labelledby="text" class="edit">
        <p class="back"><button type="button" onClick=${() => setOpen(false)}>← All texts</button></p>
        <h2 id="text">Text ${total > 0 && html`<span class="note">${number(at + 1)} of ${number(total)}</span>`}</h2>
        ${row && html`<${Editor} key=${`${row.file} ${row.text.id} ${row.text.targetHash} ${row.text.state}`} row=${row} put=${put} save=${save} isLate=${late.has(nameOf(row))} quarrel=${quarrel && nameOf(quarrel.row) === nameOf(row) ? quarrel : undefined} visit=${visit} go=${(step: number) => write(at + step)} undo=${last && (() => undo(last))} />`}
        ${total === 0 && loaded && html`<p class="note">No text is chosen.</p>`}
      </section>
    </main>
  `;
}

function Missed({ miss, comeBack }: { miss: Miss; comeBack(): void }) {
  const { text } = miss.row;
  return html`
    <p role="alert" class="risk"><b aria-hidden="true">⚠ </b><span dir="auto">${text.key || text.source.slice(0, 60)}</span> is not saved: ${miss.words}.
      <button type="button" class="link" onClick=${comeBack}>Go to it</button></p>
  `;
}

/** Says which of the filters leaves nothing, with the way back. */
function NoText({ wanted, change }: Omit<Props, 'desk'>) {
  const { text, states } = wanted;
  const where = states.length === 0 ? 'here' : 'in these states';
  return html`
    <div role="status" class="none">
      <p>${text === '' ? `No text is ${where}.` : html`No text ${where} has the words “<span dir="auto">${text}</span>”.`}</p>
      <p class="actions">
        ${text !== '' && html`<button type="button" onClick=${() => change({ ...wanted, text: '' })}>Without these words</button>`}
        ${states.length > 0 && html`<button type="button" onClick=${() => change({ ...wanted, states: [] })}>In all states</button>`}
      </p>
    </div>
  `;
}

function bodyOf({ project, language, file, states, text }: Wanted): object {
  const given = Object.entries({ project, language, file, text }).filter(
    ([, value]) => value !== '',
  );
  return { ...Object.fromEntries(given), states };
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

/** What is typed stays in the field while the list is drawn anew: nothing but another filter writes into it. */
function Words({ text, change }: { text: string; change(text: string): void }) {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (field.current !== null && field.current.value !== text) field.current.value = text;
  }, [text]);
  return html`
    <label>Words <input type="search" ref=${field}
      onChange=${(event: Event) => change((event.target as HTMLInputElement).value)} /></label>
  `;
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
      <${Words} text=${wanted.text} change=${(text: string) => change({ ...wanted, text })} />
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
