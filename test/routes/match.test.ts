import { describe, expect, test } from 'vitest';
import type { LanguageTag } from '../../src/language.ts';
import { laneByContent } from '../../src/routes/extensions.ts';
import { describeMatch, type ProjectSketch, routerOf } from './rig.ts';

function matchesOf(sketch: ProjectSketch, ...paths: string[]): string[] {
  const router = routerOf(sketch);
  return paths.map((path) => describeMatch(router.match('p', path), sketch.targets));
}

describe('a language token in the pattern', () => {
  test('means the source language, and the target is the same path in another language', () => {
    const routes = [{ from: 'locales/{locale}/**/*.json' }];
    expect(
      matchesOf(
        { routes, targets: ['de', 'pt-BR'] },
        'locales/en/app.json',
        'locales/en/a/b/app.json',
        'locales/de/app.json',
        'locales/it/app.json',
        'locales/en/app.yaml',
      ),
    ).toEqual([
      'text -> locales/de/app.json, locales/pt-BR/app.json',
      'text -> locales/de/a/b/app.json, locales/pt-BR/a/b/app.json',
      'target de of locales/en/app.json',
      'skipped: no route matches',
      'skipped: no route matches',
    ]);
  });

  test('is spelled as the project says', () => {
    const sketch = {
      routes: [{ from: 'i18n/{locale}.json' }],
      targets: ['pt-BR'],
      locales: { en: { file: 'en_US' }, 'pt-BR': { file: 'br' } },
    };
    expect(matchesOf(sketch, 'i18n/en_US.json', 'i18n/br.json')).toEqual([
      'text -> i18n/br.json',
      'target pt-BR of i18n/en_US.json',
    ]);
  });

  test('may occur several times, and only its positions are replaced', () => {
    const sketch = { routes: [{ from: '{locale}/**/*.{locale}.md' }], targets: ['de'] };
    expect(matchesOf(sketch, 'en/en/open.en.md', 'de/en/open.de.md')).toEqual([
      'text -> de/en/open.de.md',
      'target de of en/en/open.en.md',
    ]);
  });

  test('takes the form of the platform', () => {
    const sketch = { routes: [{ from: 'App/{apple}.lproj/*.strings' }], targets: ['zh-TW', 'de'] };
    expect(
      matchesOf(sketch, 'App/en.lproj/Main.strings', 'App/zh-Hant.lproj/Main.strings'),
    ).toEqual([
      'text -> App/zh-Hant.lproj/Main.strings, App/de.lproj/Main.strings',
      'target zh-TW of App/en.lproj/Main.strings',
    ]);
  });
});

test('with an embedded source each file is the source of its own language, and of no other', () => {
  const sketch = {
    routes: [{ from: 'po/{locale_underscore}.po', embedded_source: true }],
    targets: ['de', 'pt-BR'],
  };
  const router = routerOf(sketch);
  const match = router.match('p', 'po/pt_BR.po');
  expect(match).toMatchObject({ kind: 'source', lane: 'text', languages: ['pt-BR'] });
  if (match.kind === 'source') {
    expect(match.targets('pt-BR' as LanguageTag)).toEqual({ file: 'po/pt_BR.po' });
  }
  expect(matchesOf(sketch, 'po/en.po', 'po/it.po')).toEqual([
    'skipped: no route matches',
    'skipped: no route matches',
  ]);
  expect(router.collisions('p', ['po/de.po', 'po/pt_BR.po'])).toEqual([]);
});

describe('a template', () => {
  test('gets the folders below the fixed beginning of the pattern', () => {
    const routes = [{ from: 'src/en/**/*.md', to: 'src/{locale}/{dir}/{name}.{ext}' }];
    expect(
      matchesOf({ routes, targets: ['de'] }, 'src/en/x.md', 'src/en/a/b/x.y.md', 'src/de/a/x.md'),
    ).toEqual(['text -> src/de/x.md', 'text -> src/de/a/b/x.y.md', 'target de of src/en/a/x.md']);
  });

  test('spells every token', () => {
    const to =
      '{project}/{locale}/{lang}/{region}/{locale_underscore}/{android}/{apple}/{name}.{ext}';
    expect(
      matchesOf({ routes: [{ from: 'in/*.json', to }], targets: ['pt-BR'] }, 'in/a.json'),
    ).toEqual(['text -> p/pt-BR/pt/BR/pt_BR/pt-rBR/pt-BR/a.json']);
  });

  test('writes Android resources into qualified folders', () => {
    const routes = [{ from: 'res/values/strings.xml', to: 'res/values-{android}/strings.xml' }];
    const targets = ['de', 'pt-BR', 'zh-Hans', 'es-419', 'id'];
    expect(
      matchesOf({ routes, targets }, 'res/values/strings.xml', 'res/values-in/strings.xml'),
    ).toEqual([
      'text -> res/values-de/strings.xml, res/values-pt-rBR/strings.xml, res/values-b+zh+Hans/strings.xml, res/values-b+es+419/strings.xml, res/values-in/strings.xml',
      'target id of res/values/strings.xml',
    ]);
  });

  test('changes the extension where the service does', () => {
    const routes = [
      { from: 'in/**/*.{doc,docx,pdf,pot}', to: 'out/{locale}/{dir}/{name}.{ext}', pdf_to: 'docx' },
    ];
    expect(
      matchesOf(
        { routes, targets: ['de'] },
        'in/a.doc',
        'in/b/a.pdf',
        'in/a.pot',
        'out/de/b/x.docx',
      ),
    ).toEqual([
      'document -> out/de/a.docx',
      'document -> out/de/b/a.docx',
      'text -> out/de/a.po',
      'target de of in/b/x.docx',
    ]);
    expect(
      matchesOf({ routes: [{ from: '{locale}/*.doc' }], targets: ['de'] }, 'en/a.doc'),
    ).toEqual(['document -> de/a.docx']);
  });

  test('of voice names up to three files', () => {
    const to = {
      transcript: 't/{locale}/{dir}/{name}.txt',
      subtitles: 's/{locale}/{dir}/{name}.srt',
    };
    const routes = [{ from: 'rec/**/*.{mp3,wav}', to }];
    expect(matchesOf({ routes, targets: ['de'] }, 'rec/a/l.mp3', 's/de/a/l.srt')).toEqual([
      'voice -> t/de/a/l.txt + s/de/a/l.srt',
      'target de of undefined',
    ]);
  });
});

