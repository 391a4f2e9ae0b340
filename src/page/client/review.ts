/** The Review page: a list of texts, and the text that is worked on. */
import { html } from 'htm/preact';
import { useEffect, useReducer, useRef, useState } from 'preact/hooks';
import type { ReviewRow } from '../../control/review-report.ts';
import { Editor, type EditorVisit } from './editor.ts';
import { Filters, NoText, type WantedReviewTexts } from './review-filters.ts';
import { TextList } from './review-list.ts';
import { type LoadedTexts, useTexts } from './review-texts.ts';
import { type FailedSave, tabSaves } from './tab-saves.ts';
import { rowId } from './typed-texts.ts';
import { number } from './words.ts';

export function Review() {
  useTabSaves();
  const texts = useTexts();
  const [isOpen, setOpen] = useState(false);
  useListFocus(isOpen);
  const [visit, setVisit] = useState<EditorVisit>({ to: 'write' });
  const write = (to: number) => {
    setVisit({ to: 'write' });
    texts.go(to);
  };
  const change = (next: WantedReviewTexts) => {
    // The focus stays in the filters while a person chooses texts.
    setVisit({ to: 'look' });
    texts.begin(next);
  };
  const comeBack = ({ row }: FailedSave) => {
    setOpen(true);
    const place = texts.indexOfRow(row);
    if (place !== undefined) return write(place);
    const { project, file, language, text } = row;
    change({ project, file, language, states: [], text: text.source });
  };
  const walk = (to: number) => {
    setVisit({ to: 'look' });
    texts.go(to);
  };
  const open = () => {
    setOpen(true);
    setVisit({ to: 'write' });
  };
  const undo = async () => {
    const undone = await tabSaves.undo();
    if (undone === undefined) return;
    if ('problem' in undone) return texts.setProblem(undone.problem);
    texts.setProblem('');
    const place = texts.indexOfRow(undone);
    // With other filters, the text has another place in the list.
    if (place === undefined) texts.begin(texts.wanted);
    else write(place);
  };
  if (texts.loaded?.list.lock === null) return html`<${NoLock} />`;
  return html`
    <main class=${isOpen ? 'review open' : 'review'}>
      <${FailedSaves} current=${texts.rowAt(texts.at)} comeBack=${comeBack} />
      <${Chosen} texts=${texts} change=${change} walk=${walk} open=${open} />
      <${Edited} texts=${texts} visit=${visit} undo=${undo} write=${write} close=${() => setOpen(false)} />
    </main>
  `;
}

/** Draws the view again after each step of a save. */
function useTabSaves(): void {
  const [, draw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => tabSaves.subscribe(() => draw(undefined)), []);
}

/** Back from a text on a narrow screen, the keyboard works in the list again: the button that had the focus is gone. */
function useListFocus(isOpen: boolean): void {
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    if (wasOpen.current && !isOpen) document.querySelector<HTMLElement>('.texts')?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
}

function NoLock() {
  return html`<main><section><h2>Review</h2><p>The lock of the team records reviews, and the config names none: add <code>lock: dragoman.lock</code>.</p></section></main>`;
}

interface FailedProps {
  /** The text that is worked on: it shows its failure itself. */
  readonly current: ReviewRow | undefined;
  comeBack(failed: FailedSave): void;
}

function FailedSaves({ current, comeBack }: FailedProps) {
  const others = tabSaves.failed.filter(
    ({ row }) => current === undefined || rowId(row) !== rowId(current),
  );
  return html`<div class="failures">
    ${others.map((failed) => html`<${Failed} key=${rowId(failed.row)} failed=${failed} comeBack=${() => comeBack(failed)} />`)}
  </div>`;
}

function Failed({ failed, comeBack }: { failed: FailedSave; comeBack(): void }) {
  const { text } = failed.row;
  return html`
    <p role="alert" class="risk"><b aria-hidden="true">⚠ </b><span dir="auto">${text.key || text.source.slice(0, 60)}</span> is not saved: ${failed.words}.${' '}
      <button type="button" class="link" onClick=${comeBack}>Go to it</button></p>
  `;
}

interface ChosenProps {
  readonly texts: LoadedTexts;
  change(wanted: WantedReviewTexts): void;
  walk(to: number): void;
  open(): void;
}

/** The filters and the list. */
function Chosen({ texts, change, walk, open }: ChosenProps) {
  const { loaded, wanted, total, totalWords, isCounting, at, problem, load, rowAt } = texts;
  return html`
    <section aria-labelledby="review" class="choose">
      <h2 id="review">Review ${loaded && html`<span class="count">${totalWords}</span>`}</h2>
      ${loaded && html`<${Filters} list=${loaded.list} isCounting=${isCounting} wanted=${wanted} change=${change} />`}
      <p role="status" class="note counting">${isCounting || (loaded === undefined && problem === '') ? 'Counting…' : ''}</p>
      ${problem !== '' && html`<p role="alert" class="risk">${problem}</p>`}
      ${loaded && total === 0 && !isCounting && html`<${NoText} wanted=${wanted} change=${change} />`}
      ${total > 0 && html`<${TextList} rowAt=${rowAt} late=${tabSaves.late} total=${total} isCounting=${isCounting} at=${at} go=${walk} load=${load} open=${open} />`}
    </section>
  `;
}

interface EditedProps {
  readonly texts: LoadedTexts;
  readonly visit: EditorVisit;
  undo(): Promise<void>;
  write(to: number): void;
  close(): void;
}

/** The text that the person works on. */
function Edited({ texts, visit, undo, write, close }: EditedProps) {
  const { loaded, total, totalWords, isCounting, at, rowAt } = texts;
  const row = rowAt(at);
  return html`
    <section aria-labelledby="text" class="edit">
      <p class="back"><button type="button" onClick=${close}>← All texts</button></p>
      <h2 id="text">Text ${total > 0 && html`<span class="note">${number(at + 1)} of ${totalWords}</span>`}</h2>
      ${row && html`<${Editor} key=${rowId(row)} row=${row} visit=${visit} go=${(step: number) => write(at + step)} undo=${undo} />`}
      ${row === undefined && total > 0 && html`<p class="note">Loading the text…</p>`}
      ${total === 0 && loaded && !isCounting && html`<p class="note">No text is chosen.</p>`}
    </section>
  `;
}
