/** The page of a reviewer with a link: only the texts of their languages. */
import { html } from 'htm/preact';
import type { Greeting } from '../live.ts';
import { ConnectionBadge, type LinkState } from './head.ts';
import { Review } from './review.ts';

interface Props {
  readonly reviewer: Greeting['reviewer'];
  readonly connection: LinkState;
}

export function ReviewerPage({ reviewer: { name, languages }, connection }: Props) {
  return html`
    <header>
      <h1>dragoman</h1>
      <p class="state">
        <span>${name} <span class="note">${languages.join(', ')}</span></span>
        ${connection === 'lost' && html`<${ConnectionBadge} />`}
      </p>
    </header>
    <${Review} />
  `;
}
