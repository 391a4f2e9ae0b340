/** The costs: the used part of the limit, a forecast for the period, and the last 30 days. */
import { html } from 'htm/preact';
import type { DayLine } from '../../control/report.ts';
import type { PageSnapshot } from '../snapshot.ts';
import { characters, date, number, percent } from './words.ts';

type Props = Pick<PageSnapshot, 'usage' | 'days' | 'budget'>;

export function UsageView({ usage, days, budget }: Props) {
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
  // A forecast of 0 is not shown.
  const outlook =
    forecast === 0 ? '' : `At the pace of the last week: about ${number(forecast)} by ${until}.`;
  if (limit === null) {
    return html`<p><strong>${characters(used)}</strong> in this period; no limit is known. ${outlook}</p>`;
  }
  const over = forecast > limit;
  const scale = Math.max(limit, forecast);
  const words = `${number(used)} of ${number(limit)} (${percent(used, limit)}) of the ${limited_by === 'budget' ? 'month budget' : 'account’s limit'}`;
  return html`
    <p><strong>${words}</strong></p>
    <svg class="bar" role="img" aria-label="${`${words}. ${outlook}`.trim()}">
      <rect class="ground" width="100%" height="100%" />
      <rect class="ahead" width=${share(forecast, scale)} height="100%" />
      <rect class=${used >= limit ? 'full' : 'used'} width=${share(used, scale)} height="100%" />
      ${over && html`<rect class="limit" x=${share(limit, scale)} width="2" height="100%" />`}
    </svg>
    <p class=${over ? 'risk' : 'note'}>${over && html`<b aria-hidden="true">⚠ </b>`}${outlook}${over && ' That is over the limit, which the line marks.'}</p>
  `;
}

/** A percentage as SVG writes it. */
function share(part: number, whole: number): string {
  return percent(part, whole).replace(' ', '');
}

/** Height of the chart in its own units. */
const HEIGHT = 100;
/** Share of a day's width that its bar fills. */
const FILL = 0.76;

/** Billed characters per day as bars, and as a table for screen readers. */
function DayChart({ days }: { days: readonly DayLine[] }) {
  const most = Math.max(...days.map((day) => day.billed_characters));
  const [first, last] = [days[0], days.at(-1)];
  if (most === 0 || first === undefined || last === undefined) {
    return html`<p class="note">Nothing was billed in the last ${days.length} days.</p>`;
  }
  const today = `today ${number(last.billed_characters)}`;
  return html`
    <figure>
      <figcaption><span>Per day, ${days.length} days</span><span>highest ${number(most)}, ${today}</span></figcaption>
      <svg class="days" viewBox="0 0 ${days.length} ${HEIGHT}" preserveAspectRatio="none" role="img"
        aria-label="Billed characters per day: highest ${number(most)}, ${today}">
        ${days.map((day, nth) => html`<${DayBar} key=${day.day} day=${day} nth=${nth} most=${most} />`)}
      </svg>
      <div class="axis" aria-hidden="true"><span>${date(first.day)}</span><span>${date(last.day)}</span></div>
    </figure>
    <details>
      <summary>Days as a table</summary>
      <table class="figures">
        <thead><tr><th scope="col">Day (UTC)</th><th scope="col">Billed characters</th></tr></thead>
        <tbody>
          ${days
            .filter((day) => day.billed_characters > 0)
            .map(
              (day) => html`
            <tr key=${day.day}><td>${day.day}</td><td>${number(day.billed_characters)}</td></tr>`,
            )}
        </tbody>
      </table>
    </details>
  `;
}

function DayBar({ day, nth, most }: { day: DayLine; nth: number; most: number }) {
  // A small charge is visible, too, also beside large ones.
  const share = day.billed_characters === 0 ? 0.01 : Math.max(0.03, day.billed_characters / most);
  const height = share * HEIGHT;
  return html`
    <rect x=${nth + (1 - FILL) / 2} width=${FILL} y=${HEIGHT - height} height=${height}>
      <title>${day.day}: ${number(day.billed_characters)}</title>
    </rect>
  `;
}
