/** Glossaries and style lists of the config, and where each is kept. */
import { html } from 'htm/preact';
import type { RuleLine } from '../../overview.ts';

export function RuleList({ rules }: { rules: readonly RuleLine[] }) {
  return html`
    <section aria-labelledby="rules">
      <h2 id="rules">Glossaries and styles</h2>
      ${
        rules.length === 0
          ? html`<p class="note">The config names none.</p>`
          : html`
          <ul class="running">
            ${rules.map(
              (rule) => html`
              <li key=${`${rule.kind} ${rule.project} ${rule.name}`}>
                <strong class="path">${rule.name}</strong>
                <span class="note">${rule.kind} of ${rule.project} for ${rule.languages.join(', ')}; ${keptIn(rule)}</span>
              </li>`,
            )}
          </ul>`
      }
    </section>
  `;
}

function keptIn({ file }: RuleLine): string {
  return file === null ? 'kept on the service' : `follows ${file}`;
}
