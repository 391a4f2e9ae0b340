/** Billed characters per day as bars, and the same as a table for those who read instead of look. */
import { html } from 'htm/preact';
import type { DayLine } from '../../control/report.ts';
import { date, number } from './words.ts';

const HEIGHT = 100;
/** Share of a day's width that its bar fills. */
const FILL = 0.76;

export function DayChart({ days }: { days: readonly DayLine[] }) {
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
  // What was billed is seen, however little it was beside other days.
  const share = day.billed_characters === 0 ? 0.01 : Math.max(0.03, day.billed_characters / most);
  const height = share * HEIGHT;
  return html`
    <rect x=${nth + (1 - FILL) / 2} width=${FILL} y=${HEIGHT - height} height=${height}>
      <title>${day.day}: ${number(day.billed_characters)}</title>
    </rect>
  `;
}
