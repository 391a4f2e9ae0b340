/** The editor of one text: its source and facts, and the translation, which is checked while a person types. */
import { html } from 'htm/preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { tooLongWords } from '../../control/review/longest-text.ts';
import type { ReviewRow } from '../../control/review/report.ts';
import { describeOutOfDate } from '../../segments/out-of-date.ts';
import { Declined, reasonOfError } from './ask.ts';
import { diffWords } from './diff-words.ts';
import { lengthOf, remarksOnTypedText } from './remarks.ts';
import type { PendingSave } from './saves.ts';
import { asSeen, dropTypedText, keepTypedText, typedText } from './typed-texts.ts';
import { characters } from './words.ts';

/** Why the text is shown, a new object each time. `look`: the focus stays in the list. `write`: it goes to the translation. */
export interface EditorVisit {
  readonly to: 'look' | 'write';
}

interface Props {
  readonly row: ReviewRow;
  readonly visit: EditorVisit;
  /** The text that is being saved; undefined when none is. */
  readonly sent: string | undefined;
  /** An earlier save of this text met the save of another person, whose text must be shown. */
  readonly clash: { readonly other: ReviewRow | undefined; readonly reviewed: boolean } | undefined;
  put(row: ReviewRow): void;
  /** Resolves when the text is saved, or when saving takes long. @throws Declined */
  save(saving: PendingSave): Promise<void>;
  go(step: number): void;
  /** Undoes the last save; absent when there is none. */
  readonly undo?: (() => Promise<void>) | undefined;
}

export function Editor(props: Props) {
  const { row, visit, sent, put, go, undo } = props;
  const { text, language } = row;
  const present = sent ?? text.target ?? '';
  const [typed, setTyped] = useTypedText(row);
  const { send, isApproval, other, setOther, problem, isBusy, setBusy } = useSaving(props, typed);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (visit.to === 'write') field.current?.focus({ preventScroll: true });
  }, [visit]);
  const takeBack = async () => {
    if (typed !== present) return setTyped(present);
    if (isBusy || undo === undefined) return;
    setBusy(true);
    await undo();
    setBusy(false);
  };
  const take = () => {
    dropTypedText(row);
    if (other !== undefined) put(other);
  };
  const acts: Readonly<Record<Action, () => void>> = {
    save: () => void send(false),
    approve: () => void send(true),
    copy: () => setTyped(text.source),
    undo: () => void takeBack(),
    next: () => go(1),
    previous: () => go(-1),
  };
  const keys = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setOther(undefined);
    const action = actionOf(event);
    if (action === undefined) return;
    event.preventDefault();
    acts[action]();
  };
  const undoes = typed !== present ? 'typing' : undo === undefined ? 'nothing' : 'save';
  return html`
    <div onKeyDown=${keys}>
      <${Facts} row=${row} />
      <label for="draft">Translation (${language})</label>
      <textarea id="draft" ref=${field} rows="5" lang=${language} dir="auto" value=${typed}
        onInput=${(event: InputEvent) => setTyped((event.target as HTMLTextAreaElement).value)}></textarea>
      <p class="note" role="status">${text.maxLength === undefined ? characters(lengthOf(typed)) : `${lengthOf(typed)} of ${characters(text.maxLength)}`}${sent !== undefined && ', saving…'}${remarksOnTypedText(typed, row).map((remark) => html`<br /><span class="care">${remark}</span>`)}</p>
      ${problem !== '' && html`<p role="alert" class="risk">${problem}</p>`}
      ${other && html`<${Changed} other=${other} typed=${typed} isReviewed=${isApproval} keep=${() => void send(isApproval, other)} take=${take} />`}
      <${Buttons} acts=${acts} isBusy=${isBusy} isLate=${sent !== undefined} undoes=${undoes} />
    </div>
  `;
}

/** The typed text of the row, which is kept until it is saved, also when the page is left. */
function useTypedText(row: ReviewRow): readonly [string, (next: string) => void] {
  const [typed, setShown] = useState(() => typedText(row));
  const setTyped = (next: string) => {
    keepTypedText(row, next);
    setShown(next);
  };
  return [typed, setTyped];
}

/** Saves the typed text. The result is a problem, or the text of another person who saved first. */
function useSaving({ row, sent, clash, save, go }: Props, typed: string) {
  const [problem, setProblem] = useState('');
  const [other, setOther] = useState<ReviewRow | undefined>(undefined);
  /** Whether the person approved the text when the other save was met. */
  const [isApproval, setApproval] = useState(false);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    if (clash?.other === undefined) return;
    setApproval(clash.reviewed);
    setOther(clash.other);
  }, [clash]);
  const send = async (reviewed: boolean, seen: ReviewRow = asSeen(row)) => {
    if (isBusy || sent !== undefined) return;
    const tooLong = tooLongWords(typed);
    if (tooLong !== undefined) return setProblem(`It is not saved. ${tooLong}`);
    setBusy(true);
    try {
      await save({ row: seen, text: typed, reviewed });
      go(1);
    } catch (error) {
      const changed = error instanceof Declined && error.status === 409 ? error.row : undefined;
      if (changed === undefined) setProblem(reasonOfError(error));
      else {
        setApproval(reviewed);
        setOther(changed as ReviewRow);
      }
    } finally {
      setBusy(false);
    }
  };
  return { send, isApproval, other, setOther, problem, isBusy, setBusy };
}

