/** `once --frozen` says why a file is stale. */
import { expect, test } from 'vitest';
import { Rig } from '../rig.ts';

const config = (formality: string) => `
lock: dragoman.lock
projects:
  help:
    source: en
    targets: [de]
    formality: ${formality}
    retranslate_on: [source, options]
    routes:
      - { from: "en/*.txt", to: "{locale}/{name}.txt", lane: document }
      - { from: "en/*.md", to: "{locale}/{name}.md" }
      - { from: "en/*.json", to: "{locale}/{name}.json" }
`;

test('a document, a page and a file of keys whose settings changed have changed settings, and those with a new source have a new source', async () => {
  await using rig = await Rig.start({
    config: config('more'),
    files: {
      'en/plain.txt': 'A short hello.\n',
      'en/page.md': 'A short page.\n',
      'en/app.json': '{\n  "title": "Welcome"\n}\n',
      'en/other.txt': 'Another hello.\n',
    },
  });
  await rig.once();
  rig.write(
    'dragoman.yaml',
    rig.read('dragoman.yaml').replace('formality: more', 'formality: less'),
  );
  const settings = await rig.run('once', '--frozen');
  expect(reasonsIn(settings.stdout + settings.stderr)).toEqual({
    'app.json': 'recipe changed',
    'other.txt': 'recipe changed',
    'page.md': 'recipe changed',
    'plain.txt': 'recipe changed',
  });
  rig.write('en/other.txt', 'Another longer hello.\n');
  const sources = await rig.run('once', '--frozen');
  expect(reasonsIn(sources.stdout + sources.stderr)).toMatchObject({
    'other.txt': 'source changed',
    'plain.txt': 'recipe changed',
  });
});

function reasonsIn(out: string): Record<string, string> {
  const found = out.matchAll(/en\/(\S+) -> de: (\w+ changed)/g);
  return Object.fromEntries([...found].map(([, file = '', reason = '']) => [file, reason]));
}
