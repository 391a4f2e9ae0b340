/** Which texts the Review page lists. */
import { html } from 'htm/preact';
import type { ReviewDesk } from '../../control/review/report.ts';
import { number } from './words.ts';

export interface Wanted {
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

export function Filters({ desk, wanted, change }: Props) {
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
