/** Finds sources whose name says so, beside translations named after languages: Shopify's default, Flutter's template. Pure. */
import { CODE, type LayoutMatch, languageAtEnd, languageOfCode } from './known-layouts.ts';
import type { Repository } from './repository.ts';

const DEFAULT = new RegExp(`^((?:.*/)?locales/)${CODE}\\.default(\\.schema)?\\.json$`);

/** The source at a path, or the one that the config at a path names; else undefined. */
export function templateIn(path: string, { head }: Repository): string | undefined {
  if (DEFAULT.test(path)) return path;
  if (!/(?:^|\/)l10n\.yaml$/.test(path)) return undefined;
  const text = head(path) ?? '';
  const folder = setting(text, 'arb-dir') ?? 'lib/l10n';
  const name = setting(text, 'template-arb-file') ?? 'app_en.arb';
  return `${path.slice(0, -'l10n.yaml'.length)}${folder.replace(/^\.\//, '').replace(/\/$/, '')}/${name}`;
}

function setting(text: string, name: string): string | undefined {
  return new RegExp(`^${name}:\\s*['"]?([^'"#\\s]+)`, 'm').exec(text)?.[1];
}

/** Matches of templates whose names differ in shape from those of their translations. */
export function templateMatches(repository: Repository, paths: readonly string[]): LayoutMatch[] {
  return paths.flatMap((path) => {
    const [, folder, kind = ''] = DEFAULT.exec(path) ?? [];
    if (folder !== undefined) {
      return besideTemplate(
        { template: path, layout: 'Shopify', to: `${folder}{}${kind}.json` },
        paths,
      );
    }
    const template = templateIn(path, repository);
    const stem = template?.replace(/\.arb$/, '') ?? '';
    const isNamed =
      template === undefined || languageAtEnd(stem.replace(/^.*\//, '')) !== undefined;
    if (isNamed || !paths.includes(template)) return [];
    const to = `${stem.replace(/[^_/]+$/, '')}{}.arb`;
    return besideTemplate({ template, layout: 'Flutter', to }, paths);
  });
}

interface TemplateFile {
  readonly template: string;
  readonly layout: string;
  readonly to: string;
}

function besideTemplate(
  { template, layout, to }: TemplateFile,
  paths: readonly string[],
): LayoutMatch[] {
  const [before = '', after = ''] = to.split('{}');
  const route = { from: template, to };
  const seen = { layout, content: 'strings', isConvention: true, route } as const;
  const translations = paths.flatMap((path): LayoutMatch[] => {
    if (path === template || !path.startsWith(before) || !path.endsWith(after)) return [];
    const spelled = path.slice(before.length, path.length - after.length);
    const tag = languageOfCode(spelled);
    return tag === undefined ? [] : [{ path, ...seen, language: { tag, spelled } }];
  });
  return [{ path: template, ...seen }, ...translations];
}
