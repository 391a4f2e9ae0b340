/**
 * After any change of the source, a page of HTML stays well-formed, and a person's blocks stay in their elements. New texts are behind the
 * texts that they follow in the source.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TextJobs } from '../text-jobs.ts';

/** The shapes of a block, each with the texts of these numbers. */
const SHAPES: readonly ((text: (nth: number) => string) => string)[] = [
  (text) => `<p>${text(0)}</p>\n`,
  (text) => `<h2>${text(0)}</h2>\n<p>${text(1)}</p>\n`,
  (text) => `<div class="card"><div class="body">\n<p>${text(0)}</p>\n</div></div>\n`,
  (text) => `<div class="card">\n  <div class="body">\n    <p>${text(0)}</p>\n  </div>\n</div>\n`,
  (text) => `<ul>\n  <li>${text(0)}</li>\n  <li>${text(1)}</li>\n</ul>\n`,
  (text) => `<section>\n<h2>${text(0)}</h2>\n<div><p>${text(1)}</p></div>\n</section>\n`,
  (text) => `<div><p>${text(0)}</p></div>\n`,
  (text) => `<table><tr><td>${text(0)}</td><td>${text(1)}</td></tr></table>\n`,
];

interface Block {
  readonly shape: number;
  readonly id: number;
}

const english = ({ shape, id }: Block) =>
  SHAPES[shape]?.((nth) => `Boat ${id}${nth} is ready to leave the harbour`) ?? '';
const german = ({ shape, id }: Block) =>
  SHAPES[shape]?.((nth) => `Boot ${id}${nth} ist bereit, den Hafen zu verlassen`) ?? '';

const shapes = fc.nat(SHAPES.length - 1);
const OWN: readonly ((id: number) => string)[] = [
  (id) => `<p>Eigenes von Jana, ${id}</p>\n`,
  (id) => `<div class="own">\n<p>Eigenes von Jana, ${id}</p>\n</div>\n`,
  (id) => `<aside><div><p>Eigenes von Jana, ${id}</p></div></aside>\n`,
];

/** The block with a person's paragraph or list item behind one of its lines; the block itself if it cannot have one. */
function withInner(block: string, at: number, id: number): string {
  const lines = block.split(/(?<=\n)/);
  const places = lines.flatMap((line, index) => (/^\s*<(p|li|h2)>.*\n$/.test(line) ? [index] : []));
  const place = places[at % places.length];
  if (place === undefined) return block;
  const tag = lines[place]?.includes('<li>') ? 'li' : 'p';
  return lines.toSpliced(place + 1, 0, `<${tag}>Eigenes von Jana, ${id}</${tag}>\n`).join('');
}

/** The change of the source: with `two`, two new blocks are behind the block; `reshape` keeps the texts. */
interface SourceChange {
  readonly kind: 'remove' | 'replace' | 'reshape' | 'insert' | 'two' | 'move';
  readonly at: number;
  readonly shape: number;
  readonly other: number;
}

const sourceChange: fc.Arbitrary<SourceChange> = fc.record({
  kind: fc.constantFrom('remove', 'replace', 'reshape', 'insert', 'two', 'move'),
  at: fc.nat(),
  shape: shapes,
  other: shapes,
});

function changed(blocks: readonly Block[], { kind, at, shape, other }: SourceChange): Block[] {
  const next = [...blocks];
  const place = at % blocks.length;
  const old = blocks[place] as Block;
  if (kind === 'remove') next.splice(place, 1);
  else if (kind === 'replace') next.splice(place, 1, { shape, id: 700 });
  else if (kind === 'reshape') next.splice(place, 1, { ...old, shape });
  else if (kind === 'insert') next.splice(place, 0, { shape, id: 700 });
  else if (kind === 'two') next.splice(place + 1, 0, { shape, id: 700 }, { shape: other, id: 800 });
  else next.splice((place + 1 + other) % blocks.length, 0, ...next.splice(place, 1));
  return next;
}

