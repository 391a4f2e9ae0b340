/** What is wrong with the config on disk, while the one before it stays in force. */
import { html } from 'htm/preact';

export function ConfigFaults({ faults }: { faults: readonly string[] }) {
  return html`
    <section aria-labelledby="config">
      <h2 id="config">Config</h2>
      <p class="risk"><b aria-hidden="true">⚠ </b>The changed config is refused; the one before it stays in force.</p>
      <ul class="faults">${faults.map((fault) => html`<li key=${fault}><code>${fault}</code></li>`)}</ul>
    </section>
  `;
}
