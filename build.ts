// Builds dist: the bundle, the types of the library and the licences. One package of few files installs and starts faster: no
// other package is loaded. Run by npm's prepare with Node 24 from node_modules/.bin.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from './bundle.ts';

const root = import.meta.dirname;
const dist = join(root, 'dist');
rmSync(dist, { recursive: true, force: true });
const { inputs } = await bundle(dist);

// The types of the library, and of what it names.
execFileSync(join(root, 'node_modules', '.bin', 'tsc'), ['-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
});

writeFileSync(join(dist, 'LICENSES.txt'), licensesOf(Object.keys(inputs)));

/** The licences of the libraries in the bundle, as they ask for it. */
function licensesOf(inputs: readonly string[]): string {
  const folders = inputs.flatMap(
    (input) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? [],
  );
  return [...new Set(folders)]
    .toSorted((a, b) => a.localeCompare(b))
    .map(licenseOf)
    .join('\n');
}

function licenseOf(folder: string): string {
  const { name, version, license } = JSON.parse(
    readFileSync(join(root, folder, 'package.json'), 'utf8'),
  ) as { name: string; version: string; license?: string };
  const file = readdirSync(join(root, folder)).find((each) => /^licen[cs]e/i.test(each));
  const text = file === undefined ? '' : readFileSync(join(root, folder, file), 'utf8').trim();
  return `${name} ${version} (${license ?? 'see its text'})\n\n${text}\n\n${'-'.repeat(72)}\n`;
}
