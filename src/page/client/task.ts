/** One thing that needs a person: why, what to do, what it has cost, and the button that does it. */
import { html } from 'htm/preact';
import type { Task } from '../../control/report.ts';
import { Release } from './release.ts';
import { Resolve } from './resolve.ts';
import { characters, nameOfTask, number, priceWords } from './words.ts';

export function TaskItem({ task }: { task: Task }) {
  const { state, project, sources, reason, next_step } = task;
  const name = nameOfTask(task);
  return html`
    <li>
      <p class="task-head">
        <span class="mark ${state === 'failed' ? 'risk' : 'care'}">
          <b aria-hidden="true">${state === 'failed' ? '✕' : '‖'}</b> ${state}
        </span>
        <strong class="path">${name}</strong>
        <span class="note">${project}</span>
      </p>
      <p class="reason">${reason}</p>
      ${sources.total > 1 && html`<${Sources} sources=${sources} />`}
      <p class="note">${next_step}</p>
      <p class="note">${history(task)}</p>
      <${Action} task=${task} name=${name} />
    </li>
  `;
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
  const { state, attempts, billed_characters } = task;
  const price = priceWords([task]);
  return [
    ...(state === 'failed' ? [attempts === 1 ? '1 attempt' : `${attempts} attempts`] : []),
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
