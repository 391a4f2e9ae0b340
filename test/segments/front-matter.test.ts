/** Front matter of a person at first contact: a bought value brings its own line and the keys above it, and no line beside it. */
import { expect, test } from 'vitest';
import type { FramePiece } from '../../src/segments/frame/frame.ts';
import { mergeFrames } from '../../src/segments/frame/merge.ts';

/** `{id}` is a text. */
function pieces(page: string): FramePiece[] {
  return page
    .split(/(\{\w+\})|(?<=\n)/)
    .filter((part) => part !== undefined && part !== '')
    .map((part) => {
      const [, id] = /^\{(\w+)\}$/.exec(part) ?? [];
      return id === undefined ? { kind: 'line', text: part } : { kind: 'segment', id };
    });
}

function merged(source: string, target: string): string {
  const pages = { before: undefined, source: pieces(source), target: pieces(target) };
  const merge = mergeFrames({ ...pages, decide: () => 'open' });
  return merge.pieces
    .map(({ piece }) => (piece.kind === 'segment' ? `{${piece.id}}` : piece.text))
    .join('');
}

const BODY = '\n{first}\n\n{last}\n';

/** The lines between the fences: of the source, of the target, and after the merge. */
const MATTERS: readonly (readonly [source: string, target: string, wanted: string])[] = [
  ['title: {t}\ndescription: {d}\nlogo: surge\n', 'title: {t}\n', 'title: {t}\ndescription: {d}\n'],
  [
    'description: {d}\ntitle: {t}\nlogo: surge\ndraft: true\n',
    'title: {t}\nauthor: Jana\n',
    'description: {d}\ntitle: {t}\nauthor: Jana\n',
  ],
  [
    'title: {t}\ndescription: {d}\nweight: 3\ndraft: true\n',
    'title: {t}\nweight: 3\n',
    'title: {t}\ndescription: {d}\nweight: 3\n',
  ],
  [
    'title: {t}\nsidebar:\n  order: 3\n  label: {l}\n  badge: new\ntype: deploy\nlogo: surge\n',
    'title: {t}\ntype: deploy\nauthor: Jana\n',
    'title: {t}\nsidebar:\n  label: {l}\ntype: deploy\nauthor: Jana\n',
  ],
  [
    'title: {t}\nfeatures:\n  - icon: A\n    title: {a}\n    link: /a\n  - icon: B\n    title: {b}\n    link: /b\nlogo: surge\n',
    'title: {t}\nfeatures:\n  - icon: X\n    title: {a}\n',
    'title: {t}\nfeatures:\n  - icon: X\n    title: {a}\n  - icon: B\n    title: {b}\n    link: /b\n',
  ],
  ['draft: true\nlogo: surge\n', 'author: Jana\n', 'author: Jana\n'],
];

test.each(MATTERS)('%j beside %j becomes %j', (source, target, wanted) => {
  for (const fence of ['---\n', '+++\n']) {
    for (const [ours, theirs] of [
      [BODY, BODY],
      [`\nimport { Steps } from "@c";\n\n<!-- keep -->\n${BODY}`, BODY],
      [`\n<Steps>\n${BODY}`, `\n<Schritte>\n${BODY}`],
    ]) {
      const page = `${fence}${target}${fence}${theirs}`;
      expect(merged(`${fence}${source}${fence}${ours}`, page)).toBe(
        `${fence}${wanted}${fence}${theirs}`,
      );
    }
  }
});

test('a page whose front matter a person left out gets the bought lines and its body as before', () => {
  expect(merged(`---\ntitle: {t}\n---\n${BODY}`, BODY)).toContain('{first}\n\n{last}\n');
});
