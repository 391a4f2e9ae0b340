/** The `to` of a route in one language: the paths that it can write, and the source of a target. */
import type { LanguageSpellings } from '../language.ts';
import { type GlobPath, type GlobPiece, type GlobSegment, literalPrefix } from './glob.ts';
import { type SourcePattern, splitName } from './source-pattern.ts';
import { isDir, type Template, type TemplatePiece } from './template.ts';

export interface TargetShape {
  readonly template: Template;
  readonly from: SourcePattern;
  readonly project: string;
  readonly spellings: LanguageSpellings;
  /** The extension of the target for an extension of the source. */
  readonly extension: (ext: string) => string;
}

/** Patterns for all paths that the template gives for paths of `from`. */
export function targetPaths(shape: TargetShape): GlobPath[] {
  const seen = new Map<string, GlobPath>();
  for (const source of shape.from.paths) {
    const path = targetPath(shape, source);
    seen.set(JSON.stringify(path), path);
  }
  return [...seen.values()];
}

function targetPath(shape: TargetShape, source: GlobPath): GlobPath {
  const folders = source.slice(shape.from.base.length, -1);
  const last = source.at(-1);
  return shape.template.flatMap((segment): GlobSegment[] =>
    isDir(segment)
      ? folders
      : [mergeText(segment.flatMap((piece) => fill(piece, { shape, last })))],
  );
}

function fill(
  piece: TemplatePiece,
  { shape, last }: { shape: TargetShape; last: GlobSegment | undefined },
): readonly GlobPiece[] {
  if (piece.kind === 'text') return [piece];
  const { stem, extension } = splitName(last);
  switch (piece.token) {
    case 'name':
      return stem;
    case 'ext':
      return extension === undefined
        ? [{ kind: 'star' }]
        : [{ kind: 'text', text: shape.extension(extension) }];
    case 'project':
      return [{ kind: 'text', text: shape.project }];
    case 'dir':
      return [];
    case 'locale':
    case 'lang':
    case 'region':
    case 'locale_underscore':
    case 'android':
    case 'apple':
      return [{ kind: 'text', text: shape.spellings[piece.token] }];
  }
}

function mergeText(pieces: readonly GlobPiece[]): readonly GlobPiece[] {
  const merged: GlobPiece[] = [];
  for (const piece of pieces) {
    const last = merged.at(-1);
    if (piece.kind !== 'text') merged.push(piece);
    else if (last?.kind === 'text') {
      merged[merged.length - 1] = { kind: 'text', text: last.text + piece.text };
    } else if (piece.text !== '') merged.push(piece);
  }
  return merged;
}

/** The longest common beginning of all paths. */
export function commonPrefix(paths: readonly GlobPath[]): string {
  const prefixes = paths.map(literalPrefix);
  return prefixes.reduce((shared, prefix) => {
    let length = 0;
    while (length < shared.length && shared[length] === prefix[length]) length++;
    return shared.slice(0, length);
  }, prefixes[0] ?? '');
}

/** @returns a function that finds the source of a target; undefined when the template does not determine it */
export function sourceFinder(shape: TargetShape): (target: string) => string | undefined {
  const { base, extensions, only: source } = shape.from;
  if (source !== undefined) return () => source;
  const regex = capturingRegExp(shape);
  const only = extensions?.length === 1 ? extensions[0] : undefined;
  const prefix = base.map((folder) => `${folder}/`).join('');
  return (target) => {
    const found = regex.exec(target)?.groups;
    const name = found?.['name'];
    if (name === undefined) return undefined;
    const dir = found?.['dir'] === undefined ? '' : `${found['dir']}/`;
    const possible = found?.['ext'] === undefined ? [only] : originals(shape, found['ext']);
    return possible
      .filter((ext) => ext !== undefined)
      .map((ext) => `${prefix}${dir}${name}${ext === '' ? '' : `.${ext}`}`)
      .find((path) => shape.from.reaches(path));
  };
}

function originals(shape: TargetShape, ext: string): string[] {
  const known = shape.from.extensions ?? [];
  return [ext, ...known.filter((each) => shape.extension(each) === ext)];
}

/** The fixed text around captured tokens. With fixed text only, matching n characters takes at most n² steps. */
function fixedText(pieces: readonly GlobPiece[]): string {
  return pieces.map((piece) => (piece.kind === 'text' ? piece.text : '')).join('');
}

const CAPTURED = { dir: '.+', name: '[^/]+', ext: '[^/.]*' } as const;

function capturingRegExp(shape: TargetShape): RegExp {
  const seen = new Set<string>();
  const capture = (token: keyof typeof CAPTURED): string => {
    if (seen.has(token)) return `\\k<${token}>`;
    seen.add(token);
    return `(?<${token}>${CAPTURED[token]})`;
  };
  const written = (piece: TemplatePiece): string => {
    if (piece.kind === 'token' && (piece.token === 'name' || piece.token === 'ext')) {
      return capture(piece.token);
    }
    return RegExp.escape(fixedText(fill(piece, { shape, last: undefined })));
  };
  const last = shape.template.length - 1;
  const folders = shape.template.map((segment, index) => {
    if (isDir(segment)) return `(?:${capture('dir')}/)?`;
    return segment.map(written).join('') + (index < last ? '/' : '');
  });
  return new RegExp(`^${folders.join('')}$`, 'u');
}
