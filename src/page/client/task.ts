/** One task that needs a person: reason, advice, costs, and the button for it. */
import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import {
  DELETIONS,
  type ReleasePrice,
  type ReleaseReport,
  type Task,
} from '../../control/report.ts';
import { askDaemon, Declined, reasonOfError } from './ask.ts';
import { Resolve } from './resolve.ts';
import { characters, nameOfTask, number, priceWords } from './words.ts';

export function TaskItem({ task }: { task: Task }) {
  const { project, sources, reason, next_step } = task;
  const name = nameOfTask(task);
  const { tone, symbol, word } = badgeOf(task);
  return html`
    <li>
      <p class="task-head">
        <span class="mark ${tone}"><b aria-hidden="true">${symbol}</b> ${word}</span>
        <strong class="path">${name}</strong>
        ${project !== '*' && html`<span class="note">${project}</span>`}
      </p>
      <p class="reason">${reason}</p>
      ${sources.total > 1 && html`<${Sources} sources=${sources} />`}
      <p class="note">${next_step.startsWith('dragoman ') ? html`<code>${next_step}</code>` : next_step}</p>
      <p class="note">${history(task)}</p>
      <${Action} task=${task} name=${name} />
    </li>
  `;
}

/** The mark of a task. A conflict is not called "held", which is for tasks that wait for approval. */
function badgeOf({ state, code }: Task) {
  if (state === 'failed') return { tone: 'risk', symbol: '✕', word: state };
  if (code === 'conflict') return { tone: 'care', symbol: '≠', word: 'conflict' };
  return { tone: 'care', symbol: '‖', word: state };
}

function Sources({ sources: { lines, total } }: Pick<Task, 'sources'>) {
  return html`
    <ul class="note sources">
      ${lines.map((source) => html`<li key=${source} class="path">${source}</li>`)}
      ${total > lines.length && html`<li>and ${number(total - lines.length)} more</li>`}
    </ul>
  `;
}

function history(task: Task): string {
  const { state, attempts, billed_characters, daemons } = task;
  const price = priceWords([task]);
  return [
    ...(state === 'failed' ? [attempts === 1 ? '1 attempt' : `${attempts} attempts`] : []),
    ...(daemons === undefined ? [] : [`on ${daemons.join(', ')}`]),
    `${characters(billed_characters)} billed so far`,
    ...(price === '' ? [] : [`about ${price} to release`]),
  ].join(' · ');
}

function Action({ task, name }: { task: Task; name: string }) {
  switch (task.action) {
    case 'none':
      return null;
    case 'resolve':
      return html`<${Resolve} task=${task} name=${name} />`;
    case 'retry':
    case 'approve':
      return html`<${Release} task=${task} verb=${task.action} name=${name} />`;
  }
}

interface Props {
  readonly task: Task;
  readonly verb: 'retry' | 'approve';
  readonly name: string;
}

type State =
  | { kind: 'idle' }
  | { kind: 'asking'; price: ReleasePrice; consequence: string }
  | { kind: 'done' }
  | { kind: 'refused'; why: string };

/** Nothing of the task waits any more. */
const NO_LONGER_WAITS = 'this does not wait any more: its job runs again, or somebody else decided';

/** The button Retry or Approve. It asks again, with the price, when the task costs or deletes something. */
function Release({ task, verb, name }: Props) {
  const [state, setState] = useState<State>({ kind: 'idle' });
  const send = async (at_most?: ReleasePrice) => {
    const { price_characters, price_seconds, jobs, deletions } = await askDaemon<ReleaseReport>(
      '/api/release',
      { ...{ task: task.key, verb }, ...(at_most === undefined ? {} : { at_most }) },
    );
    if (jobs.length === 0 && deletions === undefined)
      throw new Declined(409, { error: NO_LONGER_WAITS });
    return { price_characters, price_seconds };
  };
  const fail = (error: unknown) => setState({ kind: 'refused', why: reasonOfError(error) });
  const release = (price: ReleasePrice) => send(price).then(() => setState({ kind: 'done' }), fail);
  const begin = async () => {
    const price = await send();
    const consequence = consequenceOf(task, price);
    if (consequence === '') await release(price);
    else setState({ kind: 'asking', price, consequence });
  };
  const cancel = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && state.kind === 'asking') setState({ kind: 'idle' });
  };
  const word = verb === 'retry' ? 'Retry' : 'Approve';
  if (state.kind === 'done')
    return html`<p role="status" class="good">Released; it is on its way.</p>`;
  return html`
    <p class="actions" onKeyDown=${cancel}>
      ${
        state.kind === 'asking'
          ? html`
          <span>${state.consequence}</span>
          <button type="button" class="main" onClick=${() => release(state.price)} aria-label="${word} now: ${name}">${word} now</button>
          <button type="button" onClick=${() => setState({ kind: 'idle' })}>Cancel</button>`
          : html`<button type="button" onClick=${() => begin().catch(fail)} aria-label="${word} ${name}">${word}</button>`
      }
      ${state.kind === 'refused' && html`<span role="alert" class="risk">${state.why}</span>`}
    </p>
  `;
}

/** @returns the question before a release; empty when no question is needed */
function consequenceOf({ key }: Task, price: ReleasePrice): string {
  if (key === DELETIONS) return 'These files count as deleted, and so do their translations.';
  const words = priceWords([price]);
  return words === '' ? '' : `This bills about ${words}.`;
}
