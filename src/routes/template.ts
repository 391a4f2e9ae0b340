/** Templates of target paths: `out/{locale}/{dir}/{name}.{ext}`. */
import {
  isLanguageToken,
  isPathToken,
  type LanguageToken,
  type PathToken,
  PatternError,
  type PatternToken,
  refuseLong,
  unknownToken,
} from './tokens.ts';

export type TemplatePiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'token'; readonly token: PatternToken };

/** One list of pieces for each folder; a segment that is only `{dir}` matches any number of folders. */
export type Template = readonly (readonly TemplatePiece[])[];

/** @throws PatternError */
export function parseTemplate(text: string): Template {
  refuseLong(text);
  const plain = text.normalize('NFC').replace(/^(\.\/)+/, '');
  if (plain.startsWith('/')) throw new PatternError('must be relative to the root');
  if (/(^|\/)\.\.(\/|$)/.test(plain)) throw new PatternError('leaves the root with ".."');
  if (/(^|\/)\.(\/|$)/.test(plain)) throw new PatternError('must not hold "." folders');
  if (plain.endsWith('/')) throw new PatternError('names a folder; add {name}.{ext}');
  if (plain.includes('//')) throw new PatternError('has an empty folder name');
  if (/[*?[\]\\\0]/.test(plain)) throw new PatternError('must not hold wildcards');
  const template = plain.split('/').map(parseSegment);
  checkDir(template);
  return template;
}

function parseSegment(segment: string): TemplatePiece[] {
  return [...segment.matchAll(/\{([^{}]*)\}|[^{}]+|[{}]/g)].map(([text, token]) => {
    if (text === '{' || text === '}') throw new PatternError(`has a "${text}" without its pair`);
    if (token === undefined) return { kind: 'text', text };
    if (!isLanguageToken(token) && !isPathToken(token)) throw unknownToken(token, 'template');
    return { kind: 'token', token };
  });
}

function checkDir(template: Template): void {
  for (const [index, segment] of template.entries()) {
    if (!segment.some((piece) => isToken(piece, 'dir'))) continue;
    if (segment.length > 1) throw new PatternError('{dir} must be a whole folder, as in a/{dir}/b');
    if (index === template.length - 1) throw new PatternError('needs a file name after {dir}');
  }
}

function isToken(piece: TemplatePiece, token: PatternToken): boolean {
  return piece.kind === 'token' && piece.token === token;
}

export function hasPatternToken(template: Template, token: PatternToken): boolean {
  return template.some((segment) => segment.some((piece) => isToken(piece, token)));
}

export function isDir(segment: readonly TemplatePiece[]): boolean {
  return segment[0] !== undefined && isToken(segment[0], 'dir');
}

/** The values of the tokens for one target. */
export type TokenValues = Readonly<Record<LanguageToken | PathToken, string>>;

/** The path of a target. An empty `{dir}` is removed with its slash, an empty `{ext}` with the dot before it. */
export function fillTemplate(template: Template, values: TokenValues): string {
  return template
    .flatMap((segment) => {
      const name = segment
        .map((piece) => (piece.kind === 'text' ? piece.text : values[piece.token]))
        .join('');
      if (isDir(segment) && name === '') return [];
      return [values.ext === '' ? name.replace(/\.$/, '') : name];
    })
    .join('/');
}
