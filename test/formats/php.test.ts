import { expect, it } from 'vitest';
import { php } from '../../src/formats/php.ts';
import { compose } from '../../src/formats/text/compose.ts';
import type { SegmentPlacement } from '../../src/formats/text/composition.ts';
import { openFile } from '../../src/formats/text/open.ts';
import { describeFormat } from '../contracts/format.ts';
import { type Tree, trees } from './literal-arbitraries.ts';

const regular = `<?php

return [
    'accepted'   => 'The :attribute must be accepted.',
    'custom'     => 'It\\'s a back\\\\slash',
    'between'    => [
        'numeric'    => 'Between :min and :max.',
        'string'     => "Two\\nlines and \\$money",
    ],
    'list'       => ['one x', 'two x'],
    'number'     => 5,
];
`;

const quote = (text: string) => `'${text.replace(/['\\]/g, '\\$&')}'`;

function written(tree: Tree): string {
  if (tree === null || typeof tree === 'number') return String(tree);
  if (typeof tree === 'string') return quote(tree);
  if (Array.isArray(tree)) return `[${tree.map(written).join(', ')}]`;
  const entries = Object.entries(tree).map(([key, value]) => `${quote(key)} => ${written(value)},`);
  return `[\n${entries.join('\n')}\n]`;
}

describeFormat({
  format: php,
  file: 'lang/en/validation.php',
  fixtures: {
    plain: `<?php

return [
    'a' => 'It\\'s x',
    'b' => 'y text',
    'c' => ['d' => 'z', 'e' => 'w'],
];
`,
  },
  irregular: {
    regular,
    'long form with comments': `<?php\n// head\nreturn array(\n  'a' => 'x text', // tail\n  # own\n  'b' => strtoupper('y'),\n  'c' => "z {$x}",\n);\n`,
    'with CRLF': regular.replaceAll('\n', '\r\n'),
  },
  reordered: [
    "<?php return ['a' => 'x', 'b' => ['c' => 'y']];",
    "<?php return ['b' => ['c' => 'y'], 'a' => 'x'];",
  ],
  malformed: [["<?php\nreturn [\n  'a' => ,\n];\n", 3, undefined]],
  generated: trees.map((tree) => `<?php\nreturn ${written(tree)};\n`),
  corpus: { folder: 'php', mixed: ['php/es/example.php'] },
});

it('new keys go into an existing target as PHP writes them', () => {
  const options = {
    file: 'lang/de/validation.php',
    sourceLanguage: undefined,
    language: undefined,
    role: 'target',
  } as const;
  const source = openFile(Buffer.from(regular), php, { ...options, role: 'source' });
  const target = openFile(
    Buffer.from("<?php\n\nreturn [\n  'accepted' => 'Angenommen.',\n  'own' => 'Eigenes',\n];\n"),
    php,
    options,
  );
  const placements = new Map<string, SegmentPlacement>([
    ['custom', { kind: 'write', parts: ["Geht's"] }],
    ['between.numeric', { kind: 'write', parts: ['Zwischen :min und :max.'] }],
    ['number', { kind: 'keep' }],
  ]);
  const { text } = compose({ format: php, options, source, target, placements });
  expect(text).toBe(`<?php

return [
  'accepted' => 'Angenommen.',
  'custom' => 'Geht\\'s',
  'between' => [
    'numeric' => 'Zwischen :min und :max.'
  ],
  'own' => 'Eigenes',
];
`);
});

it('texts in variables are reported, each with its line', () => {
  const text =
    "<?php\n$lang['hello'] = 'Hello';\n$lang['js']['bye'] = 'Good bye';\n$lang['direction'] = '1';\n";
  const { segments, warnings } = php.parse(text, {
    file: 'lang.php',
    encoding: 'utf-8',
    sourceLanguage: undefined,
    language: undefined,
    role: 'source',
  });
  expect(segments).toEqual([]);
  expect(warnings.map(({ line }) => line)).toEqual([2, 3]);
});

it('keeps long concatenations as they are, and reads what is beside them', () => {
  const chain = (operators: readonly string[]) =>
    Array.from({ length: 400 }, (_, nth) => `'part ${nth}' ${operators[nth % operators.length]} `)
      .join('')
      .concat("'end'");
  const text = `<?php return ['a' => ${chain(['.'])}, 'b' => 'Hello', 'c' => $x ? ${chain(['.', '+', '*', '??', '&&', '-'])} : -1 . 'y', 'd' => 'Bye'];\n`;
  const { doc } = openFile(Buffer.from(text), php, {
    file: 'a.php',
    role: 'source',
    sourceLanguage: undefined,
    language: undefined,
  });
  expect(doc.segments.map(({ parts }) => parts)).toEqual([['Hello'], ['Bye']]);
});
