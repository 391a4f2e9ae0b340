/** The characters between marks of a paragraph. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { mdxjs } from 'micromark-extension-mdxjs';
import { expect, onTestFinished, test } from 'vitest';
import { JOINED_DATA } from '../../../src/formats/grammar/markdown-data.ts';

const DOCS = join(import.meta.dirname, '../../../docs');

type Extensions = NonNullable<Parameters<typeof fromMarkdown>[1]> & object;

function treeOf(text: string, ...more: readonly (typeof JOINED_DATA)[]) {
  const options: Extensions = {
    extensions: [gfm(), ...more],
    mdastExtensions: [gfmFromMarkdown()],
  };
  return fromMarkdown(text, options);
}

test('a page is read as without joining', () => {
  const pages = globSync('**/*.md', { cwd: DOCS }).map((file) =>
    readFileSync(join(DOCS, file), 'utf8'),
  );
  const marks =
    'See www.a.b, a@b.c and\thttp://x *a **b* c** [d `e`](f) ![g][h] ~~i~~ &amp; \\* j  \n<k> {l}';
  expect(pages.length).toBeGreaterThan(20);
  for (const page of [...pages, marks, `> ${marks}`, `| ${marks.replace('\n', ' ')} |\n| --- |`]) {
    expect(treeOf(page, JOINED_DATA)).toEqual(treeOf(page));
  }
});

test.each([
  ['tags of MDX', 'some words <A>x</A> and more '],
  ['expressions of MDX', 'some words {x} and more '],
  ['entities', 'some words {1} and &amp; more '],
])('twice as many %s move about twice as many events', (_, unit) => {
  const splice = Array.prototype.splice;
  onTestFinished(() => {
    Array.prototype.splice = splice;
  });
  let moved = 0;
  Array.prototype.splice = function (this: unknown[], start: number, ...rest: unknown[]) {
    moved += this.length - start;
    return Reflect.apply(splice, this, [start, ...rest]);
  };
  const movedBy = (count: number) => {
    moved = 0;
    fromMarkdown(unit.repeat(count), { extensions: [gfm(), mdxjs(), JOINED_DATA] });
    return moved;
  };
  expect(movedBy(2000) / movedBy(1000)).toBeLessThan(2.6);
});
