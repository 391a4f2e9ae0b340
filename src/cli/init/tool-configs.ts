/** What the config files of other i18n tools say of paths: i18next, next-intl, Flutter, Docusaurus. Pure. */
import { nameOf } from '../../files/listing.ts';
import { languageOf, type RouteSketch, type Sighting } from './layout-rules.ts';
import type { Repository } from './repository.ts';

/** Sightings by such a config are meant, also where the folders have unusual names. */
export function toolSightings(repository: Repository, paths: readonly string[]): Sighting[] {
  return paths.flatMap((path) => {
    const name = nameOf(path);
    const folder = path.slice(0, path.length - name.length);
    const text = () => repository.head(path) ?? '';
    if (/^(?:i18next|i18next-parser)\.config\.\w+$/.test(name)) {
      return byPattern('i18next', { folder, patterns: outputsOf(text()) }, paths);
    }
    if (/(?:^|\/)i18n(?:\/request)?\.[jt]s$/.test(path)) {
      return byPattern('next-intl', { folder, patterns: importsOf(text()) }, paths);
    }
    if (/^docusaurus\.config\.\w+$/.test(name)) return [docusaurus(path, folder)];
    return [];
  });
}

/** `output: 'app/i18n/$LOCALE/$NAMESPACE.json'` (i18next-parser), `'{{language}}/{{namespace}}.json'` (i18next-cli). */
function outputsOf(text: string): string[] {
  return [...text.matchAll(/\boutput\s*:\s*['"`]([^'"`\n]+)['"`]/g)].map(([, output = '']) =>
    output
      .replace(/^\.\//, '')
      .replace(/\$LOCALE|\{\{(?:language|lng)\}\}/g, '{}')
      .replace(/\$NAMESPACE|\{\{(?:namespace|ns)\}\}/g, '*'),
  );
}

/** `` import(`../../messages/${locale}.json`) `` */
function importsOf(text: string): string[] {
  return [...text.matchAll(/import\(\s*`([^`\n]+)`/g)].map(([, path = '']) =>
    path
      .replace(/\$\{[^}]*\b(?:locale|lang|language)\b[^}]*\}/gi, '{}')
      .replace(/\$\{[^}]*\}/g, '*'),
  );
}

function byPattern(
  layout: string,
  { folder, patterns }: { readonly folder: string; readonly patterns: readonly string[] },
  paths: readonly string[],
): Sighting[] {
  return patterns.flatMap((pattern) => {
    const from = resolved(folder, pattern);
    if (from === undefined || !from.includes('{}') || /[$[\]]/.test(from)) return [];
    const expression = new RegExp(
      `^${from
        .split(/(\{\}|\*)/)
        .map((part) => (part === '{}' ? '([^/]+)' : part === '*' ? '[^/]+' : RegExp.escape(part)))
        .join('')}$`,
    );
    const route: RouteSketch = { from };
    return paths.flatMap((path): Sighting[] => {
      const spelled = expression.exec(path)?.[1];
      const tag = spelled === undefined ? undefined : languageOf(spelled);
      if (spelled === undefined || tag === undefined) return [];
      const seen = { path, layout, route, content: 'strings', isConvention: true } as const;
      return [{ ...seen, language: { tag, spelled } }];
    });
  });
}

/** From the root of the repository; undefined: outside of it. */
function resolved(folder: string, path: string): string | undefined {
  const names = folder.split('/').filter((name) => name !== '');
  for (const name of path.split('/')) {
    if (name === '..') {
      if (names.pop() === undefined) return undefined;
    } else if (name !== '.' && name !== '') names.push(name);
  }
  return names.join('/');
}

/** A site's pages: only a translation shows that they are to be translated. */
function docusaurus(path: string, folder: string): Sighting {
  return {
    ...{ path, layout: 'Docusaurus', content: 'pages' },
    route: {
      from: `${folder}docs/**/*.{md,mdx}`,
      to: `${folder}i18n/{}/docusaurus-plugin-content-docs/current/{dir}/{name}.{ext}`,
    },
  };
}
