/** The overview, in reading order: matters that need a person, costs, progress, work. */
import { html } from 'htm/preact';
import type { PageSnapshot } from '../snapshot.ts';
import { Attention } from './attention.ts';
import { DaemonsSection } from './daemons.ts';
import { DeliveredSection } from './delivered.ts';
import { Head, type LinkState, type ShownPage } from './head.ts';
import { WorkSection } from './in-progress.ts';
import { Matrix } from './matrix.ts';
import { Review } from './review.ts';
import { TeamSection } from './team.ts';
import { TerminologyList } from './terminology-list.ts';
import { UsageView } from './usage.ts';

export function Dashboard(props: {
  snapshot: PageSnapshot;
  connection: LinkState;
  shown: ShownPage;
}) {
  const { snapshot, connection, shown } = props;
  return html`
    <${Head} snapshot=${snapshot} connection=${connection} shown=${shown} />
    ${shown === 'review' ? html`<${Review} />` : html`<${Overview} snapshot=${snapshot} />`}
  `;
}

function Overview({ snapshot }: { snapshot: PageSnapshot }) {
  const isRefused = snapshot.config_faults.length > 0;
  return html`
    <main>
      ${isRefused && html`<${ConfigFaults} faults=${snapshot.config_faults} />`}
      <${Attention} attention=${snapshot.attention} notes=${snapshot.notes} isRefused=${isRefused} stoppedBy=${snapshot.stopped_by} unreviewed=${snapshot.unreviewed} />
      <${UsageView} usage=${snapshot.usage} days=${snapshot.days} budget=${snapshot.budget} />
      <${Matrix} projects=${snapshot.projects} />
      <${WorkSection} work=${snapshot.work} queued=${snapshot.jobs.queued} />
      <${DeliveredSection} delivered=${snapshot.delivered} />
      ${snapshot.tree !== null && snapshot.tree.as_of !== null && html`<${DaemonsSection} tree=${snapshot.tree} />`}
      ${snapshot.team !== null && snapshot.team.as_of !== null && html`<${TeamSection} team=${snapshot.team} />`}
      <${TerminologyList} rules=${snapshot.rules} faults=${snapshot.rule_faults} />
    </main>
  `;
}

/** The faults of the config on disk, while the earlier config stays in force. */
function ConfigFaults({ faults }: { faults: readonly string[] }) {
  return html`
    <section aria-labelledby="config">
      <h2 id="config">Config</h2>
      <p class="risk"><b aria-hidden="true">⚠ </b>The changed config is refused; the one before it stays in force.</p>
      <ul class="faults">${faults.map((fault) => html`<li key=${fault}><code>${fault}</code></li>`)}</ul>
    </section>
  `;
}
