/** What is being worked on now. */
import { html } from 'htm/preact';
import type { Cut, RunningLine } from '../../control/report.ts';
import { number, phaseWords } from './words.ts';

export function InProgress({ running, queued }: { running: Cut<RunningLine>; queued: number }) {
  const { lines, total } = running;
  const more = total - lines.length + queued;
  return html`
    <section aria-labelledby="running">
      <h2 id="running">In progress ${total > 0 && html`<span class="count">${number(total)}</span>`}</h2>
      ${total === 0 && html`<p class="note">Nothing is being translated now.</p>`}
      <ul class="running">
        ${lines.map((line) => html`<${Line} key=${`${line.project}\n${line.language}\n${line.source}`} line=${line} />`)}
      </ul>
      ${more > 0 && html`<p class="note">${number(more)} more wait for their turn.</p>`}
    </section>
  `;
}

function Line({ line }: { line: RunningLine }) {
  const { source, language, lane, phase, attempt, project } = line;
  const again = attempt > 1 ? `, attempt ${attempt}` : '';
  return html`
    <li>
      <strong class="path">${source} → ${language}</strong>
      <span class="note">${project}, ${lane}: ${phaseWords(phase)}${again}</span>
    </li>
  `;
}
