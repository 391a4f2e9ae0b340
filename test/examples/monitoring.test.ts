/** examples/monitoring as its reader would run it; docs/page.md and the alerts name metrics that exist. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import parseMetrics from 'parse-prometheus-text-format';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { Rig } from '../rig.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const FOLDER = join(ROOT, 'examples', 'monitoring');
const example = (name: string) => readFileSync(join(FOLDER, name), 'utf8');

interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly expr: string }[] }[];
}

test('the daemon of the example serves its page, and every metric of alerts and documentation', async () => {
  await using rig = await Rig.start({ config: 'projects: {}' });
  // Another daemon may have the port of the example while tests run: then the page takes a free one.
  rig.write(
    'dragoman.yaml',
    example('dragoman.yaml').replace(/\$\{DRAGOMAN_URL\}/, rig.sandbox.url),
  );
  rig.write('locales/en/app.json', example('locales/en/app.json'));
  const daemon = await rig.daemon();
  await daemon.until(
    () => daemon.lines.filter(({ kind }) => kind === 'job-delivered').length === 2,
  );
  const { stdout } = await rig.run('dashboard');
  const response = await fetch(new URL('/metrics', stdout.trim()));
  const served = new Set(parseMetrics(await response.text()).map(({ name }) => name));
  const { groups } = parse(example('alerts.yml')) as Rules;
  const alerts = groups.flatMap(({ rules }) => rules.flatMap(({ expr }) => namesIn(expr)));
  const documented = namesIn(readFileSync(join(ROOT, 'docs', 'page.md'), 'utf8'));
  expect(alerts.length).toBeGreaterThan(4);
  expect([...alerts, ...documented].filter((name) => !served.has(name))).toEqual([]);
  expect([...served].filter((name) => !documented.includes(name))).toEqual([]);
});

function namesIn(text: string): string[] {
  return text.match(/\b(dragoman|process|nodejs)_[a-z_]+\b/g) ?? [];
}
