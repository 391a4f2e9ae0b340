/** The runners that share the database, and their billed characters. */
import { html } from 'htm/preact';
import type { PageSnapshot } from '../snapshot.ts';
import { characters, number } from './words.ts';

/** Seconds of silence after which a runner counts as lost. */
const SILENT_S = 6;

type Props = { readonly team: NonNullable<PageSnapshot['team']> };
type ShownRunner = Props['team']['runners'][number];

export function TeamSection({ team }: Props) {
  const { host, runners, open, possibly_billed_twice: twice } = team;
  return html`
    <section aria-labelledby="team">
      <h2 id="team">Team</h2>
      <p>${characters(team.billed_characters)} billed for all who use ${host}${twice > 0 && `; ${number(twice)} more may have been billed twice`}.
        ${open.requests > 0 && ` Under way: ${number(open.requests)} ${open.requests === 1 ? 'request' : 'requests'} with ${characters(open.characters)}.`}</p>
      <ul class="budgets">
        ${runners.map((runner) => html`<li class=${runner.silent_s > SILENT_S ? 'care' : 'note'} key=${runner.name}>${wordsFor(runner)}</li>`)}
      </ul>
    </section>
  `;
}

function wordsFor({ name, login, silent_s, is_this }: ShownRunner): string {
  const silence = silent_s > SILENT_S ? `, silent for ${number(silent_s)} s` : '';
  return `${name} (${login})${is_this ? ', this one' : ''}${silence}`;
}
