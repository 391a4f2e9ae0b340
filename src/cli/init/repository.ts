/** A repository as `init` sees it, and the parts of it that are not its own texts. Pure. */
import { type LanguageTag, spellLanguage } from '../../language.ts';
import { SourcePattern } from '../../routes/source-pattern.ts';
import { PatternError } from '../../routes/tokens.ts';

export interface Repository {
  /** Relative to the repository, with `/`. */
  readonly paths: readonly string[];
  /** The beginning of a file, at most 1 MiB; undefined when the file is missing or cannot be read. */
  head(path: string): string | undefined;
}

/** Names of folders whose texts are not the repository's own, with the reason. */
const FOLDERS: readonly (readonly [reason: string, name: RegExp])[] = [
  [
    'vendored',
    /^(?:vendors?|third[-_]?party|3rd[-_]?party|externals?|extern|deps|Pods|Carthage|bower_components|jspm_packages|site-packages|venv|.*\.(?:x?c?framework|app))$/i,
  ],
  [
    'test data',
    /^(?:__?tests?__?|tests?|t|testing|test[-_]?data|specs?|_*fixtures?_*|_*mocks?_*|_*snapshots?_*|e2e|cypress|benchmarks?|androidTest|test[A-Z]\w*|[\w.]*(?:Tests|UITests))$/,
  ],
  [
    'generated',
    /^(?:build|dist|out|target|coverage|_build|_site|site-build|DerivedData|obj|gen|_*generated_*|storybook-static|tmp)$/,
  ],
];

const EXAMPLES =
  /^(?:examples?|samples?|demos?|playgrounds?|templates?|boilerplates?|starters?|storybook)$/i;

/** Whether the scan skips a folder with this name. */
export function isForeignFolder(name: string): boolean {
  return FOLDERS.some(([, pattern]) => pattern.test(name));
}

export function isExample(path: string): boolean {
  return path
    .split('/')
    .slice(0, -1)
    .some((folder) => EXAMPLES.test(folder));
}

/** Whether the beginning of a file says that a program writes it. */
export function isGenerated(head: string | undefined): boolean {
  return /@generated|\bDO NOT (?:EDIT|MODIFY)\b|\bauto(?:matically|-)? ?generated\b/i.test(
    head?.slice(0, 1000) ?? '',
  );
}

/** Paths without vendored, generated and test files. */
export function ownPaths({ paths, head }: Repository): string[] {
  const isForeign = declaredForeign(head);
  return paths.filter(
    (path) => !path.split('/').slice(0, -1).some(isForeignFolder) && !isForeign(path),
  );
}

/** Paths that `.gitattributes` calls generated or vendored, or that belong to a submodule. */
function declaredForeign(head: Repository['head']): (path: string) => boolean {
  const attributes = (head('.gitattributes') ?? '').split(/\r?\n/).flatMap((line) => {
    const [pattern = '', ...words] = line.trim().split(/\s+/);
    const isMeant = words.some((word) => /^linguist-(?:generated|vendored)(?:=true)?$/.test(word));
    return isMeant ? [pattern.replace(/^\//, '')] : [];
  });
  const modules = [...(head('.gitmodules') ?? '').matchAll(/^\s*path\s*=\s*(\S.*?)\s*$/gm)].map(
    ([, path = '']) => `${path}/**`,
  );
  const patterns = [...attributes, ...modules].flatMap((pattern) => exclusion(pattern) ?? []);
  return (path) => patterns.some((pattern) => pattern.excludes(path));
}

function exclusion(pattern: string): SourcePattern | undefined {
  try {
    return new SourcePattern({ from: '**', exclude: [pattern] }, [
      spellLanguage('en' as LanguageTag),
    ]);
  } catch (error) {
    if (error instanceof PatternError) return undefined;
    throw error;
  }
}