describe('lanes', () => {
  test.each([
    ['a.docx', 'document'],
    ['a.PNG', 'document'],
    ['a.html', 'document'],
    ['a.txt', 'document'],
    ['a.json', 'text'],
    ['a.mdx', 'text'],
    ['a.xcstrings', 'text'],
    ['a.srt', 'subtitle'],
    ['a.xliff', 'document'],
  ])('%s goes to %s', (path, lane) => {
    const match = routerOf({ routes: [{ from: '*', to: 'o/{locale}/{name}.{ext}' }] }).match(
      'p',
      path,
    );
    expect(match).toMatchObject({ kind: 'source', lane });
  });

  test.each(['a.toml', 'a.ini', 'a.php', 'a.js', 'a.exe', 'README', '.env'])(
    '%s is skipped with a reason',
    (path) => {
      const match = routerOf({ routes: [{ from: '*', to: 'o/{locale}/{name}.{ext}' }] }).match(
        'p',
        path,
      );
      expect(match).toMatchObject({ kind: 'skipped' });
    },
  );

  test('may be set by the route, also where the extension says nothing', () => {
    const routes = [{ from: '*.{toml,txt,xyz}', to: 'o/{locale}/{name}.{ext}', lane: 'text' }];
    const router = routerOf({ routes });
    for (const path of ['a.toml', 'a.txt', 'a.xyz']) {
      expect(router.match('p', path)).toMatchObject({ kind: 'source', lane: 'text' });
    }
  });
});

test.each([
  ['<?xml version="1.0"?>\n<xliff version="2.1" xmlns="x">', 'document'],
  ['<xliff xmlns="x"\n version=\'1.2\'>', 'text'],
  ['<xliff version="2.0">', 'text'],
  ['<xliff note="a > b" version="2.1">', 'document'],
  ['<x:xliff note=\'version="2.0"\' tool-version="3" version="2.1">', 'document'],
  ['not XML', 'text'],
])('XLIFF that begins with %j goes to %s', (head, lane) => {
  expect(laneByContent(head)).toBe(lane);
});

describe('patterns', () => {
  test.each([
    ['*.md', 'a.md', true],
    ['*.md', 'b/a.md', false],
    ['*.md', '.md', false],
    ['*.md', '.a.md', false],
    ['**/*.md', 'a.md', true],
    ['**/*.md', 'x/y/a.md', true],
    ['**/*.md', 'x/.hidden/a.md', false],
    ['.github/**/*.md', '.github/a/b.md', true],
    ['docs/**', 'docs/a/b.md', true],
    ['docs/**', 'docs', false],
    ['a/**/b/*.md', 'a/b/c.md', true],
    ['a/**/b/*.md', 'a/x/y/b/c.md', true],
    ['a/**/b/*.md', 'a/xb/c.md', false],
    ['?.md', 'é.md', true],
    ['?.md', 'ab.md', false],
    ['[a-c].md', 'b.md', true],
    ['[!a-c].md', 'b.md', false],
    ['[!a-c].md', 'd.md', true],
    ['[\u00e0-\u00ff].md', 'é.md', true],
    ['{a,b/{c,d}}/*.md', 'b/d/x.md', true],
    ['{a,b/{c,d}}/*.md', 'b/x.md', false],
    ['a\\*b.md', 'a*b.md', true],
    ['a\\*b.md', 'axb.md', false],
    ['a+(b).md', 'a+(b).md', true],
    ['é.md', 'e\u0301.md', true],
    ['line\nbreak.md', 'line\nbreak.md', true],
    ['*.md', 'line\nbreak.md', true],
  ])('%j against %j is %s', (from, path, matches) => {
    const to = 'out/{locale}/{dir}/{name}.{ext}';
    const match = routerOf({ routes: [{ from, to, exclude: ['out/**'] }] }).match('p', path);
    expect(match.kind === 'source').toBe(matches);
  });

  test('that exclude also exclude folders, and bare names at every depth', () => {
    const routes = [
      {
        from: '{locale}/**/*.json',
        exclude: ['**/generated/**', 'draft.json', '{locale}/old', 'tmp/'],
      },
    ];
    const router = routerOf({ routes });
    for (const path of [
      'en/generated/a.json',
      'en/x/generated/y/a.json',
      'en/x/draft.json',
      'en/old/a.json',
      'en/a/tmp/b.json',
    ]) {
      expect(router.match('p', path)).toMatchObject({ because: 'excluded' });
    }
    expect(router.match('p', 'en/olden/a.json').kind).toBe('source');
  });
});

