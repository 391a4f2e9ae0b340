/** The last deliveries. The changes in a file are fetched only when a person opens them. */
import { html } from 'htm/preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ChangeReport, DeliveredLine } from '../../control/report.ts';
import { askDaemon, reasonOfError } from './ask.ts';
import { moment, number } from './words.ts';

export function DeliveredSection({ delivered }: { delivered: readonly DeliveredLine[] }) {
  return html`
    <section aria-labelledby="delivered">
      <h2 id="delivered">Delivered lately</h2>
      ${delivered.length === 0 && html`<p class="note">Nothing yet.</p>`}
      <ul class="running">
        ${delivered.map((line) => html`<${Line} key=${`${line.project}\n${line.file}\n${line.at}`} line=${line} />`)}
      </ul>
    </section>
  `;
}

function Line({ line }: { line: DeliveredLine }) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return;
    setOpen(false);
    button.current?.focus();
  };
  const words = isOpen ? 'Hide the change' : 'See the change';
  return html`
    <li onKeyDown=${close}>
      <strong class="path">${line.target}</strong>
      <span class="note">${line.project}, ${line.language}, ${moment(line.at)}</span>
      <button type="button" class="link" ref=${button} aria-expanded=${isOpen} onClick=${() => setOpen(!isOpen)}
        aria-label="${words}: ${line.target}">${words}</button>
      ${isOpen && html`<${Change} line=${line} />`}
    </li>
  `;
}

function Change({ line: { project, file, language } }: { line: DeliveredLine }) {
  const [change, setChange] = useState<ChangeReport | undefined>(undefined);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    askDaemon<ChangeReport>('/api/change', { project, file }).then(setChange, (error: unknown) =>
      setProblem(reasonOfError(error)),
    );
  }, [file]);
  if (problem !== '') return html`<p role="alert" class="care">${problem}</p>`;
  if (change === undefined) return html`<p role="status" class="note">Reading the files…</p>`;
  const { kind, lines, more } = change;
  return html`
    <p role="status" class="note">${wordsFor(kind, lines.length)}</p>
    ${
      lines.length > 0 &&
      html`<div class="change" tabindex="0" role="group" aria-label="Changed lines" lang=${language} dir="ltr">
        ${lines.map((each) => html`<${ChangedLine} line=${each} />`)}
      </div>`
    }
    ${more > 0 && html`<p class="note">${number(more)} more lines.</p>`}
  `;
}

function ChangedLine({ line: { kind, text } }: { line: ChangeReport['lines'][number] }) {
  switch (kind) {
    case 'added':
      return html`<ins>${text}</ins>`;
    case 'removed':
      return html`<del>${text}</del>`;
    case 'same':
      return html`<span>${text}</span>`;
    case 'gap':
      return html`<span class="note">…</span>`;
  }
}

function wordsFor(kind: ChangeReport['kind'], lines: number): string {
  switch (kind) {
    case 'as-written':
      return lines === 0 ? 'No line changed.' : '';
    case 'changed-since':
      return 'The file was changed since; this is the difference to its content before.';
    case 'gone':
      return 'The file does not exist any more.';
    case 'no-text':
      return 'The file is no text: what changed in it cannot be shown.';
    case 'unknown':
      return 'It was adopted unchanged, or its earlier content is not kept any more.';
  }
}
