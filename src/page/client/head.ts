/** The head of the page: title, state of the connection and the daemon, and the button to pause. */
import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { PageSnapshot } from '../snapshot.ts';
import { askDaemon, reasonOfError } from './ask.ts';
import { number } from './words.ts';

/** Whether the page gets snapshots. */
export type LinkState = 'live' | 'lost';

/** The shown page. */
export type ShownPage = 'overview' | 'review';

interface Props {
  readonly snapshot: PageSnapshot;
  readonly connection: LinkState;
  readonly shown: ShownPage;
}

export function Head({ snapshot, connection, shown }: Props) {
  const [problem, setProblem] = useState('');
  const { state, stopped_by, jobs, config_faults } = snapshot;
  const isRunning = state === 'running';
  const toggle = () =>
    askDaemon(isRunning ? '/api/pause' : '/api/resume', {}).then(
      () => setProblem(''),
      (error: unknown) => setProblem(reasonOfError(error)),
    );
  return html`
    <header>
      <h1>dragoman</h1>
      <nav aria-label="Pages">
        <a href="#overview" aria-current=${shown === 'overview' ? 'page' : undefined}>Overview</a>
        <a href="#review" aria-current=${shown === 'review' ? 'page' : undefined}>Review</a>
      </nav>
      <p class="state">
        <${StateBadge} state=${state} connection=${connection} />
        <button type="button" onClick=${toggle} disabled=${connection === 'lost'}>
          ${isRunning ? 'Pause' : 'Resume'}
        </button>
      </p>
      <p role="status">
        ${stopped_by !== null && html`<strong class="risk">Paid work is stopped: ${stopped_by}.</strong>${' '}`}
        ${config_faults.length > 0 && html`<a class="risk" href="#config">The changed config is refused.</a>${' '}`}
        ${problem !== '' && html`<strong class="risk">${problem}.</strong>${' '}`}
        ${summary(jobs)}
      </p>
    </header>
  `;
}

export function ConnectionBadge() {
  return html`<span class="mark care"><b aria-hidden="true">⚠</b> connection lost, trying again</span>`;
}

function StateBadge({
  state,
  connection,
}: {
  state: PageSnapshot['state'];
  connection: LinkState;
}) {
  if (connection === 'lost') {
    return html`<${ConnectionBadge} />`;
  }
  const symbol = { running: '●', paused: '‖', stopped: '■', 'not running': '■' }[state];
  const tone = { running: 'good', paused: 'care', stopped: 'risk', 'not running': 'risk' }[state];
  return html`<span class="mark ${tone}"><b aria-hidden="true">${symbol}</b> ${state}</span>`;
}

function summary({ queued, running, done, held, failed }: PageSnapshot['jobs']): string {
  const parts = [
    `${number(done)} done`,
    ...(running > 0 ? [`${number(running)} running`] : []),
    ...(queued > 0 ? [`${number(queued)} queued`] : []),
    ...(held > 0 ? [`${number(held)} held`] : []),
    ...(failed > 0 ? [`${number(failed)} failed`] : []),
  ];
  return `Jobs: ${parts.join(', ')}.`;
}
