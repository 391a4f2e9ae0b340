/** The Review page: a list of texts, and the text that is worked on. */
import { html } from 'htm/preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ReviewRow } from '../../control/review/report.ts';
import { Editor, type EditorVisit } from './editor.ts';
import { Filters, NoText, type WantedReviewTexts } from './review-filters.ts';
import { TextList } from './review-list.ts';
import { type FailedSave, type Saves, useSaves } from './review-saves.ts';
import { type LoadedTexts, useTexts } from './review-texts.ts';
import { rowId } from './typed-texts.ts';
import { number } from './words.ts';

export function Review() {
  const texts = useTexts();
  const [isOpen, setOpen] = useState(false);
  useListFocus(isOpen);
  const [visit, setVisit] = useState<EditorVisit>({ to: 'write' });
  const [clash, setClash] = useState<FailedSave | undefined>(undefined);
  const saves = useSaves(texts, () => setClash(undefined));
  const write = (to: number) => {
    setVisit({ to: 'write' });
    texts.go(to);
  };
  const change = (next: WantedReviewTexts) => {
    // The focus stays in the filters while a person chooses texts.
    setVisit({ to: 'look' });
    texts.begin(next);
  };
  const comeBack = (failed: FailedSave) => {
    saves.forget(failed);
    setClash(failed);
    const { project, file, text } = failed.row;
    if (failed.run === texts.run()) write(failed.at);
    else change({ ...texts.wanted, project, file, states: [], text: text.source });
  };
  const walk = (to: number) => {
    setVisit({ to: 'look' });
    texts.go(to);
  };
  const open = () => {
    setOpen(true);
    setVisit({ to: 'write' });
  };
  const put = (next: ReviewRow) => {
    setClash(undefined);
    texts.place(texts.at, next);
  };
  if (texts.loaded?.list.lock === null) return html`<${NoLock} />`;
  return html`
    <main class=${isOpen ? 'review open' : 'review'}>
      <${Chosen} texts=${texts} saves=${saves} change=${change} comeBack=${comeBack} walk=${walk} open=${open} />
      <${Edited} texts=${texts} saves=${saves} visit=${visit} clash=${clash} put=${put} write=${write} close=${() => setOpen(false)} />
    </main>
  `;
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

interface OfPage {
  readonly texts: LoadedTexts;
  readonly saves: Saves;
}

interface ChosenProps extends OfPage {
  change(wanted: WantedReviewTexts): void;
  comeBack(failed: FailedSave): void;
  walk(to: number): void;
  open(): void;
}

/** The filters and the list. */
function Chosen({ texts, saves, change, comeBack, walk, open }: ChosenProps) {
  const { loaded, wanted, total, totalWords, isCounting, at, problem, load } = texts;
  return html`
    <section aria-labelledby="review" class="choose">
      <h2 id="review">Review ${loaded && html`<span class="count">${totalWords}</span>`}</h2>
      ${loaded && html`<${Filters} list=${loaded.list} isCounting=${isCounting} wanted=${wanted} change=${change} />`}
      <p role="status" class="note counting">${isCounting || (loaded === undefined && problem === '') ? 'Counting…' : ''}</p>
      ${problem !== '' && html`<p role="alert" class="risk">${problem}</p>`}
      ${saves.failed.map((failed) => html`<${Failed} failed=${failed} comeBack=${() => comeBack(failed)} />`)}
      ${loaded && total === 0 && !isCounting && html`<${NoText} wanted=${wanted} change=${change} />`}
      ${total > 0 && html`<${TextList} rows=${loaded?.rows ?? new Map()} late=${saves.late} total=${total} isCounting=${isCounting} at=${at} go=${walk} load=${load} open=${open} />`}
    </section>
  `;
}

interface EditedProps extends OfPage {
  readonly visit: EditorVisit;
  readonly clash: FailedSave | undefined;
  put(row: ReviewRow): void;
  write(to: number): void;
  close(): void;
}

/** The text that the person works on. */
function Edited({ texts, saves, visit, clash, put, write, close }: EditedProps) {
  const { loaded, total, totalWords, isCounting, at } = texts;
  const row = loaded?.rows.get(at);
  return html`
    <section aria-labelledby="text" class="edit">
      <p class="back"><button type="button" onClick=${close}>← All texts</button></p>
      <h2 id="text">Text ${total > 0 && html`<span class="note">${number(at + 1)} of ${totalWords}</span>`}</h2>
      ${row && html`<${Editor} key=${`${row.file} ${row.text.id} ${row.text.targetHash} ${row.text.state}`} row=${row} put=${put} save=${saves.save} sent=${saves.late.get(rowId(row))} clash=${clash && rowId(clash.row) === rowId(row) ? clash : undefined} visit=${visit} go=${(step: number) => write(at + step)} undo=${saves.undo} />`}
      ${total === 0 && loaded && !isCounting && html`<p class="note">No text is chosen.</p>`}
    </section>
  `;
}

function Failed({ failed, comeBack }: { failed: FailedSave; comeBack(): void }) {
  const { text } = failed.row;
  return html`
    <p role="alert" class="risk"><b aria-hidden="true">⚠ </b><span dir="auto">${text.key || text.source.slice(0, 60)}</span> is not saved: ${failed.words}.
      <button type="button" class="link" onClick=${comeBack}>Go to it</button></p>
  `;
}