/** The tags that do not close in order; the generated pages have none. */
function unpaired(page: string): string[] {
  const open: string[] = [];
  const wrong: string[] = [];
  for (const [, slash, name = ''] of page.matchAll(/<(\/?)([a-z][a-z0-9]*)[^>]*>/g)) {
    if (slash === '') open.push(name);
    else if (open.at(-1) === name) open.pop();
    else wrong.push(`</${name}>`);
  }
  return [...wrong, ...open.map((name) => `<${name}>`)];
}

/** Each text with the elements around it, in the order of the page. */
function textsIn(page: string): { readonly text: string; readonly path: string }[] {
  const open: string[] = [];
  const found: { text: string; path: string }[] = [];
  for (const [, tag = '', text = ''] of page.matchAll(/<([^>]*)>|([^<]+)/g)) {
    if (tag.startsWith('/')) open.pop();
    else if (tag !== '') open.push(tag);
    else if (text.trim() !== '') found.push({ text: text.trim(), path: open.join(' ') });
  }
  return found;
}

/** The number in a text, which its translation keeps. */
const numberIn = (text: string) => /\d+/.exec(text)?.[0] ?? '';
const isOwn = ({ text }: { readonly text: string }) => text.startsWith('Eigenes');

test('a page of HTML stays well-formed, with every block of a person in its element', async () => {
  await fc.assert(
    fc.asyncProperty(
      ...[fc.array(shapes, { minLength: 2, maxLength: 6 }), fc.boolean()],
      fc.array(fc.record({ at: fc.nat(), shape: fc.nat(OWN.length - 1), inner: fc.boolean() }), {
        minLength: 1,
        maxLength: 3,
      }),
      sourceChange,
      async (shapesOf, isWrapped, owns, change) => {
        const blocks = shapesOf.map((shape, nth) => ({ shape, id: 100 + nth }));
        const page = (parts: readonly string[]) =>
          isWrapped ? `<main>\n${parts.join('')}</main>\n` : parts.join('');
        const route = '{ from: "docs/{locale}/**/*.html", lane: text }';
        const [from, to] = ['docs/en/a.html', 'docs/de/a.html'];
        const parts = blocks.map(german);
        for (const [nth, { at, shape, inner }] of owns.entries()) {
          const place = at % (parts.length + 1);
          const current = inner ? parts[place] : undefined;
          if (current === undefined) parts.splice(place, 0, OWN[shape]?.(500 + nth) ?? '');
          else parts[place] = withInner(current, at, 500 + nth);
        }
        const jobs = await TextJobs.of(route, {
          [from]: page(blocks.map(english)),
          [to]: page(parts),
        });
        await jobs.run(from);
        expect(await jobs.read(to)).toBe(page(parts));
        const later = changed(blocks, change);
        await jobs.write(from, page(later.map(english)));
        const { state } = await jobs.run(from);
        const after = await jobs.read(to);
        expect(unpaired(after), after).toEqual([]);
        const [then, now] = [textsIn(page(parts)), textsIn(after)];
        expect(now.filter(isOwn), after).toEqual(then.filter(isOwn));
        if (change.kind === 'insert' || change.kind === 'two') {
          const old = new Set(then.map(({ text }) => text));
          expect(
            now.filter(({ text }) => old.has(text)),
            after,
          ).toEqual(then);
          const order = now.filter((each) => !isOwn(each)).map(({ text }) => numberIn(text));
          const written = new Set(order);
          const wanted = textsIn(page(later.map(english))).map(({ text }) => numberIn(text));
          // A new text that may be the person's is held until they say so.
          const isWhole = state.kind === 'done';
          expect(order, after).toEqual(wanted.filter((number) => isWhole || written.has(number)));
        }
        for (const block of blocks.filter((each) => later.includes(each))) {
          for (const [text] of german(block).matchAll(/Boot \d+[^<]*/g))
            expect(after).toContain(text);
        }
      },
    ),
  );
});
