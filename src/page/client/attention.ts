/** What needs a person: the reason, what to do, what it has cost, and the button that does it. */
import { html } from 'htm/preact';
import type { Cut, Task } from '../../overview.ts';
import { TaskItem } from './task.ts';
import { number } from './words.ts';

export function Attention({ attention }: { attention: Cut<Task> }) {
  const { lines, total } = attention;
  return html`
    <section aria-labelledby="attention">
      <h2 id="attention">Needs attention ${total > 0 && html`<span class="count">${number(total)}</span>`}</h2>
      ${
        total === 0
          ? html`<p class="good"><b aria-hidden="true">✓</b> Nothing needs you.</p>`
          : html`
          <ul class="tasks">
            ${lines.map((task) => html`<${TaskItem} key=${task.key} task=${task} />`)}
          </ul>`
      }
      ${
        total > lines.length &&
        html`
        <p class="note">${number(total - lines.length)} more: <code>dragoman status</code> lists all of them.</p>`
      }
    </section>
  `;
}
