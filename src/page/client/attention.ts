/** What needs a person, one thing below the other; the first few, so that what comes below is still found. */
import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { Cut, Task } from '../../control/report.ts';
import { TaskItem } from './task.ts';
import { number } from './words.ts';

const FIRST = 8;

interface Props {
  readonly attention: Cut<Task>;
  /** What is worth knowing and needs nobody. */
  readonly notes: readonly string[];
  /** The changed config is: that needs somebody, and stands above. */
  readonly isRefused: boolean;
}

export function Attention({ attention: { lines, total }, notes, isRefused }: Props) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? lines : lines.slice(0, FIRST);
  return html`
    <section aria-labelledby="attention">
      <h2 id="attention">Needs attention ${total > 0 && html`<span class="count">${number(total)}</span>`}</h2>
      ${
        total === 0
          ? html`<${Nothing} isRefused=${isRefused} />`
          : html`
          <ul class="tasks">
            ${shown.map((task) => html`<${TaskItem} key=${task.key} task=${task} />`)}
          </ul>`
      }
      ${
        lines.length > FIRST &&
        html`
        <p class="actions">
          <button type="button" aria-expanded=${isWhole} onClick=${() => setWhole(!isWhole)}>
            ${isWhole ? 'Show fewer' : `Show ${number(lines.length - FIRST)} more`}
          </button>
        </p>`
      }
      ${
        total > lines.length &&
        html`
        <p class="note">${number(total - lines.length)} more: <code>dragoman status</code> lists all of them.</p>`
      }
      ${notes.map((note) => html`<p class="note" key=${note}>${note}</p>`)}
    </section>
  `;
}

function Nothing({ isRefused }: Pick<Props, 'isRefused'>) {
  if (isRefused) return html`<p class="note">Nothing beside the config.</p>`;
  return html`<p class="good"><b aria-hidden="true">✓</b> Nothing needs you.</p>`;
}
