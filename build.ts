// Compiles src to dist, which package.json's bin and exports point to.
// Run by npm's prepare with Node 24 from node_modules/.bin; published packages hold dist only.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundlePage } from './src/page/bundle.ts';

const root = import.meta.dirname;
rmSync(join(root, 'dist'), { recursive: true, force: true });
execFileSync(join(root, 'node_modules', '.bin', 'tsc'), ['-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
});
chmodSync(join(root, 'dist', 'main.js'), 0o755);

const client = join(root, 'dist', 'page', 'client');
mkdirSync(client, { recursive: true });
for (const [name, content] of Object.entries(await bundlePage())) {
  writeFileSync(join(client, name), content);
}
