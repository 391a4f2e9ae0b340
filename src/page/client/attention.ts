/** The list of tasks that need a person. Only the first are shown, so that the sections below stay visible. */
import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { Cut, Task } from '../../control/report.ts';
import { askDaemon, reasonOfError } from './ask.ts';
import { TaskItem } from './task.ts';
import { number } from './words.ts';

const FIRST = 8;

interface Props {
  readonly attention: Cut<Task>;
  /** Notes that need no action. */
  readonly notes: readonly string[];
  /** The changed config is refused: it needs a person, and is shown above. */
  readonly isRefused: boolean;
  /** Why paid work is stopped, which the head also shows; null when it runs. */
  readonly stoppedBy: string | null;
  /** Texts that wait for a review; null: they are not counted yet. */
  readonly unreviewed: number | null;
}

export function Attention(props: Props) {
  const { notes, unreviewed } = props;
  const { lines, total } = tasksBelow(props);
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? lines : lines.slice(0, FIRST);
  return html`
    <section aria-labelledby="attention">
      <h2 id="attention">Needs attention ${total > 0 && html`<span class="count">${number(total)}</span>`}</h2>
      ${
        total === 0
          ? html`<${Nothing} ...${props} />`
          : html`
          <${KeepAll} tasks=${lines} />
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
      ${
        unreviewed !== null &&
        unreviewed > 0 &&
        html`<p class="care"><a href="#review">${number(unreviewed)} ${unreviewed === 1 ? 'text' : 'texts'}</a> to review</p>`
      }
      ${notes.map((note) => html`<p class="note" key=${note}>${note}</p>`)}
    </section>
  `;
}

/** The tasks but for the refused config, which is shown above with its faults. */
function tasksBelow({ attention, isRefused }: Props): Cut<Task> {
  if (!isRefused) return attention;
  const lines = attention.lines.filter(({ code }) => code !== 'config-not-reloaded');
  return { lines, total: attention.total - (attention.lines.length - lines.length) };
}

/** The button that keeps people's texts in all conflicts. It asks again, since it ends all of these conflicts. */
function KeepAll({ tasks }: { tasks: readonly Task[] }) {
  const [state, setState] = useState<'idle' | 'asking' | 'working'>('idle');
  const [problem, setProblem] = useState('');
  const open = tasks.filter(({ code }) => code === 'conflict');
  if (open.length < 2 && problem === '') return null;
  const keep = async () => {
    setState('working');
    try {
      for (const { project, languages, file } of open) {
        const choice = { kind: 'human' };
        await askDaemon('/api/resolve', { project, language: languages[0] ?? '', file, choice });
      }
    } catch (error) {
      setProblem(reasonOfError(error));
    }
    setState('idle');
  };
  const cancel = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setState('idle');
  };
  return html`
    <p class="actions" onKeyDown=${cancel}>
      ${
        state === 'asking'
          ? html`<span>What people wrote stays in ${number(open.length)} files, beside sources that changed. Nothing is billed.</span>
          <button type="button" class="main" onClick=${keep}>Keep all now</button>
          <button type="button" onClick=${() => setState('idle')}>Cancel</button>`
          : html`<button type="button" disabled=${state === 'working'} onClick=${() => setState('asking')}>Keep all of the person’s (${number(open.length)} files)</button>`
      }
      ${problem !== '' && html`<span role="alert" class="risk">${problem}</span>`}
    </p>
  `;
}

function Nothing({ isRefused, notes, stoppedBy, unreviewed }: Props) {
  if (stoppedBy !== null) return html`<p class="care">Paid work is stopped: ${stoppedBy}.</p>`;
  if (isRefused) return html`<p class="note">Nothing else needs you.</p>`;
  if (unreviewed === null) {
    return html`<p class="note">No task needs you; texts to review are not counted yet.</p>`;
  }
  if (unreviewed > 0) return html`<p class="note">No task needs you but the review.</p>`;
  if (notes.length > 0) return html`<p class="note">No task needs you; see the notes.</p>`;
  return html`<p class="good"><b aria-hidden="true">✓</b> Nothing needs you.</p>`;
}
