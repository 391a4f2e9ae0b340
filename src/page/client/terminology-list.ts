/** Glossaries and style lists of the config: their files, and whether file and service are equal. */
import { html } from 'htm/preact';
import type { TerminologyState } from '../terminology-states.ts';
import type { StateBadge } from './words.ts';

interface Props {
  readonly rules: readonly TerminologyState[];
  readonly faults: readonly string[];
}

export function TerminologyList({ rules, faults }: Props) {
  return html`
    <section aria-labelledby="rules">
      <h2 id="rules">Glossaries and styles</h2>
      ${faults.length > 0 && html`<${Faults} faults=${faults} />`}
      ${rules.length === 0 && html`<p class="note">The config names none.</p>`}
      <ul class="running">
        ${rules.map((rule) => html`<${Line} key=${`${rule.kind} ${rule.project} ${rule.name}`} rule=${rule} />`)}
      </ul>
    </section>
  `;
}

function Faults({ faults }: Pick<Props, 'faults'>) {
  return html`
    <p class="risk"><b aria-hidden="true">⚠ </b>These files have faults; their earlier content stays in force.</p>
    <ul class="faults">${faults.map((fault) => html`<li key=${fault}><code>${fault}</code></li>`)}</ul>
  `;
}

function Line({ rule }: { rule: TerminologyState }) {
  const { kind, project, name, languages } = rule;
  const badge = terminologyBadge(rule);
  return html`
    <li>
      <strong class="path">${name}</strong>${' '}
      <span class="mark ${badge.tone}"><b aria-hidden="true">${badge.symbol}</b> ${badge.words}</span>
      <span class="note">${kind} of ${project} for ${languages.join(', ')}; ${keptIn(rule)}</span>
    </li>
  `;
}

function terminologyBadge({ state, file }: TerminologyState): StateBadge {
  switch (state) {
    case 'equal':
      return { symbol: '✓', tone: 'good', words: 'equal to the file' };
    case 'differs':
      return { symbol: '≠', tone: 'care', words: 'differs from the service' };
    case 'unknown':
      return file === null
        ? { symbol: '·', tone: 'calm', words: 'follows no file' }
        : { symbol: '·', tone: 'calm', words: 'not compared since the start' };
  }
}

function keptIn({ file, name }: TerminologyState): string {
  if (file === null) return 'kept on the service';
  return file === name ? 'follows this file' : `follows ${file}`;
}
