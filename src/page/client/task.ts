/** One thing that needs a person. What may cost is asked twice, with its price. */
import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { ReleaseReport } from '../../control.ts';
import type { Task } from '../../overview.ts';
import { ask, wordsOf } from './ask.ts';
import { Resolve } from './resolve.ts';
import { characters } from './words.ts';

export function TaskItem({ task }: { task: Task }) {
  const name = `${task.source} → ${task.language}`;
  return html`
    <li>
      <p class="task-head">
        <span class="mark ${task.state === 'failed' ? 'risk' : 'care'}">
          <b aria-hidden="true">${task.state === 'failed' ? '✕' : '‖'}</b> ${task.state}
        </span>
        <strong class="path">${name}</strong>
        <span class="note">${task.project}</span>
      </p>
      <p class="reason">${task.reason}</p>
      <p class="note">${task.next_step}</p>
      <p class="note">${history(task)}</p>
      <${Action} task=${task} name=${name} />
    </li>
  `;
}

function history({ attempts, billed_characters, price_characters }: Task): string {
  return [
    attempts === 1 ? '1 attempt' : `${attempts} attempts`,
    `${characters(billed_characters)} billed so far`,
    ...(price_characters ? [`about ${characters(price_characters)} to release`] : []),
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

type ReleaseState =
  | { kind: 'idle' }
  | { kind: 'asking'; price: number }
  | { kind: 'done' }
  | { kind: 'refused'; why: string };

interface ReleaseProps {
  readonly task: Task;
  readonly verb: 'retry' | 'approve';
  readonly name: string;
}

function Release({ task, verb, name }: ReleaseProps) {
  const [state, setState] = useState<ReleaseState>({ kind: 'idle' });
  const { project, language, file } = task;
  const send = (act: 'price' | 'release') =>
    ask<ReleaseReport>('/api/release', { project, language, file, verb, act });
  const fail = (error: unknown) => setState({ kind: 'refused', why: wordsOf(error) });
  const release = () => send('release').then(() => setState({ kind: 'done' }), fail);
  const begin = async () => {
    const { price_characters } = await send('price');
    if (price_characters > 0) setState({ kind: 'asking', price: price_characters });
    else await release();
  };
  const word = verb === 'retry' ? 'Retry' : 'Approve';
  if (state.kind === 'done')
    return html`<p role="status" class="good">Released; it is on its way.</p>`;
  return html`
    <p class="actions">
      ${
        state.kind === 'asking'
          ? html`
          <span>This bills about ${characters(state.price)}.</span>
          <button type="button" class="main" onClick=${release} aria-label="${word} ${name} now">${word} now</button>
          <button type="button" onClick=${() => setState({ kind: 'idle' })}>Cancel</button>`
          : html`<button type="button" onClick=${() => begin().catch(fail)} aria-label="${word} ${name}">${word}</button>`
      }
      ${state.kind === 'refused' && html`<span role="alert" class="risk">${state.why}</span>`}
    </p>
  `;
}