function Facts({ row }: { row: ReviewRow }) {
  const { text } = row;
  return html`
    <p class="note">${row.project}: <code>${row.file}</code>${text.key && html` <code>${text.key}</code>`}, line ${text.line}, <b>${text.state}</b>${text.because && html`: ${describeOutOfDate(text.because)}`}</p>
    <dl class="facts">
      <div><dt>Source</dt><dd dir="auto">${text.source}</dd></div>
      ${text.previousSource !== undefined && html`<div><dt>What changed in it</dt><dd dir="auto">${diffWords(text.previousSource, text.source).map(({ kind, words }) => (kind === 'same' ? words : kind === 'added' ? html`<ins>${words}</ins>` : html`<del>${words}</del>`))}</dd></div>`}
      ${row.edited && html`<div><dt>Last edit</dt><dd>${editedWords(row.edited)}</dd></div>`}
      ${text.note && html`<div><dt>Note</dt><dd>${text.note}</dd></div>`}
      ${text.context && html`<div><dt>Context</dt><dd>${text.context}</dd></div>`}
      ${row.terms.length > 0 && html`<div><dt>Terms</dt><dd>${row.terms.map((term) => html`<span class="term">${term.source} → ${term.target}</span> `)}</dd></div>`}
    </dl>
  `;
}

interface ButtonsProps {
  readonly acts: Readonly<Record<Action, () => void>>;
  readonly isBusy: boolean;
  readonly isLate: boolean;
  readonly undoes: 'typing' | 'save' | 'nothing';
}

function Buttons({ acts, isBusy, isLate, undoes }: ButtonsProps) {
  return html`
    <p class="actions">
      <button type="button" class="main" disabled=${isBusy || isLate} onClick=${acts.approve}>Approve and next</button>
      <button type="button" disabled=${isBusy || isLate} onClick=${acts.save}>Save and next</button>
      <button type="button" onClick=${acts.next}>Next</button>
      <button type="button" onClick=${acts.copy}>Copy source</button>
      <button type="button" disabled=${isBusy || undoes === 'nothing'} onClick=${acts.undo}>${undoes === 'typing' ? 'Undo typing' : 'Undo last save'}</button>
    </p>
    <p class="note">Keys: <kbd>Ctrl Enter</kbd> approve and next, <kbd>Alt Enter</kbd> save and next, <kbd>Alt ↓</kbd> <kbd>Alt ↑</kbd> move, <kbd>Alt C</kbd> copy source, <kbd>Alt Z</kbd> undo typing, then the last save.</p>
  `;
}

function editedWords({ by, at, how }: NonNullable<ReviewRow['edited']>): string {
  const time = new Date(at).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
  return `${by}, ${time}${WAYS[how]}`;
}

const WAYS = { page: '', import: ', by an import', mark: ', by a mark' } as const;

/** Two people edited one text: both texts are shown, and the person chooses. */
function Changed({
  other,
  typed,
  isReviewed,
  keep,
  take,
}: {
  other: ReviewRow;
  typed: string;
  isReviewed: boolean;
  keep(): void;
  take(): void;
}) {
  return html`
    <div role="alert" class="changed">
      <p><strong class="care">Somebody changed this text since it was shown.</strong></p>
      <dl class="four">
        <div><dt>The text now${other.edited && html` <span class="note">${editedWords(other.edited)}</span>`}</dt><dd lang=${other.language} dir="auto">${other.text.target ?? '(nothing)'}</dd></div>
        <div><dt>You wrote</dt><dd lang=${other.language} dir="auto">${typed}</dd></div>
      </dl>
      <p class="actions">
        <button type="button" onClick=${keep}>${isReviewed ? 'Approve mine' : 'Save mine'}</button>
        <button type="button" onClick=${take}>Take theirs</button>
      </p>
    </div>
  `;
}

type Action = 'save' | 'approve' | 'next' | 'previous' | 'copy' | 'undo';

function actionOf(event: KeyboardEvent): Action | undefined {
  const { key, ctrlKey, metaKey, altKey } = event;
  if (key === 'Enter' && (ctrlKey || metaKey)) return 'approve';
  if (!altKey) return undefined;
  const actions: Readonly<Record<string, Action>> = {
    Enter: 'save',
    ArrowDown: 'next',
    ArrowUp: 'previous',
    c: 'copy',
    z: 'undo',
  };
  return actions[key.length === 1 ? letterOf(event) : key];
}

/**
 * The Latin letter of a key, also with Caps Lock and where the keyboard writes Cyrillic or Greek. A Latin letter with a mark is not a command:
 * with this key a person types it (`ć` in Polish).
 */
function letterOf({ key, code }: KeyboardEvent): string {
  const isOtherScript = /^\p{L}$/u.test(key) && !/\p{Script=Latin}/u.test(key);
  return (isOtherScript ? code.replace('Key', '') : key).toLowerCase();
}
