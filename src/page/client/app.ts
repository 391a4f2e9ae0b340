/** The start of the page: opens a session, gets snapshots, and draws them. */
import { html, render } from 'htm/preact';
import type { Greeting } from '../live.ts';
import type { PageSnapshot } from '../snapshot.ts';
import { hasToken, openSession } from './ask.ts';
import { Dashboard } from './dashboard.ts';
import type { LinkState } from './head.ts';
import { ReviewerPage } from './reviewer-page.ts';
import { hasTypedTexts } from './typed-texts.ts';

const root = document.getElementById('app');
let snapshot: PageSnapshot | Greeting | undefined;
let last: LinkState = 'live';
let events: EventSource | undefined;

function draw(connection: LinkState): void {
  if (root === null || snapshot === undefined) return;
  last = connection;
  if ('reviewer' in snapshot) {
    render(html`<${ReviewerPage} reviewer=${snapshot.reviewer} connection=${connection} />`, root);
    return;
  }
  const shown = location.hash === '#review' ? 'review' : 'overview';
  render(html`<${Dashboard} snapshot=${snapshot} connection=${connection} shown=${shown} />`, root);
}

function close(): void {
  const wasReviewer = snapshot !== undefined && 'reviewer' in snapshot;
  if (root !== null) render(html`<${Closed} wasReviewer=${wasReviewer} />`, root);
}

function listen(): void {
  events?.close();
  events = new EventSource('/api/events');
  const mine = events;
  events.addEventListener('snapshot', (message) => {
    snapshot = JSON.parse(message.data) as PageSnapshot | Greeting;
    draw('live');
  });
  // The browser connects again by itself, unless the daemon refused: then the session is over.
  events.addEventListener('error', () => {
    if (mine.readyState === EventSource.CLOSED) close();
    else draw('lost');
  });
}

// A new link in the tab of an old page changes only the fragment of the address.
addEventListener('hashchange', () => (hasToken() ? beginSession() : draw(last)));
beginSession();

function beginSession(): void {
  openSession().then(listen, close);
}

/** The view without a session, or after its end. */
function Closed({ wasReviewer }: { wasReviewer: boolean }) {
  const help = wasReviewer
    ? html`<p>Your link has ended. Ask for another one.</p>`
    : html`<${HowToOpen} />`;
  return html`
    <main class="closed">
      <h1>dragoman</h1>
      ${help}
      ${hasTypedTexts() && html`<p>What you typed and did not save stays in this tab: open the link here.</p>`}
    </main>
  `;
}

function HowToOpen() {
  return html`
      <p>This page opens only with the key that the running daemon gives. In a terminal, in the folder of your config:</p>
      <p><code>dragoman dashboard</code></p>
      <p>Did somebody give you a link to review? Open it again. When that does not help, it has ended: ask for another one.</p>
  `;
}
