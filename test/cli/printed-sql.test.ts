/** `state migrate --print-sql`: the SQL for the owner of a database. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Rig } from '../rig.ts';
import { temporaryFolder } from '../temporary-folder.ts';

async function printed(more: string): Promise<string> {
  const folder = join(await temporaryFolder(), 'state');
  await using rig = await Rig.start({
    files: { 'en/app.json': '{}' },
    config: `state: { folder: ${folder}, url: "postgres://runner@db/team", schema: l10n${more} }
projects: { app: { root: ., source: en, targets: [de], routes: [{ from: "en/*.json", to: "{locale}/{name}.json" }] } }
`,
  });
  const { code, stdout, stderr } = await rig.run('state', 'migrate', '--print-sql');
  expect(stderr).toBe('');
  expect(code).toBe(0);
  return stdout;
}

test('the printed SQL has the queues of the tree where the config names one, and none elsewhere', async () => {
  const alone = await printed('');
  expect(alone).toMatch(/^begin;[\s\S]*commit;\n$/);
  expect(alone).not.toContain('create_queue');
  const shared = await printed(', tree: website, key: { env: TEAM_KEY }');
  expect(shared).toContain("'website.text'");
  expect(shared).toMatch(/^begin;[\s\S]*\nend \$queues\$;[\s\S]*commit;\n$/);
});
