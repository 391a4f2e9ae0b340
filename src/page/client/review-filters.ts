/** The filters of the Review page. */
import { html } from 'htm/preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { ReviewPortion } from '../../control/review-report.ts';
import { countSoFar } from './words.ts';

/** The filters: which texts the Review page lists. */
export interface WantedReviewTexts {
  readonly project: string;
  readonly language: string;
  readonly file: string;
  readonly states: readonly string[];
  readonly text: string;
}

const REVIEW_STATES = ['missing', 'stale', 'held', 'unreviewed', 'reviewed', 'done'] as const;

interface Props {
  readonly list: ReviewPortion;
  readonly isCounting: boolean;
  readonly wanted: WantedReviewTexts;
  change(wanted: WantedReviewTexts): void;
}

/** Milliseconds without a key. Words that counted only when their field is left would replace the text that a person goes to. */
const PAUSE_MS = 250;

/** The search field. Typed words stay while the list is drawn again; only another filter changes the field. */
function Words({ text, change }: { text: string; change(text: string): void }) {
  const field = useRef<HTMLInputElement>(null);
  /** The words that the list is asked for. */
  const asked = useRef(text);
  const latest = useRef(change);
  latest.current = change;
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  useLayoutEffect(() => {
    if (field.current !== null && asked.current !== text) field.current.value = text;
    asked.current = text;
  }, [text]);
  useEffect(() => () => clearTimeout(pause.current), []);
  const ask = () => {
    clearTimeout(pause.current);
    const words = field.current?.value ?? '';
    if (words === asked.current) return;
    asked.current = words;
    latest.current(words);
  };
  const wait = () => {
    clearTimeout(pause.current);
    pause.current = setTimeout(ask, PAUSE_MS);
  };
  return html`
    <label>Words <input type="search" ref=${field} onInput=${wait} onChange=${ask} /></label>
  `;
}

export function Filters({ list, isCounting, wanted, change }: Props) {
  const { languages, projects, files, counts, language } = list;
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
        ${withChosen(files, wanted.file).map((each) => html`<option value=${each}>${each}</option>`)}</select></label>
      <${Words} text=${wanted.text} change=${(text: string) => change({ ...wanted, text })} />
    </div>
    <fieldset class="states">
      <legend>States</legend>
      ${REVIEW_STATES.map(
        (
          state,
        ) => html`<label><input type="checkbox" checked=${wanted.states.includes(state)} onChange=${() => toggle(state)} />
          ${state} <span class="note">${countSoFar(counts[state], isCounting)}</span></label>`,
      )}
    </fieldset>
  `;
}

/** Another language may not have the chosen file. A field without it would look empty while the filter is in force. */
function withChosen(files: readonly string[], chosen: string): readonly string[] {
  return chosen === '' || files.includes(chosen) ? files : [chosen, ...files];
}

/** The message when no text matches, with buttons that remove filters. */
export function NoText({ wanted, change }: Omit<Props, 'list' | 'isCounting'>) {
  const { text, states, file, project } = wanted;
  const where = states.length === 0 ? 'here' : 'in these states';
  return html`
    <div role="status" class="none">
      <p>${text === '' ? `No text is ${where}.` : html`No text ${where} has the words “<span dir="auto">${text}</span>”.`}</p>
      <p class="actions">
        ${text !== '' && html`<button type="button" onClick=${() => change({ ...wanted, text: '' })}>Without these words</button>`}
        ${states.length > 0 && html`<button type="button" onClick=${() => change({ ...wanted, states: [] })}>In all states</button>`}
        ${file !== '' && html`<button type="button" onClick=${() => change({ ...wanted, file: '' })}>In all files</button>`}
        ${project !== '' && html`<button type="button" onClick=${() => change({ ...wanted, project: '', file: '' })}>In all projects</button>`}
      </p>
    </div>
  `;
}
