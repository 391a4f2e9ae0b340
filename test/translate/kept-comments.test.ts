/** The source loses a key and keeps the comment above it: the target keeps the comment, too. */
import { expect, test } from 'vitest';
import { TextJobs } from '../text-jobs.ts';

const FORMATS: readonly [path: string, source: string, kept: string, target: string][] = [
  ['en.ftl', '# Menu\na = One\nb = Two\n', '# Menu\n\nb = Two\n', '# Menu\na = Eins\nb = Zwei\n'],
  [
    'en.ftl',
    'z = Zero\n\n# Menu\na = One\n',
    'z = Zero\n\n# Menu\n',
    'z = Null\n\n# Menu\na = Eins\n',
  ],
  ['en.ini', '; Menu\na=One\nb=Two\n', '; Menu\nb=Two\n', '; Menu\na=Eins\nb=Zwei\n'],
  [
    'en.properties',
    'z=Zero\n# Menu\na=One\nb=Two\n',
    'z=Zero\n# Menu\nb=Two\n',
    'z=Null\n# Menu\na=Eins\nb=Zwei\n',
  ],
  [
    'en.yml',
    'z: Zero\n# Menu\na: One\nb: Two\n',
    'z: Zero\n# Menu\nb: Two\n',
    'z: Nichts\n# Menu\na: Eins\nb: Zwei\n',
  ],
  [
    'en.toml',
    'z = "Zero"\n# Menu\na = "One"\nb = "Two"\n',
    'z = "Zero"\n# Menu\nb = "Two"\n',
    'z = "Null"\n# Menu\na = "Eins"\nb = "Zwei"\n',
  ],
  [
    'en.strings',
    '"z" = "Zero";\n/* Menu */\n"a" = "One";\n"b" = "Two";\n',
    '"z" = "Zero";\n/* Menu */\n"b" = "Two";\n',
    '"z" = "Null";\n/* Menu */\n"a" = "Eins";\n"b" = "Zwei";\n',
  ],
  [
    'en.json5',
    '{\n  z: "Zero",\n  // Menu\n  a: "One",\n  b: "Two",\n}\n',
    '{\n  z: "Zero",\n  // Menu\n  b: "Two",\n}\n',
    '{\n  z: "Null",\n  // Menu\n  a: "Eins",\n  b: "Zwei",\n}\n',
  ],
];

test.each(FORMATS)('%s', async (path, source, kept, target) => {
  const there = path.replace('en', 'de');
  const jobs = await TextJobs.of(`{ from: "${path.replace('en', '{locale}')}", lane: text }`, {
    [path]: source,
    [there]: target,
  });
  await jobs.run(path);
  await jobs.write(path, kept);
  expect((await jobs.run(path)).state.kind).toBe('done');
  expect(await jobs.read(there)).toBe(target.replace(/.*Eins.*\n/, ''));
});

test('a comment that several entries have goes with its entry, as a person’s own does', async () => {
  const jobs = await TextJobs.of('{ from: "{locale}.ini", lane: text }', {
    'en.ini': 'z=Zero\n; a button\na=One\n; a button\nb=Two\n; a button\nc=Three\n',
    'de.ini': 'z=Null\n; a button\na=Eins\n; von mir\nb=Zwei\nc=Drei\n',
  });
  await jobs.run('en.ini');
  await jobs.write('en.ini', 'z=Zero\n; a button\nc=Three\n; a button\nd=Four\n');
  await jobs.run('en.ini');
  expect(await jobs.read('de.ini')).toMatch(/^z=Null\nc=Drei\n/);
});

test('PHP: a comment behind an entry goes with it, and those behind its neighbours stay', async () => {
  const target = `<?php return [
  'menu' => [ # note 0
    'a' => 'Eins', # note 1
    'b' => 'Zwei', // note 2
    'c' => 'Drei', # note 3
    'd' => 'Vier' # note 4
  ],
];
`;
  const source = "<?php return ['menu' => ['a'=>'One', 'b'=>'Two', 'c'=>'Three', 'd'=>'Four']];\n";
  for (const key of ['a', 'b', 'c']) {
    const jobs = await TextJobs.of('{ from: "{locale}.php", lane: text }', {
      'en.php': source,
      'de.php': target,
    });
    await jobs.run('en.php');
    await jobs.write('en.php', source.replace(new RegExp(`'${key}'=>'\\w+', `), ''));
    await jobs.run('en.php');
    expect(await jobs.read('de.php')).toBe(target.replace(new RegExp(`.*'${key}' =>.*\\n`), ''));
  }
});

test('PHP: a new entry goes below the comment of the entry or bracket before it', async () => {
  const target = "<?php return [ # menu\n  'b' => 'Zwei', # note 2\n];\n";
  const jobs = await TextJobs.of('{ from: "{locale}.php", lane: text }', {
    'en.php': "<?php return ['b'=>'Two'];\n",
    'de.php': target,
  });
  await jobs.run('en.php');
  await jobs.write('en.php', "<?php return ['a'=>'One', 'b'=>'Two', 'c'=>'Three'];\n");
  await jobs.run('en.php');
  const written = target
    .replace('# menu\n', "# menu\n  'a' => 'Oneä',\n")
    .replace('# note 2\n', "# note 2\n  'c' => 'Threeä',\n");
  expect(await jobs.read('de.php')).toBe(written);
});

test.each(['\n', '\r\n'])(
  'YAML: a comment at the end of a group goes with the group, line end %j',
  async (lineEnd) => {
    const page = (groups: readonly string[]) => groups.join('').replaceAll('\n', lineEnd);
    const [a, c] = ['a:\n  x: Eins\n  # end of a\n', 'c:\n  z: Drei\n'];
    const b = 'b:\n  # Anna\n  y: Zwei\n  # end of b\n\n  # more of b\n';
    const jobs = await TextJobs.of('{ from: "{locale}.yml", lane: text }', {
      'en.yml': 'a:\n  x: One\nb:\n  y: Two\nc:\n  z: Three\n',
      'de.yml': page([a, b, c]),
    });
    await jobs.run('en.yml');
    await jobs.write('en.yml', 'a:\n  x: One\nc:\n  z: Three\n');
    expect((await jobs.run('en.yml')).state.kind).toBe('done');
    expect(await jobs.read('de.yml')).toBe(page([a, c]));
    await jobs.write('en.yml', 'a:\n  x: One\n');
    await jobs.run('en.yml');
    await jobs.write('en.yml', 'd: One\n');
    await jobs.run('en.yml');
    expect(await jobs.read('de.yml')).not.toContain('#');
  },
);