describe('a path of two routes', () => {
  test('is left alone, and the reason names both', () => {
    const routes = [
      { from: 'docs/**/*.md', to: 'a/{locale}/{dir}/{name}.md' },
      { from: 'docs/api/*.md', to: 'b/{locale}/{name}.md' },
    ];
    const router = routerOf({ routes });
    expect(router.match('p', 'docs/api/x.md')).toEqual({
      kind: 'skipped',
      because: 'contested',
      reason:
        'matched by route 1 of project p (line 1) and route 2 of project p (line 1); exclude it from one of them',
    });
    expect(router.match('p', 'docs/x.md').kind).toBe('source');
  });

  test('belongs to the one that does not exclude it', () => {
    const routes = [
      { from: 'docs/**/*.md', to: 'a/{locale}/{dir}/{name}.md', exclude: ['docs/api/**'] },
      { from: 'docs/api/*.md', to: 'b/{locale}/{name}.md' },
    ];
    expect(matchesOf({ routes, targets: ['de'] }, 'docs/api/x.md')).toEqual(['text -> b/de/x.md']);
  });
});

describe('files of all languages', () => {
  test('are source and target at once', () => {
    const routes = [
      { from: '**/*.xcstrings' },
      { from: 'data/*.csv', columns: { key: 'id', source: 'en', targets: { de: 'de', fr: 'fr' } } },
    ];
    expect(matchesOf({ routes, targets: ['de', 'fr'] }, 'App/L.xcstrings', 'data/a.csv')).toEqual([
      'text -> App/L.xcstrings, App/L.xcstrings',
      'text -> data/a.csv, data/a.csv',
    ]);
    expect(routerOf({ routes }).collisions('p', ['App/L.xcstrings', 'data/a.csv'])).toEqual([]);
  });
});

describe('sources that meet when they are known', () => {
  test('are found, with both names', () => {
    const routes = [{ from: 'in/**/*.{doc,docx}', to: 'out/{locale}/{dir}/{name}.{ext}' }];
    const router = routerOf({ routes, targets: ['de'] });
    expect(router.collisions('p', ['in/a.doc', 'in/b.doc', 'in/a.docx'])).toEqual([
      {
        target: 'out/de/a.docx',
        sources: ['in/a.doc', 'in/a.docx'],
        message:
          'in/a.doc and in/a.docx would both be written to out/de/a.docx; rename one, or add {ext} to "to"',
      },
    ]);
  });
});

describe('projects whose roots overlap', () => {
  const outer = {
    name: 'outer',
    targets: ['de'],
    routes: [{ from: 'docs/*.md', to: 'sub/{locale}/{name}.md' }],
  };
  const inner = {
    name: 'inner',
    root: 'sub',
    targets: ['fr'],
    routes: [{ from: 'texts/*.md', to: 'o/{locale}-{name}.md' }],
  };

  test('know each other’s targets', () => {
    const router = routerOf(outer, inner);
    expect(router.match('inner', 'de/a.md')).toMatchObject({ kind: 'target', language: 'de' });
    expect(router.match('outer', 'sub/o/fr-a.md')).toMatchObject({
      kind: 'target',
      language: 'fr',
    });
    expect(router.watchRoots()).toEqual(['/repo']);
  });
});

describe('what is watched', () => {
  const router = routerOf({
    routes: [
      { from: 'locales/{locale}/**/*.json' },
      { from: 'docs/*.md', to: 'out/{locale}/{name}.md' },
    ],
  });

  test.each([
    ['', true],
    ['locales', true],
    ['locales/en', true],
    ['locales/en/deep/er', true],
    ['locales/de', true],
    ['locales/it', false],
    ['docs', true],
    ['docs/api', false],
    ['out/fr', true],
    ['out/it', false],
    ['src', false],
    ['locales/en/.cache', false],
    ['.dragoman', false],
    ['.dragoman/spool', false],
  ])('folder %j is entered: %s', (folder, entered) => {
    expect(router.enters('p', folder)).toBe(entered);
  });

  test.each([
    ['locales/en/a.json', true],
    ['locales/de/a.json', true],
    ['locales/it/a.json', false],
    ['.dragoman/db.json', false],
  ])('file %j is looked at: %s', (path, wanted) => {
    expect(router.wants('p', path)).toBe(wanted);
  });
});
