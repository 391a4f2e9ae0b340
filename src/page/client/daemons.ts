/** The daemons that share the tree: state, used places of each lane, and present work. */
import { html } from 'htm/preact';
import type { PageSnapshot } from '../snapshot.ts';
import { moment, number, type StateBadge } from './words.ts';

type Props = { readonly tree: NonNullable<PageSnapshot['tree']> };
type ShownDaemon = Props['tree']['daemons'][number];

export function DaemonsSection({ tree: { name, daemons } }: Props) {
  return html`
    <section aria-labelledby="daemons">
      <h2 id="daemons">Daemons of ${name} <span class="count">${number(daemons.length)}</span></h2>
      <ul class="running">
        ${daemons.map((daemon) => html`<${Item} key=${`${daemon.name} ${daemon.since}`} daemon=${daemon} />`)}
      </ul>
    </section>
  `;
}

function Item({ daemon }: { daemon: ShownDaemon }) {
  const { name, role, is_this, version, since, lanes, settled, trouble, epoch } = daemon;
  const { symbol, tone, words } = badgeOf(daemon);
  const places = lanes.map(
    ({ lane, places, running }) => `${lane} ${number(running)} of ${number(places)}`,
  );
  const more = [
    ...(epoch === null ? [] : [`epoch ${number(epoch)}`]),
    ...(role === 'leader' ? ['takes no texts'] : []),
    ...(is_this ? ['this one'] : []),
  ];
  return html`
    <li>
      <strong class="path">${name}</strong>
      <span class="mark ${tone}"><b aria-hidden="true">${symbol}</b> ${words}</span>
      <span class="note">${[`version ${version}`, `since ${moment(since)}`, ...more].join(', ')}</span>
      <span class="note">${[...places, `${number(settled)} settled`].join('; ')}</span>
      ${trouble !== null && html`<span class="note"><span class="mark risk"><b aria-hidden="true">!</b> ${trouble}</span></span>`}
      ${daemon.work.length > 0 && html`<span class="note path">${workWords(daemon)}</span>`}
    </li>
  `;
}

function badgeOf({ state, seen }: ShownDaemon): StateBadge {
  switch (state) {
    case 'leads':
      return { symbol: '●', tone: 'good', words: 'leads' };
    case 'works':
      return { symbol: '●', tone: 'good', words: 'works' };
    case 'waits':
      return { symbol: '‖', tone: 'calm', words: 'waits to lead' };
    case 'silent':
      return { symbol: '✕', tone: 'risk', words: `silent since ${moment(seen)}` };
  }
}

function workWords({ work, lanes }: ShownDaemon): string {
  const running = lanes.reduce((sum, lane) => sum + lane.running, 0);
  const more = running - work.length;
  const named = work.map(({ source, language }) => `${source} → ${language}`).join(', ');
  return more > 0 ? `${named} and ${number(more)} more` : named;
}
