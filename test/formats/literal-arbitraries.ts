/** Nested keys with texts, for generated files of the formats of literals: each writes them in its own syntax. */
import * as fc from 'fast-check';

export type Tree = string | number | null | { readonly [key: string]: Tree } | readonly Tree[];

const key = fc.oneof(
  fc.constantFrom('__proto__', 'toString', 'a.b', 'item_one', 'item_other', 'x#1', '[0]', 'é', ''),
  fc.stringMatching(/^[a-z][a-z0-9]{0,4}$/),
);

export const plainText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 10 }),
  fc.constantFrom("it's", 'say "hi"', 'back\\slash', 'two\nlines', '`tick`', '{name} %s', '😀 é'),
);

/** Keys are unique in their object, as JavaScript has it. */
export const trees: fc.Arbitrary<{ readonly [key: string]: Tree }> = fc
  .letrec<{ tree: Tree }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      plainText,
      fc.constantFrom(1, null),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.array(fc.tuple(key, tie('tree')), { maxLength: 3 }).map(object),
    ),
  }))
  .tree.map((tree) => object([['root', tree]]));

function object(entries: readonly (readonly [string, Tree])[]): { readonly [key: string]: Tree } {
  const made: Record<string, Tree> = Object.create(null);
  for (const [name, value] of entries) made[name] = value;
  return made;
}
