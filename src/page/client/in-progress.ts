/** The present work, one line for each file. */
import { html } from 'htm/preact';
import type { PageSnapshot } from '../snapshot.ts';
import { number, phaseWords, timeLeft } from './words.ts';

/** Number of languages that are named for a file. */
const NAMED_LANGUAGES = 6;

export function WorkSection({ work, queued }: { work: PageSnapshot['work']; queued: number }) {
  const { lines, total } = work;
  const more = total - lines.length;
  return html`
    <section aria-labelledby="running">
      <h2 id="running">In progress ${total > 0 && html`<span class="count">${number(total)}</span>`}</h2>
      ${total === 0 && html`<p class="note">Nothing is being translated now.</p>`}
      <ul class="running">
        ${lines.map((line) => html`<${Line} key=${`${line.project}\n${line.source}`} line=${line} />`)}
      </ul>
      ${more > 0 && html`<p class="note">${number(more)} more files are being worked on.</p>`}
      ${queued > 0 && html`<p class="note">${number(queued)} ${queued === 1 ? 'job waits for its turn' : 'jobs wait for their turn'}.</p>`}
    </section>
  `;
}

function Line({ line }: { line: PageSnapshot['work']['lines'][number] }) {
  const { source, lane, project, languages, running, seconds_left } = line;
  const left = seconds_left === null ? '' : `, ${timeLeft(seconds_left)}`;
  return html`
    <li>
      <strong class="path">${source}</strong>
      <progress value=${languages.done} max=${languages.total} aria-label="Languages of ${source} that are done"></progress>
      <span class="note">${project}, ${lane}: ${number(languages.done)} of ${number(languages.total)} languages${left}</span>
      <span class="note">${describe(running)}</span>
    </li>
  `;
}

/** `translating de, fr; waiting for the service: ja`. */
function describe(running: PageSnapshot['work']['lines'][number]['running']): string {
  const phases = Map.groupBy(running, ({ phase }) => phase);
  return [...phases]
    .map(([phase, jobs]) => {
      const named = jobs.slice(0, NAMED_LANGUAGES).map(({ language, attempt }) => {
        return attempt > 1 ? `${language} (attempt ${attempt})` : language;
      });
      const more =
        jobs.length > NAMED_LANGUAGES ? ` and ${number(jobs.length - NAMED_LANGUAGES)} more` : '';
      return `${phaseWords(phase)}: ${named.join(', ')}${more}`;
    })
    .join('; ');
}
