/** One text with two answers: four boxes, three ways out. */
import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { ConflictLine } from '../../control/report.ts';

type Choice = { kind: 'human' } | { kind: 'machine' } | { kind: 'text'; text: string };
export type Decide = (choice: Choice, key?: string) => Promise<void>;

interface Props {
  readonly conflict: ConflictLine;
  readonly decide: Decide;
}

export function ConflictItem({ conflict, decide }: Props) {
  const { key, language, machine } = conflict;
  const [isEditing, setEditing] = useState(false);
  return html`
    <li>
      <h3><code>${key}</code></h3>
      <dl class="four">
        <div><dt>Old source</dt><dd>${conflict.old_source || '(not kept)'}</dd></div>
        ${conflict.note === null ? '' : html`<div><dt>Note</dt><dd>${conflict.note}</dd></div>`}
        <div><dt>New source</dt><dd>${conflict.new_source}</dd></div>
        <div><dt>A person’s text</dt><dd lang=${language}>${conflict.human}</dd></div>
        <div><dt>The machine’s text</dt><dd lang=${language}>${machine ?? '(not bought)'}</dd></div>
      </dl>
      ${
        isEditing
          ? html`<${Edit} conflict=${conflict} decide=${decide} leave=${() => setEditing(false)} />`
          : html`
          <p class="actions">
            <button type="button" onClick=${() => decide({ kind: 'human' }, key)}>Keep the person’s</button>
            <button type="button" onClick=${() => decide({ kind: 'machine' }, key)}>
              ${machine === null ? 'Buy the machine’s' : 'Take the machine’s'}
            </button>
            <button type="button" onClick=${() => setEditing(true)}>Write another…</button>
          </p>`
      }
    </li>
  `;
}

function Edit({ conflict, decide, leave }: Props & { leave(): void }) {
  const [text, setText] = useState(conflict.human);
  const id = `text-${conflict.language}-${conflict.key}`;
  return html`
    <label for=${id}>New text</label>
    <textarea id=${id} rows="3" lang=${conflict.language} value=${text}
      onInput=${(event: InputEvent) => setText((event.target as HTMLTextAreaElement).value)}></textarea>
    <p class="actions">
      <button type="button" class="main" onClick=${() => decide({ kind: 'text', text }, conflict.key)}>Save this text</button>
      <button type="button" onClick=${leave}>Cancel</button>
    </p>
  `;
}
