/** The source gets or loses an entry: comments of the target stay with their entries, those that stand apart and its head stay. */
import { expect, test } from 'vitest';
import { TextJobs } from '../text-jobs.ts';

/** Source, the source after the change, the target, the target after it. */
const CHANGES: Readonly<Record<string, readonly [string, string, string, string]>> = {
  'a new one.properties': [
    '# Licence\na=One\n',
    '# Licence\n# about zero\nz=Zero\na=One\n',
    '# Lizenz\na=Eins\n',
    '# Lizenz\nz=Zeroä\na=Eins\n',
  ],
  'a new one.strings': [
    '/* Licence */\n/* about one */\n"a" = "One";\n',
    '/* Licence */\n/* about zero */\n"z" = "Zero";\n/* about one */\n"a" = "One";\n',
    '/* Lizenz */\n/* von Eva */\n"a" = "Eins";\n',
    '/* Lizenz */\n/* about zero */\n"z" = "Zeroä";\n/* von Eva */\n"a" = "Eins";\n',
  ],
  'a new one.yml': [
    'g:\n  a: One\n',
    'g:\n  z: Zero\n  a: One\n',
    'g:\n  # von Eva\n  a: Eins\n',
    'g:\n  z: Zeroä\n  # von Eva\n  a: Eins\n',
  ],
  'a new group.yml': [
    '# Licence\n\ng:\n  a: One\n',
    '# Licence\n\nf:\n  z: Zero\ng:\n  a: One\n',
    '# Lizenz\n\n# Gruppe\ng:\n  a: Eins\n',
    '# Lizenz\n\nf:\n  z: Zeroä\n# Gruppe\ng:\n  a: Eins\n',
  ],
  'a new one below the head.yml': [
    '# Licence\na: One\n',
    '# Licence\nz: Zero\na: One\n',
    '# Lizenz\na: Eins\n',
    '# Lizenz\nz: Zeroä\na: Eins\n',
  ],
  'it is removed.yml': [
    'g:\n  a: One\n  b: Two\n',
    'g:\n  b: Two\n',
    'g:\n  # von Eva\n  a: Eins\n  # Rest\n  b: Zwei\n',
    'g:\n  # Rest\n  b: Zwei\n',
  ],
  'it is removed below the head.yml': [
    '# Licence\na: One\nb: Two\n',
    '# Licence\nb: Two\n',
    '# Lizenz\na: Eins\nb: Zwei\n',
    '# Lizenz\nb: Zwei\n',
  ],
  'it is removed.strings': [
    '/* Licence */\n/* about one */\n"a" = "One";\n"b" = "Two";\n',
    '/* Licence */\n"b" = "Two";\n',
    '/* Lizenz */\n/* von Eva */\n"a" = "Eins";\n"b" = "Zwei";\n',
    '/* Lizenz */\n"b" = "Zwei";\n',
  ],
  'the last one below a section is removed.yml': [
    'f:\n  a: One\ng:\n  b: Two\n',
    'f:\n  a: One\n',
    'f:\n  a: Eins\n  # Ende\n# von Eva\ng:\n  b: Zwei\n',
    'f:\n  a: Eins\n  # Ende\n',
  ],
  'one below a section is removed.yml': [
    'a: One\nb: Two\nc: Three\n',
    'a: One\nc: Three\n',
    'a: Eins\n\n# Abschnitt\n\n# von Eva\nb: Zwei\nc: Drei\n',
    'a: Eins\n\n# Abschnitt\n\nc: Drei\n',
  ],
  ...Object.fromEntries(
    [
      ['json5', '{', '}', ': '],
      ['js', 'export default {', '};', ': '],
      ['php', '<?php return [', '];', ' => '],
    ].map(([extension, open, close, is]) => {
      const entry = (key: string, text: string) => `  '${key}'${is}'${text}',\n`;
      const file = (...lines: string[]) => `${open}\n${lines.join('')}${close}\n`;
      const [a, c] = [entry('a', 'Eins'), entry('c', 'Drei')];
      const section = '\n  // Abschnitt\n\n  /* fern\n\n  davon */\n\n';
      return [
        `one below a section is removed.${extension}`,
        [
          file(entry('a', 'One'), entry('b', 'Two'), entry('c', 'Three')),
          file(entry('a', 'One'), entry('c', 'Three')),
          file(a, section, '  /* von http://eva\n\n  allein */\n', entry('b', 'Zwei'), c),
          file(a, section, c).replace('*/\n\n', '*/\n'),
        ] as const,
      ];
    }),
  ),
};

test.each(
  Object.entries(CHANGES).flatMap(([name, files]) => [
    [name, '\n', files] as const,
    [name, '\r\n', files] as const,
  ]),
)('%s with the line end %j', async (name, end, [source, changed, target, after]) => {
  const extension = name.split('.')[1];
  const [from, to] = [`l/en.${extension}`, `l/de.${extension}`];
  const jobs = await TextJobs.of(`{ from: "l/{locale}.${extension}", lane: text }`, {
    [from]: source,
    [to]: target.replaceAll('\n', end),
  });
  await jobs.run(from);
  await jobs.write(from, changed);
  await jobs.run(from);
  expect((await jobs.read(to)).replaceAll('\\u00e4', 'ä')).toBe(after.replaceAll('\n', end));
  expect(await jobs.run(from)).toMatchObject({ isWritten: false });
});
