/** What somebody sees who has no session, or whose session is over. */
import { html } from 'htm/preact';

export function Closed() {
  return html`
    <main class="closed">
      <h1>dragoman</h1>
      <p>This page opens only with the key that the running daemon gives. In a terminal, in the folder of your config:</p>
      <p><code>dragoman dashboard</code></p>
    </main>
  `;
}
