import fc from 'fast-check';
import { expect, test } from 'vitest';
import { spellLanguage } from '../../src/language.ts';
import { type GlobPath, type GlobPiece, parseGlob, spellTokens } from '../../src/routes/glob.ts';
import { type DotNames, PathPattern } from '../../src/routes/path-pattern.ts';
import { SourcePattern } from '../../src/routes/source-pattern.ts';
import { matchesKey } from '../../src/segments/key-pattern.ts';

const EN = spellLanguage('en' as never);
const DE = spellLanguage('de' as never);

/** The same pattern as an expression: short ones agree with it, long ones would keep it busy for years. */
function expressionOf(path: GlobPath, dots: DotNames): string {
  const visible = dots === 'hidden' ? '(?!\\.)' : '';
  return path
    .map((segment, index) => {
      if (segment === 'deep') return `(?:${visible}[^/]+/)*`;
      const isGuarded = ['star', 'one', 'class'].includes(segment[0]?.kind ?? '');
      const some = segment.every(({ kind }) => kind === 'star') ? '(?=[^/])' : '';
      const slash = index < path.length - 1 ? '/' : '';
      return (isGuarded ? visible : '') + some + segment.map(pieceOf).join('') + slash;
    })
    .join('');
}

function pieceOf(piece: GlobPiece): string {
  switch (piece.kind) {
    case 'text':
      return RegExp.escape(piece.text);
    case 'star':
      return '[^/]*';
    case 'one':
      return '[^/]';
    case 'class': {
      const codes = piece.ranges.map(
        ([from, to]) => `\\u{${from.toString(16)}}-\\u{${to.toString(16)}}`,
      );
      return `(?!/)[${piece.negated ? '^' : ''}${codes.join('')}]`;
    }
    case 'token':
      return `)${EN[piece.token]}(`;
  }
}

const piece = fc.constantFrom('a', 'b', '.', '*', '*', '?', '[ab]', '[!a]', '😀', 'en', '{locale}');
const name = fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(''));
const pattern = fc
  .tuple(fc.array(fc.oneof(name, fc.constant('**')), { maxLength: 5 }), name)
  .map(([folders, file]) => [...folders, file].join('/').replaceAll(/\*\*+(?=[^/]|$)/g, '*'))
  .filter((text) => !/[^/]\*\*|\*\*[^/]|(^|\/)\.\.?(\/|$)/.test(text));
const path = fc
  .array(
    fc
      .array(fc.constantFrom('a', 'b', '.', 'en', '😀'), { minLength: 1, maxLength: 5 })
      .map((letters) => letters.join('')),
    { minLength: 1, maxLength: 5 },
  )
  .map((names) => names.join('/'));

test.each(['hidden', 'matched'] as const)(
  'a pattern matches the paths that its expression matches, with names that begin with a dot %s',
  (dots) => {
    fc.assert(
      fc.property(pattern, path, (text, candidate) => {
        for (const alternative of parseGlob(text)) {
          const spelled = spellTokens(alternative, EN);
          const expression = new RegExp(`^(?:${expressionOf(spelled, dots)})$`, 'u');
          expect(new PathPattern(spelled, dots).matches(candidate)).toBe(
            expression.test(candidate),
          );
        }
      }),
      { numRuns: 3000 },
    );
  },
);

test('among several languages in a path, the same one is replaced as by the expression', () => {
  fc.assert(
    fc.property(pattern, path, (from, candidate) => {
      fc.pre(from.includes('{locale}'));
      const [tokens] = parseGlob(from);
      const expression = new RegExp(`^(${expressionOf(tokens ?? [], 'hidden')})$`, 'u');
      const groups = expression.exec(candidate)?.slice(1);
      const translate = new SourcePattern({ from, exclude: [] }, [EN]).translator(EN, DE);
      expect(translate(candidate)).toBe(groups?.join('de'));
    }),
    { numRuns: 3000 },
  );
});

test('a pattern of many wildcards is answered at once for a long path', () => {
  const stars = `${'*a'.repeat(60)}*b`;
  const folders = `${'**/a/'.repeat(60)}b`;
  const long = 'a'.repeat(4000);
  const deep = 'a/'.repeat(2000);
  const source = new SourcePattern({ from: stars, exclude: [folders, stars] }, [EN]);
  expect(source.reaches(long)).toBe(false);
  expect(source.reaches(`${long}b`)).toBe(true);
  expect(source.excludes(`${deep}c`)).toBe(false);
  expect(source.excludes(`${deep}b`)).toBe(true);
  expect(matchesKey([stars], long)).toBe(false);
  expect(matchesKey([stars], `${long}b`)).toBe(true);
});
