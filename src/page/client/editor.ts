/** The editor of one text: its source and facts, and the translation, which is checked while a person types. */
import { html } from 'htm/preact';
import { useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks';
import { tooLongMessage } from '../../control/review/longest-text.ts';
import type { ReviewRow } from '../../control/review-report.ts';
import { describeOutOfDate } from '../../segments/out-of-date.ts';
import { diffWords } from './diff-words.ts';
import { inLanguage } from './in-language.ts';
import { lengthOf, remarksOnTypedText } from './remarks.ts';
import { type Action, actionOf, KEYS } from './shortcuts.ts';
import { type FailedSave, savingOf, tabSaves } from './tab-saves.ts';
import { dropTypedText, keepTypedText, rowId, typedText } from './typed-texts.ts';
import { characters } from './words.ts';

/** Why the text is shown, a new object each time. `look`: the focus stays in the list. `write`: it goes to the translation. */
export interface EditorVisit {
  readonly to: 'look' | 'write';
}

interface Props {
  readonly row: ReviewRow;
  readonly visit: EditorVisit;
  go(step: number): void;
  /** Undoes the last save. */
  undo(): Promise<void>;
}

export function Editor({ row, visit, go, undo }: Props) {
  const { text, language } = row;
  const [sent, failed] = [tabSaves.late.get(rowId(row)), tabSaves.failedOf(row)];
  const present = sent ?? text.target ?? '';
  const [typed, setTyped] = useTypedText(row, sent);
  const { send, problem } = useSending({ row, go }, typed);
  const field = useRef<HTMLTextAreaElement>(null);
  // Before the next key: keys that nothing has the focus for would be lost.
  useLayoutEffect(() => {
    if (visit.to === 'write') field.current?.focus({ preventScroll: true });
  }, [visit]);
  // The button that had the focus is gone.
  const close = () => {
    tabSaves.forget(row);
    field.current?.focus({ preventScroll: true });
  };
  const acts: Readonly<Record<Action, () => void>> = {
    save: () => send(false),
    approve: () => send(true),
    copy: () => setTyped(text.source),
    undo: () => (typed === present ? void undo() : setTyped(present)),
    next: () => go(1),
    previous: () => go(-1),
  };
  const keys = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && failed !== undefined) close();
    const action = event.isComposing ? undefined : actionOf(event);
    if (action === undefined) return;
    event.preventDefault();
    if (action !== 'nothing') acts[action]();
  };
  const take = (other: ReviewRow) => {
    dropTypedText(row);
    tabSaves.note(other);
    close();
  };
  const undoes = typed !== present ? 'typing' : tabSaves.canUndo ? 'save' : 'nothing';
  return html`
    <div onKeyDown=${keys}>
      <${Facts} row=${row} />
      <label for="draft">Translation (${language})</label>
      <textarea id="draft" aria-describedby="source-text" ref=${field} rows="5" ...${inLanguage(language)} value=${typed}
        onInput=${(event: InputEvent) => setTyped((event.target as HTMLTextAreaElement).value)}></textarea>
      <${Remarks} row=${row} typed=${typed} isSaving=${sent !== undefined} />
      ${problem !== '' && html`<p role="alert" class="risk">${problem}</p>`}
      ${failed && (failed.other === undefined ? html`<p role="alert" class="risk">It is not saved: ${failed.words}.</p>` : html`<${Changed} failed=${failed} other=${failed.other} typed=${typed} keep=${() => send(failed.reviewed, { row: failed.other as ReviewRow, text: typed, reviewed: failed.reviewed })} take=${take} />`)}
      <${Buttons} acts=${acts} undoes=${undoes} />
    </div>
  `;
}

interface RemarksProps {
  readonly row: ReviewRow;
  readonly typed: string;
  readonly isSaving: boolean;
}

/** The length of the typed text, and what is wrong with it. A screen reader hears the second, since the first changes with each key. */
function Remarks({ row, typed, isSaving }: RemarksProps) {
  const { max_length: most } = row.text;
  const length =
    most === undefined ? characters(lengthOf(typed)) : `${lengthOf(typed)} of ${characters(most)}`;
  return html`
    <p class="note">${length}${isSaving && ', saving…'}</p>
    <div class="note" role="status">${remarksOnTypedText(typed, row).map((remark) => html`<p class="care" key=${remark}>${remark}</p>`)}</div>
  `;
}

/** Sends the typed text. The next text is shown at once, so that keys that follow a save go into it. */
function useSending({ row, go }: Pick<Props, 'row' | 'go'>, typed: string) {
  const [problem, setProblem] = useState('');
  const send = (reviewed: boolean, saving = savingOf(row, typed, reviewed)) => {
    const refusal = unsavableBecause(typed);
    if (refusal !== undefined) return setProblem(`It is not saved. ${refusal}`);
    setProblem('');
    tabSaves.save(saving);
    go(1);
  };
  return { send, problem };
}

/** What the page knows by itself: the daemon would refuse such a text, too. */
function unsavableBecause(typed: string): string | undefined {
  return typed.trim() === '' ? 'The text is empty.' : tooLongMessage(typed);
}

/** The typed text of the row, which is kept until it is saved, also when the page is left. */
function useTypedText(
  row: ReviewRow,
  sent: string | undefined,
): readonly [string, (next: string) => void] {
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const setTyped = (next: string) => {
    keepTypedText(row, next, sent);
    draw(undefined);
  };
  return [typedText(row), setTyped];
}

