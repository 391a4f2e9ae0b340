/** The conflicts of a file: old and new source, the person's and the machine's text. The texts are fetched only when a person opens them. */
import { html } from 'htm/preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ConflictLine, ConflictsReport, ResolveReport, Task } from '../../control/report.ts';
import { askDaemon, reasonOfError } from './ask.ts';
import { inLanguage } from './in-language.ts';
import { priceWords } from './words.ts';

/** Why a decision was not taken. */
const BUSY = 'The job of this file is queued or running: try again when it has ended.';
const OTHERWISE = 'This was decided otherwise meanwhile: nothing was changed.';

export function Resolve({ task, name }: { task: Task; name: string }) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return;
    setOpen(false);
    button.current?.focus();
  };
  return html`
    <div class="resolve" onKeyDown=${close}>
    <p class="actions">
      <button type="button" ref=${button} aria-expanded=${isOpen} onClick=${() => setOpen(!isOpen)}
        aria-label="Resolve ${name}">Resolve</button>
    </p>
    ${isOpen && html`<${Conflicts} task=${task} />`}
    </div>
  `;
}

function Conflicts({ task }: { task: Task }) {
  const { project, languages, file } = task;
  const [conflicts, setConflicts] = useState<readonly ConflictLine[] | undefined>(undefined);
  const [problem, setProblem] = useState('');
  const [isDone, setDone] = useState(false);
  const job = { project, language: languages[0] ?? '', file };
  const load = () =>
    askDaemon<ConflictsReport>('/api/conflicts', job).then(
      (answer) => (answer.busy ? setProblem(BUSY) : setConflicts(answer.conflicts)),
      (error: unknown) => setProblem(reasonOfError(error)),
    );
  useEffect(() => void load(), [file]);
  const decide: Decide = async (choice, key) => {
    setProblem('');
    try {
      const asked = { ...job, choice, ...(key === undefined ? {} : { key }) };
      const { resolved, busy } = await askDaemon<ResolveReport>('/api/resolve', asked);
      if (resolved.length === 0) return setProblem(busy ? BUSY : OTHERWISE);
      const left = conflicts?.filter((line) => line.key !== key) ?? [];
      setConflicts(left);
      setDone(key === undefined || left.length === 0);
    } catch (error) {
      setProblem(reasonOfError(error));
    }
  };
  const trouble = problem !== '' && html`<p role="alert" class="risk">${problem}</p>`;
  if (trouble && conflicts === undefined) return trouble;
  if (isDone) return html`<p role="status" class="good">Decided; the file is being written.</p>`;
  if (conflicts === undefined) return html`<p role="status" class="note">Reading the texts…</p>`;
  if (conflicts.length === 0) {
    return html`${trouble}<${WholeFile} price=${priceWords([task])} decide=${decide} />`;
  }
  return html`
    ${trouble}
    ${
      conflicts.length > 1 &&
      html`<p class="actions">
        <button type="button" onClick=${() => decide({ kind: 'human' })}>Keep all of the person’s</button>
      </p>`
    }
    <ul class="conflicts">
      ${conflicts.map((line) => html`<${ConflictItem} key=${line.key} conflict=${line} decide=${decide} />`)}
    </ul>
  `;
}

/** The choice for a whole file: it has no segments, or cannot be merged. */
function WholeFile({ price, decide }: { price: string; decide: Decide }) {
  const cost = price === '' ? '' : ` (bills about ${price})`;
  return html`
    <div class="conflicts">
      <p>The whole file is the choice: what the person made of it, or a new translation.</p>
      <p class="actions">
        <button type="button" onClick=${() => decide({ kind: 'human' })}>Keep the person’s file</button>
        <button type="button" onClick=${() => decide({ kind: 'machine' })}>Take the machine’s${cost}</button>
      </p>
    </div>
  `;
}

type ResolveChoice = { kind: 'human' } | { kind: 'machine' } | { kind: 'text'; text: string };
type Decide = (choice: ResolveChoice, key?: string) => Promise<void>;

interface Props {
  readonly conflict: ConflictLine;
  readonly decide: Decide;
}

function origin(from: string | null) {
  return from === null ? '' : html` <small>(from ${from})</small>`;
}

/** One conflict: up to five texts, and three ways to decide. */
function ConflictItem({ conflict, decide }: Props) {
  const { key, language, machine, from } = conflict;
  const [isEditing, setEditing] = useState(false);
  return html`
    <li>
      <h3><code>${key}</code></h3>
      <dl class="four">
        <div><dt>Old source${origin(from.old_source)}</dt><dd dir="auto">${conflict.old_source || '(not known here)'}</dd></div>
        ${conflict.note === null ? '' : html`<div><dt>Note</dt><dd dir="auto">${conflict.note}</dd></div>`}
        <div><dt>New source</dt><dd dir="auto">${conflict.new_source}</dd></div>
        <div><dt>A person’s text${origin(from.human)}</dt><dd ...${inLanguage(language)}>${conflict.human}</dd></div>
        <div><dt>The machine’s text${origin(from.machine)}</dt><dd ...${machine === null ? {} : inLanguage(language)}>${machine ?? '(not bought)'}</dd></div>
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
    <textarea id=${id} rows="3" ...${inLanguage(conflict.language)} value=${text}
      onInput=${(event: InputEvent) => setText((event.target as HTMLTextAreaElement).value)}></textarea>
    <p class="actions">
      <button type="button" class="main" onClick=${() => decide({ kind: 'text', text }, conflict.key)}>Save this text</button>
      <button type="button" onClick=${leave}>Cancel</button>
    </p>
  `;
}
