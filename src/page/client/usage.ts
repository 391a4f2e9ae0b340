/** What it costs: how much of the limit is used, where the period leads to, and each of the last 30 days. */
import { html } from 'htm/preact';
import type { Snapshot } from '../snapshot.ts';
import { DayChart } from './day-chart.ts';
import { characters, date, number, percent } from './words.ts';

type Props = Pick<Snapshot, 'usage' | 'days' | 'budget'>;

export function Usage({ usage, days, budget }: Props) {
  const others = budget.filter(({ scope }) => scope !== 'month' || usage.limited_by !== 'budget');
  return html`
    <section aria-labelledby="usage">
      <h2 id="usage">Billed characters</h2>
      <div class="cost">
        <div>
          <${Bar} usage=${usage} />
          <ul class="budgets">
            ${others.map((line) => html`<${BudgetLine} key=${line.scope} line=${line} />`)}
          </ul>
        </div>
        <div><${DayChart} days=${days} /></div>
      </div>
    </section>
  `;
}

function BudgetLine({ line: { scope, used, limit } }: { line: Props['budget'][number] }) {
  const words = `${number(Math.round(used))} of ${number(limit)} (${percent(used, limit)})`;
  return html`<li class=${used >= limit ? 'risk' : 'note'}>Budget ${scope}: ${words}</li>`;
}

function Bar({ usage }: Pick<Props, 'usage'>) {
  const { used, limit, limited_by, end, from, forecast } = usage;
  const last = date(new Date(Date.parse(end) - 1).toISOString());
  const until = from === 'account' ? `the period’s end (${last})` : `the month’s end (${last})`;
  const outlook = `At the pace of the last week: about ${number(forecast)} by ${until}.`;
  if (limit === null) {
    return html`<p><strong>${characters(used)}</strong> in this period; no limit is known. ${outlook}</p>`;
  }
  const over = forecast > limit;
  const scale = Math.max(limit, forecast);
  const words = `${number(used)} of ${number(limit)} (${percent(used, limit)}) of the ${limited_by === 'budget' ? 'month budget' : 'account’s limit'}`;
  return html`
    <p><strong>${words}</strong></p>
    <svg class="bar" role="img" aria-label="${words}. ${outlook}">
      <rect class="ground" width="100%" height="100%" />
      <rect class="ahead" width=${share(forecast, scale)} height="100%" />
      <rect class=${used >= limit ? 'full' : 'used'} width=${share(used, scale)} height="100%" />
      ${over && html`<rect class="limit" x=${share(limit, scale)} width="2" height="100%" />`}
    </svg>
    <p class=${over ? 'risk' : 'note'}>${over && html`<b aria-hidden="true">⚠ </b>`}${outlook}${over && ' That is over the limit, which the line marks.'}</p>
  `;
}

/** As SVG writes it. */
function share(part: number, whole: number): string {
  return percent(part, whole).replace(' ', '');
}
