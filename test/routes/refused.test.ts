import { describe, expect, test } from 'vitest';
import { faultsOf, parseProjects } from './rig.ts';

describe('one route is refused', () => {
  test.each([
    [{ from: 'a/*.json' }, 'to: is missing; it is needed where "from" has no {locale}'],
    [
      { from: 'a/*.json', to: 'o/{local}/{name}.json' },
      'to: unknown token {local}; did you mean "locale"?',
    ],
    [{ from: '{lokale}/*.json' }, 'from: unknown token {lokale}; did you mean "locale"?'],
    [{ from: '{dir}/*.json' }, 'from: {dir} belongs in "to"; a pattern has only language tokens'],
    [{ from: 'a/*.json', to: '../{locale}/{name}.json' }, 'to: leaves the root with ".."'],
    [{ from: 'a/*.json', to: '/o/{locale}/{name}.json' }, 'to: must be relative to the root'],
    [
      { from: '../a/*.json', to: '{locale}/{name}.json' },
      'from: must not hold "." or ".." folders',
    ],
    [{ from: '/a/*.json', to: '{locale}/{name}.json' }, 'from: must be relative to the root'],
    [{ from: 'a/', to: '{locale}.json' }, 'from: names a folder; write a/**'],
    [
      { from: '**.json', to: '{locale}.json' },
      'from: "**" must be a whole folder name, as in **/*.json',
    ],
    [{ from: '{a,b/*.json', to: '{locale}.json' }, 'from: has a "{" without its "}"'],
    [{ from: 'a}/*.json', to: '{locale}.json' }, 'from: has a "}" without its "{"'],
    [{ from: '[z-a].json', to: '{locale}/{name}.json' }, 'from: "[z-a]" runs backwards'],
    [{ from: 'a/*.json', to: 'o/*/{locale}.json' }, 'to: must not hold wildcards'],
    [
      { from: '['.repeat(50_000), to: '{locale}/{name}.json' },
      'from: is longer than 10,000 characters',
    ],
    [
      { from: `{a,b}{a,b}{a,b}{a,b}{a,b}${'['.repeat(9000)}`, to: '{locale}/{name}.json' },
      'from: has alternatives of more than 250,000 characters together; split the route',
    ],
    [
      { from: 'a/*.json', to: `${'a/'.repeat(6000)}{locale}.json` },
      'to: is longer than 10,000 characters',
    ],
    [{ from: 'a/*.json', to: 'o/{locale}/' }, 'to: names a folder; add {name}.{ext}'],
    [
      { from: 'a/**/*.json', to: 'o/{locale}-{dir}/{name}.json' },
      'to: {dir} must be a whole folder, as in a/{dir}/b',
    ],
    [{ from: 'a/*.json', to: 'o/{lang}-{region}/{name}.json' }, 'to: {region} is empty for de, fr'],
    [
      { from: 'a/*.json', to: 'o/{name}.json' },
      'to: de and fr would share a file; add {locale}, or give them different names in "locales"',
    ],
    [
      { from: 'po/{locale}.po', to: 'o/{locale}.po', embedded_source: true },
      'to: must be absent: with embedded_source each file is its own target',
    ],
    [
      { from: 'po/de.po', embedded_source: true },
      'from: needs {locale} or another language token: with embedded_source it stands for the target languages',
    ],
    [
      { from: 'po/{locale}.json', embedded_source: true },
      'embedded_source: needs a pattern that ends in one of .po .ts .xlf .xliff: other files do not hold their source texts',
    ],
    [
      { from: 'a/**/*.json', to: 'o/{locale}/{name}.json' },
      'to: needs {dir}: two sources that differ only there would share a target',
    ],
    [
      { from: '{a,b}/*.json', to: 'o/{locale}/{name}.json' },
      'to: needs {dir}: two sources that differ only there would share a target',
    ],
    [
      { from: 'a/*.json', to: 'o/{locale}.json' },
      'to: needs {name}: two sources that differ only there would share a target',
    ],
    [
      { from: '**/*.json', to: '{dir}/{locale}/{name}.json' },
      'to: writes paths such as de/a.json, which its own "from" matches; write elsewhere, or exclude them there',
    ],
    [
      { from: 'a/*.json', to: '.dragoman/{locale}/{name}.json' },
      'to: writes into the state folder',
    ],
  ])('%j', (route, message) => {
    expect(faultsOf({ routes: [route] })).toEqual([`p.routes.0.${message}`]);
  });

  test('when languages that differ only in their region share {lang}', () => {
    const routes = [{ from: 'a/*.json', to: 'o/{lang}/{name}.json' }];
    expect(faultsOf({ targets: ['pt-BR', 'pt-PT'], routes })[0]).toContain(
      'pt-BR and pt-PT would share',
    );
  });

  test('when a variant of the source would be written over it', () => {
    expect(faultsOf({ targets: ['de', 'en-GB'], routes: [{ from: '{lang}/*.json' }] })).toEqual([
      'p.routes.0.from: the target in en-GB would be the source itself',
    ]);
  });

  test('when it names a source language that is found out by the service', () => {
    expect(faultsOf({ source: 'auto', routes: [{ from: '{locale}/*.json' }] })).toEqual([
      'p.routes.0.from: names the source language, which is auto',
    ]);
  });

  test('not for one language without a token, and not for excluded targets', () => {
    expect(faultsOf({ targets: ['de'], routes: [{ from: 'a.json', to: 'b.json' }] })).toEqual([]);
    const routes = [
      { from: 'docs/**/*.md', to: 'docs/{dir}/{name}.{locale}.md', exclude: ['**/*.{de,fr}.md'] },
    ];
    expect(faultsOf({ routes })).toEqual([]);
  });
});