function Facts({ row }: { row: ReviewRow }) {
  const { text } = row;
  const frame = useKeysWhereItScrolls();
  return html`
    <p class="note">${row.project}: <code>${row.file}</code>${text.key && html` <code>${text.key}</code>`}, line ${text.line}, <b>${text.state}</b>${text.because && html`: ${describeOutOfDate(text.because)}`}</p>
    <div class="facts" role="group" aria-label="Source and facts" ref=${frame}><dl>
      <div><dt>Source</dt><dd id="source-text" ...${inLanguage(row.source_language)}>${text.source}</dd></div>
      ${text.previous_source !== undefined && html`<div><dt>What changed in it</dt><dd ...${inLanguage(row.source_language)}>${diffOf(text.previous_source, text.source)}</dd></div>`}
      ${row.edited && html`<div><dt>Last edit</dt><dd>${editedWords(row.edited)}</dd></div>`}
      ${text.note && html`<div><dt>Note</dt><dd dir="auto">${text.note}</dd></div>`}
      ${text.context && html`<div><dt>Context</dt><dd dir="auto">${text.context}</dd></div>`}
      ${row.terms.length > 0 && html`<div><dt>Terms</dt><dd>${row.terms.map((term) => html`<span class="term"><bdi ...${inLanguage(row.source_language)}>${term.source}</bdi> → <bdi ...${inLanguage(row.language)}>${term.target}</bdi></span> `)}</dd></div>`}
    </dl></div>
  `;
}

/** The keyboard reaches an element that scrolls, and passes by one that does not. @returns the reference of the element */
function useKeysWhereItScrolls() {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const frame = element.current;
    if (frame === null) return;
    const observer = new ResizeObserver(() => {
      if (frame.scrollHeight > frame.clientHeight) frame.tabIndex = 0;
      else frame.removeAttribute('tabindex');
    });
    for (const each of [frame, ...frame.children]) observer.observe(each);
    return () => observer.disconnect();
  }, []);
  return element;
}

function diffOf(before: string, after: string) {
  return diffWords(before, after).map(({ kind, words }) => {
    if (kind === 'same') return words;
    return kind === 'added' ? html`<ins>${words}</ins>` : html`<del>${words}</del>`;
  });
}

interface ButtonsProps {
  readonly acts: Readonly<Record<Action, () => void>>;
  readonly undoes: 'typing' | 'save' | 'nothing';
}

function Buttons({ acts, undoes }: ButtonsProps) {
  return html`
    <p class="actions">
      <button type="button" class="main" aria-keyshortcuts=${KEYS.spoken.approve} onClick=${acts.approve}>Approve and next</button>
      <button type="button" aria-keyshortcuts=${KEYS.spoken.save} onClick=${acts.save}>Save and next</button>
      <button type="button" aria-keyshortcuts=${KEYS.spoken.next} onClick=${acts.next}>Next</button>
      <button type="button" aria-keyshortcuts=${KEYS.spoken.copy} onClick=${acts.copy}>Copy source</button>
      <button type="button" aria-keyshortcuts=${KEYS.spoken.undo} disabled=${undoes === 'nothing'} onClick=${acts.undo}>${undoes === 'typing' ? 'Undo typing' : 'Undo last save'}</button>
    </p>
    <p class="note keys">Keys: ${EXPLAINED.map(([actions, words], at) => html`${at > 0 && ', '}${actions.map((action) => html`<kbd>${KEYS.names[action]}</kbd> `)}${words}`)}.</p>
  `;
}

const EXPLAINED: readonly (readonly [actions: readonly Action[], words: string])[] = [
  [['approve'], 'approve and next'],
  [['save'], 'save and next'],
  [['next', 'previous'], 'move'],
  [['copy'], 'copy source'],
  [['undo'], 'undo typing, then the last save'],
];

function editedWords({ by, at, how }: NonNullable<ReviewRow['edited']>): string {
  const time = new Date(at).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
  return `${by}, ${time}${WAYS[how]}`;
}

const WAYS = { page: '', import: ', by an import', mark: ', by a mark' } as const;

interface ChangedProps {
  readonly failed: FailedSave;
  readonly other: ReviewRow;
  readonly typed: string;
  keep(): void;
  take(other: ReviewRow): void;
}

/** The text or its source is another one by now: both texts are shown, and the person chooses. */
function Changed({ failed, other, typed, keep, take }: ChangedProps) {
  const { row, words, reviewed } = failed;
  const isOtherSource = row.text.source_hash !== other.text.source_hash;
  return html`
    <div role="alert" class="changed">
      <p><strong class="care">It is not saved: ${words}.</strong></p>
      <dl class="four">
        ${isOtherSource && html`<div><dt>The source now</dt><dd ...${inLanguage(row.source_language)}>${diffOf(row.text.source, other.text.source)}</dd></div>`}
        <div><dt>The text now${other.edited && html` <span class="note">${editedWords(other.edited)}</span>`}</dt><dd ...${other.text.target === null ? {} : inLanguage(other.language)}>${other.text.target ?? '(nothing)'}</dd></div>
        <div><dt>You wrote</dt><dd ...${inLanguage(other.language)}>${typed}</dd></div>
      </dl>
      <p class="actions">
        <button type="button" onClick=${keep}>${reviewed ? 'Approve mine' : 'Save mine'}</button>
        <button type="button" onClick=${() => take(other)}>Take the present text</button>
      </p>
    </div>
  `;
}
