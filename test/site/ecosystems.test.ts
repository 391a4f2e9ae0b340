/** Each page of an ecosystem holds a small repository, commands and the routes that come of them: all three are tried. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Rig } from '../rig.ts';

const FOLDER = join(import.meta.dirname, '..', '..', 'docs', 'ecosystems');

interface EcosystemPage {
  readonly files: Readonly<Record<string, string>>;
  readonly commands: readonly string[][];
  readonly routes: readonly string[];
}

function read(page: string): EcosystemPage {
  const text = readFileSync(join(FOLDER, page), 'utf8');
  const blocks = [...text.matchAll(/^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm)].map(
    ([, language, name, content = '']) => ({ language, name, content }),
  );
  const of = (language: string) =>
    blocks
      .filter((block) => block.name === undefined && block.language === language)
      .flatMap(({ content }) => content.split('\n').filter((line) => line !== ''));
  return {
    files: Object.fromEntries(
      blocks.flatMap(({ name, content }) => (name ? [[name, content]] : [])),
    ),
    commands: of('sh').map((line) =>
      line
        .replace(/\s*#.*$/, '')
        .replace(/^npx dragoman /, '')
        .split(' '),
    ),
    routes: of('yaml').map((line) => line.trim()),
  };
}

test.each(readdirSync(FOLDER))('the commands of %s do what the page says', async (page) => {
  const { files, commands, routes } = read(page);
  await using rig = await Rig.start({ config: '', files });
  rig.remove('dragoman.yaml');
  for (const command of commands) {
    const address = command[0] === 'init' ? ['--url', rig.sandbox.url] : [];
    const { code, stdout, stderr } = await rig.run(...command, ...address);
    expect({ command, code, said: code === 0 ? '' : stdout + stderr }).toEqual({
      ...{ command, code: 0, said: '' },
    });
  }
  // The name of the layout is behind the route.
  const written = rig
    .read('dragoman.yaml')
    .split('\n')
    .map((line) => line.trim().replace(/ {3}#.*$/, ''))
    .filter((line) => line.startsWith('- { from:'));
  expect(written).toEqual(routes);
  expect(commands.map(([name]) => name)).toEqual(['init', 'plan', 'once', 'check']);
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
});