describe('routes are refused together', () => {
  test('when two sources would share a target, naming both and a path', () => {
    const routes = [
      { from: 'a/**/*.md', to: 'o/{locale}/{dir}/{name}.md' },
      { from: 'b/**/*.md', to: 'o/{locale}/{dir}/{name}.md' },
    ];
    expect(faultsOf({ routes })).toEqual([
      'p.routes.1.to: writes paths such as o/de/a.md, and so does route 1 of project p (line 1); two sources would share a target',
    ]);
  });

  test('not when what differs keeps their targets apart', () => {
    const to = 'o/{locale}/{dir}/{name}.{ext}';
    expect(
      faultsOf({
        routes: [
          { from: 'a/**/*.md', to },
          { from: 'b/**/*.json', to },
        ],
      }),
    ).toEqual([]);
    expect(
      faultsOf({
        routes: [
          { from: 'a/guide-*.md', to: 'o/{locale}/{name}.md' },
          { from: 'b/ref-*.md', to: 'o/{locale}/{name}.md' },
        ],
      }),
    ).toEqual([]);
  });

  test('not when one of them excludes what the other takes', () => {
    const routes = [
      { from: 'src/**/*.md', to: 'o/{locale}/{dir}/{name}.md', exclude: ['src/api/**'] },
      { from: 'src/api/**/*.md', to: 'o/{locale}/api/{dir}/{name}.md' },
    ];
    expect(faultsOf({ routes })).toEqual([]);
  });

  test('not when recordings and subtitles only might have one name', () => {
    const routes = [
      { from: 'rec/**/*.mp3', to: { subtitles: 'subs/{locale}/{dir}/{name}.srt' } },
      { from: 'subs/en/**/*.srt', to: 'subs/{locale}/{dir}/{name}.srt' },
    ];
    expect(faultsOf({ routes })).toEqual([]);
  });

  test('when the targets of one are the sources of another', () => {
    const routes = [
      { from: 'a/*.md', to: 'b/{locale}/{name}.md' },
      { from: 'b/**/*.md', to: 'c/{locale}/{dir}/{name}.md' },
    ];
    expect(faultsOf({ routes })).toEqual([
      'p.routes.0.to: writes paths such as b/de/a.md, which the "from" of route 2 of project p (line 1) matches; write elsewhere, or exclude them there',
    ]);
  });

  test('also over the borders of projects', () => {
    const outer = { name: 'outer', routes: [{ from: 'a/*.md', to: 'sub/{locale}/{name}.md' }] };
    const inner = {
      name: 'inner',
      root: 'sub',
      routes: [{ from: '**/*.md', to: 'z/{locale}/{dir}/{name}.txt' }],
    };
    expect(faultsOf(outer, inner)[0]).toContain('which the "from" of route 1 of project inner');
  });

  test('with the place of the setting in the file', () => {
    const { faults } = parseProjects([{ routes: [{ from: 'a/*.md', to: 'o/{x}.md' }] }]);
    expect(faults?.[0]).toMatchObject({ file: '/repo/dragoman.yaml', line: 1, column: 158 });
  });
});

test('faults of "to" and faults of "from" are reported together', () => {
  expect(faultsOf({ routes: [{ from: 'a/{b', to: 'o/{lokale}/{name}.{ext}' }] })).toEqual([
    'p.routes.0.from: has a "{" without its "}"',
    'p.routes.0.to: unknown token {lokale}; did you mean "locale"?',
  ]);
});
