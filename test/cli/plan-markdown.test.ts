/** A plan as a comment of a pull request. */
import { expect, test } from 'vitest';
import { LONGEST_COMMENT, PLAN_MARKER, planMarkdown } from '../../src/cli/plan-markdown.ts';
import type { PlanLine, PlanReport } from '../../src/control/plan-report.ts';

const line = (over: Partial<PlanLine> = {}): PlanLine => ({
  project: 'app',
  lane: 'text',
  source: 'locales/en/app.json',
  target: 'locales/de/app.json',
  language: 'de',
  reason: 'new',
  estimated_characters: 1200,
  texts: { adopted: 0, bought: 3, from_memory: 0, held: 0, conflicts: 0 },
  states: { missing: 2, stale: 1 },
  ...over,
});

const report = (over: Partial<PlanReport> = {}): PlanReport => ({
  state: 'not running',
  jobs: [line()],
  languages: [],
  projects: [],
  largest: [],
  drift: [],
  held: [],
  attention: [],
  skipped: [],
  new_texts: [],
  notes: [],
  unchanged: 4,
  estimated_characters: 1200,
  ...over,
});

test('totals, a row for each project and language, and the largest files come in this order', () => {
  const jobs = [
    line(),
    line({
      language: 'fr',
      texts: { adopted: 2, bought: 1, from_memory: 0, held: 1, conflicts: 1 },
    }),
    line({ source: 'big.json', estimated_characters: 5000, reason: 'source edited' }),
  ];
  expect(planMarkdown(report({ jobs, estimated_characters: 7400 }), 'origin/main')).toBe(
    `${PLAN_MARKER}
### Translations since \`origin/main\`

**3 jobs**, **7,400 characters** to be billed.

| project | language | texts to buy | missing | stale | from memory | adopted | held | would fail | characters |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| \`app\` | \`de\` | 6 | 4 | 2 | 0 | 0 | 0 | 0 | 6,200 |
| \`app\` | \`fr\` | 1 | 2 | 1 | 0 | 2 | 2 | 0 | 1,200 |

| file | languages | why | characters |
| --- | --- | --- | ---: |
| \`big.json\` | \`de\` | source edited | 5,000 |
| \`locales/en/app.json\` | \`de\` \`fr\` | new | 2,400 |
`,
  );
});

test('a plan without work is one sentence', () => {
  expect(planMarkdown(report({ jobs: [], estimated_characters: 0 }), undefined)).toBe(
    `${PLAN_MARKER}\n### Translations\n\nNothing to do; 4 targets up to date.\n`,
  );
});

test('held jobs and jobs that would fail are named with their reason', () => {
  const jobs = [
    line({ would_hold: 'over the budget' }),
    line({ source: 'bad.json', would_fail: 'bad.json:3:1: unexpected end' }),
  ];
  const shown = planMarkdown(report({ jobs }), undefined);
  expect(shown).toContain('1 held, 1 would fail.');
  expect(shown).toContain('**Held**\n\n- `locales/en/app.json` `de` over the budget');
  expect(shown).toContain('**Would fail**\n\n- `bad.json` `de` bad.json:3:1: unexpected end');
});

test('names and reasons are shown as they are: no markup, no mention, no broken table', () => {
  const jobs = [line({ source: 'a|b `c`\n<b>.json', would_hold: '@team <img> [x](y) | *z*' })];
  const shown = planMarkdown(report({ jobs, notes: ['see @all'] }), undefined);
  expect(shown).toContain('| `` a\\|b `c` <b>.json `` |');
  expect(shown).toContain('&#64;team &lt;img> \\[x\\](y) \\| \\*z\\*');
  expect(shown).toContain('see &#64;all');
  expect(shown.split('\n').filter((row) => row.startsWith('| `` a'))).toHaveLength(1);
});

test('twenty rows are visible, and the others are folded', () => {
  const jobs = Array.from({ length: 25 }, (_, index) => line({ source: `file-${index}.json` }));
  const shown = planMarkdown(report({ jobs }), undefined);
  expect(shown).toContain('<details><summary>5 files more</summary>\n\n| file |');
  expect(shown.match(/<details>/g)).toHaveLength(1);
  expect(shown.match(/<\/details>/g)).toHaveLength(1);
});

test('a plan of any size fits into a comment, with its totals, and says that it is cut', () => {
  const languages = Array.from({ length: 60 }, (_, index) => `l${index}`);
  const jobs = Array.from({ length: 200 }, (_, index) =>
    languages.map((language) =>
      line({ language, source: `${'deep/'.repeat(40)}${index}.json`, would_hold: 'no'.repeat(50) }),
    ),
  ).flat();
  const notes = Array.from({ length: 3000 }, (_, index) => `note ${index} ${'x'.repeat(100)}`);
  const shown = planMarkdown(report({ jobs, notes, estimated_characters: 14_400_000 }), 'main');
  expect(shown.length).toBeLessThanOrEqual(LONGEST_COMMENT);
  expect(shown.length).toBeGreaterThan(LONGEST_COMMENT / 2);
  expect(shown).toContain('**14,400,000 characters** to be billed');
  expect(shown).toContain('| `app` | `l0` |');
  expect(shown).toContain('The comment is cut');
  expect(shown.match(/<details>/g)?.length).toBe(shown.match(/<\/details>/g)?.length);
});

test('texts of unknown age, edits by hand and texts without a review are listed for each language, if there are any', () => {
  const jobs = [line({ states: { unknown: 1, edited: 2 } }), line({ language: 'fr' })];
  const told = planMarkdown(report({ jobs }), undefined, [
    { project: 'app', language: 'ja', texts: 7 },
  ]);
  expect(told).toContain('| held | unknown | edited by hand | would fail |');
  expect(told).toContain('| `app` | `de` | 3 | 0 | 0 | 0 | 0 | 0 | 1 | 2 | 0 | 1,200 |');
  expect(told).toContain('| `app` | `fr` | 3 | 2 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | 1,200 |');
  expect(told).toContain('| project | language | unreviewed |\n| --- | --- | ---: |');
  expect(told).toContain('| `app` | `ja` | 7 |');
});
