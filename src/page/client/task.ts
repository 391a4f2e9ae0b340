/** One thing that needs a person. What may cost is asked twice, with its price. */
import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { ReleaseReport } from '../../control.ts';
import type { Task } from '../../overview.ts';
import { ask, wordsOf } from './ask.ts';
import { Resolve } from './resolve.ts';
import { characters, priceWords } from './words.ts';

/** @param tasks of one source and one reason, in one or more languages */
export function TaskItem({ tasks }: { tasks: readonly Task[] }) {
  const [task] = tasks;
  if (task === undefined) return null;
  const name = `${task.source} → ${tasks.map(({ language }) => language).join(', ')}`;
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
      <p class="note">${history(tasks)}</p>
      <${Action} task=${task} tasks=${tasks} name=${name} />
    </li>
  `;
}

function history(tasks: readonly Task[]): string {
  const attempts = Math.max(...tasks.map((task) => task.attempts));
  const billed = tasks.reduce((sum, task) => sum + task.billed_characters, 0);
  const price = priceWords(tasks);
  return [
    ...(tasks[0]?.state === 'failed'
      ? [attempts === 1 ? '1 attempt' : `${attempts} attempts`]
      : []),
    `${characters(billed)} billed so far`,
    ...(price === '' ? [] : [`about ${price} to release`]),
  ].join(' · ');
}

function Action({ task, tasks, name }: { task: Task; tasks: readonly Task[]; name: string }) {
  switch (task.action) {
    case 'none':
      return null;
    case 'resolve':
      return html`<${Resolve} task=${task} name=${name} />`;
    case 'retry':
    case 'approve':
      return html`<${Release} tasks=${tasks} verb=${task.action} name=${name} />`;
  }
}

type ReleaseState =
  | { kind: 'idle' }
  | { kind: 'asking'; price: string }
  | { kind: 'done' }
  | { kind: 'refused'; why: string };

interface ReleaseProps {
  readonly tasks: readonly Task[];
  readonly verb: 'retry' | 'approve';
  readonly name: string;
}

function Release({ tasks, verb, name }: ReleaseProps) {
  const [state, setState] = useState<ReleaseState>({ kind: 'idle' });
  const about = {
    project: tasks[0]?.project,
    languages: tasks.map(({ language }) => language),
    files: tasks.map(({ file }) => file),
  };
  const send = (act: 'price' | 'release') =>
    ask<ReleaseReport>('/api/release', { ...about, verb, act });
  const fail = (error: unknown) => setState({ kind: 'refused', why: wordsOf(error) });
  const release = () => send('release').then(() => setState({ kind: 'done' }), fail);
  const begin = async () => {
    const price = priceWords([await send('price')]);
    if (price !== '') setState({ kind: 'asking', price });
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
          <span>This bills about ${state.price}.</span>
          <button type="button" class="main" onClick=${release} aria-label="${word} ${name} now">${word} now</button>
          <button type="button" onClick=${() => setState({ kind: 'idle' })}>Cancel</button>`
          : html`<button type="button" onClick=${() => begin().catch(fail)} aria-label="${word} ${name}">${word}</button>`
      }
      ${state.kind === 'refused' && html`<span role="alert" class="risk">${state.why}</span>`}
    </p>
  `;
}
