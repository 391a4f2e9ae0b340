import { describe, expect, test } from 'vitest';
import { faultLine, renderFaults } from '../../src/config/fault.ts';
import { type ParseOptions, parseConfig } from '../../src/config/parse.ts';
import { spoolOf } from '../../src/config.ts';

const FILE = '/repo/dragoman.yaml';

function parse(text: string, options: Partial<ParseOptions> = {}) {
  return parseConfig(text, { file: FILE, env: {}, ...options });
}

function faults(text: string, options: Partial<ParseOptions> = {}): string[] {
  return (parse(text, options).faults ?? []).map((fault) => faultLine(fault, '/repo'));
}

function config(text: string, options: Partial<ParseOptions> = {}) {
  const parsed = parse(text, options);
  if (parsed.faults !== undefined) throw new Error(renderFaults(parsed.faults));
  return parsed.config;
}

const HEAD = `version: 1
service: { url: "http://127.0.0.1:8080", key: { env: KEY } }
`;

/** A config with one project; `rules` are its settings, one per line. */
function withProject(...rules: string[]): string {
  const given = (name: string) => rules.some((rule) => rule.startsWith(`${name}:`));
  return [
    `${HEAD}projects:`,
    '  shop:',
    ...(given('source') ? [] : ['    source: en']),
    ...(given('targets') ? [] : ['    targets: [de, fr]']),
    ...rules.map((rule) => `    ${rule}`),
    ...(given('routes') ? [] : ['    routes: [{ from: "{locale}/**/*.json" }]']),
    '',
  ].join('\n');
}

/** Messages of the faults of a one-project config, without places. */
function projectFaults(...rules: string[]): string[] {
  return (parse(withProject(...rules)).faults ?? []).map(
    ({ path, message }) => `${path.replace('projects.shop.', '')}: ${message}`,
  );
}

describe('a sound config', () => {
  test('is filled with the defaults of the product', () => {
    const read = config(withProject());
    expect(read).toMatchObject({
      file: FILE,
      base: '/repo',
      state: '/repo/.dragoman',
      service: { url: 'http://127.0.0.1:8080', scheme: 'Service-Auth-Key', concurrency: 8 },
      keep: { trash: 30 * 86_400_000, spool: 7 * 86_400_000 },
      page: { host: '127.0.0.1', port: 9730 },
      budget: { onExceed: 'hold' },
    });
    expect(read.projects[0]).toMatchObject({
      name: 'shop',
      root: '/repo',
      targets: ['de', 'fr'],
      policies: { settleMs: 2000, settleIsExplicit: false, humanEdits: 'conflict' },
      routes: [{ index: 0, line: 7, column: 14, from: '{locale}/**/*.json', minify: false }],
    });
  });

  test('is frozen all the way down', () => {
    const read = config(withProject());
    expect(Object.isFrozen(read)).toBe(true);
    expect(Object.isFrozen(read.projects[0]?.routes[0]?.policies)).toBe(true);
  });

  test('overrides policies from defaults to project to route', () => {
    const text = withProject(
      'existing: overwrite',
      'routes: [{ from: "{locale}/a.json", checks: { tags: warn } }, { from: "{locale}/b.json" }]',
    ).replace('projects:', 'defaults: { settle_ms: 50, checks: { length: hold } }\nprojects:');
    const [first, second] = config(text).projects[0]?.routes ?? [];
    expect(first?.policies).toMatchObject({ existing: 'overwrite', settleMs: 50 });
    expect(first?.policies.checks).toMatchObject({ tags: 'warn', length: 'hold' });
    expect(second?.policies.checks).toMatchObject({ tags: 'hold', length: 'hold' });
    expect(second?.policies.settleIsExplicit).toBe(true);
  });

  test('bounds a login only where there is a database that knows logins, and never in a project', () => {
    const text = withProject().replace('projects:', 'budget: { runner: 500 }\nprojects:');
    expect(faults(text).join('\n')).toMatch(/budget\.runner.*name one as "url" in "state"/s);
    const shared = text.replace('projects:', 'state: { url: { env: URL } }\nprojects:');
    expect(config(shared).budget.runner).toBe(500);
    expect(faults(withProject('budget: { runner: 500 }')).join('\n')).toContain('runner');
  });

  test.each([
    'postgres://runner:word@db.acme/x',
    'postgres:///x?host=db.acme&user=runner&password=word',
    'postgres://db.acme/x?PASSWORD=word',
  ])('takes no address of a database with a password in it: %s', (url) => {
    const text = withProject().replace('projects:', `state: { url: "${url}" }\nprojects:`);
    const told = faults(text).join('\n');
    expect(told).toContain('without a password');
    const sound = text.replace(url, 'postgres://runner@db.acme/x?host=/run/pg');
    expect(config(sound).team?.url).toBe('postgres://runner@db.acme/x?host=/run/pg');
  });

  test.each(['public', 'pg_team', 'information_schema', 'Team', 'a-b'])(
    "takes no schema that is not a team's own: %s",
    (schema) => {
      const state = `state: { url: { env: URL }, schema: ${schema} }`;
      const told = faults(withProject().replace('projects:', `${state}\nprojects:`)).join('\n');
      expect(told).toContain('schema that holds nothing else');
    },
  );

  test('keeps a tree in a database only where nothing of one machine is in the tree', () => {
    const told = (state: string) =>
      faults(withProject().replace('projects:', `state: { ${state} }\nprojects:`)).join('\n');
    const key = 'key: { env: KEY }';
    expect(told(`tree: site, folder: /var/lib/d, ${key}`)).toMatch(
      /state\.tree.*name one as "url"/s,
    );
    expect(told('tree: site, folder: /var/lib/d, url: { env: URL }')).toMatch(/add "key"/);
    expect(told('spool: paid')).toMatch(/state\.spool.*add "tree"/s);
    expect(told(`tree: "a b", folder: /var/lib/d, url: { env: URL }, ${key}`)).toMatch(
      /such as website/,
    );
    expect(
      faults(
        withProject().replace(
          'projects:',
          `state: { tree: "ü", spool: paid, url: { env: URL }, ${key} }\nprojects:`,
        ),
      ),
    ).toHaveLength(1);
    for (const folder of ['.dragoman', 'a/../b', '/repo', '..data']) {
      const inside = told(`tree: site, folder: "${folder}", url: { env: URL }, ${key}`);
      expect(inside).toContain('inside the tree of project "shop"');
    }
    const sound = `state: { tree: site, folder: /repository, url: { env: URL }, ${key} }`;
    const read = config(withProject().replace('projects:', `${sound}\nprojects:`));
    expect(read.team?.tree).toEqual({ name: 'site', spool: '/repo/.dragoman-spool' });
    expect(spoolOf(read)).toBe('/repo/.dragoman-spool');
    expect(spoolOf(config(withProject()))).toBe('/repo/.dragoman');
  });

  test('reads durations and sizes', () => {
    const text = withProject()
      .replace('key: { env: KEY }', 'key: { env: KEY }, limits: { .DOCX: 30MB }, verify_every: 90s')
      .replace('projects:', 'keep: { trash: 12h }\nprojects:');
    const read = config(text);
    expect(read.service.limits).toEqual({ docx: 30_000_000 });
    expect(read.service.verifyEvery).toBe(90_000);
    expect(read.keep.trash).toBe(12 * 3_600_000);
  });

  test('may share settings with anchors and merge keys', () => {
    const text = `${HEAD}projects:
  a: &a { source: en, targets: [de], root: a, routes: [{ from: "{locale}/*.json" }] }
  b: { <<: *a, root: b }
`;
    expect(config(text).projects.map(({ root }) => root)).toEqual(['/repo/a', '/repo/b']);
  });

  test('takes the language of a style for all its variants among the targets', () => {
    const read = config(withProject('targets: [de, de-CH, fr]', 'style: { de: style.de.yaml }'));
    expect([...(read.projects[0]?.rules.styles ?? [])]).toEqual([
      ['de', { file: '/repo/style.de.yaml' }],
      ['de-CH', { file: '/repo/style.de.yaml' }],
    ]);
  });
});

describe('variables', () => {
  test('may be inside strings, and are replaced by the values of the environment', () => {
    const text = withProject(`context: "Texts of \${SHOP}"`);
    expect(config(text, { env: { SHOP: 'Ünique: "x"' } }).projects[0]?.rules.context).toBe(
      'Texts of Ünique: "x"',
    );
  });

  test('that are not set are a fault at their place', () => {
    expect(faults(withProject(`context: "Texts of \${SHOP}"`))).toEqual([
      'dragoman.yaml:7:14 projects.shop.context: the variable SHOP is not set',
    ]);
  });

  test('cannot bring in settings', () => {
    const text = withProject(`context: \${SHOP}`);
    expect(config(text, { env: { SHOP: '{ a: 1 }' } }).projects[0]?.rules.context).toBe('{ a: 1 }');
  });

  test('are written as text with two dollar signs', () => {
    expect(config(withProject(`context: "$\${HOME}"`)).projects[0]?.rules.context).toBe(`\${HOME}`);
  });
});

describe('faults', () => {
  test('come all at once, top to bottom, with line, column and suggestion', () => {
    const text = `version: 1
service: { url: "http://127.0.0.1:8080", key: { env: KEY }, concurency: 4 }
projects:
  webshop:
    source: en
    targts: [de]
    targets: [de, jp]
    formality: les
    routes:
      - { from: "**/*.json", to: "out/{local}/{name}.json" }
      - { from: "{locale}/*.md", lane: txt }
`;
    expect(faults(text)).toEqual([
      'dragoman.yaml:2:61 service.concurency: unknown setting; did you mean "concurrency"?',
      'dragoman.yaml:6:5 projects.webshop.targts: unknown setting; did you mean "targets"?',
      'dragoman.yaml:7:19 projects.webshop.targets.1: "jp" is no language code; did you mean "ja"?',
      'dragoman.yaml:8:16 projects.webshop.formality: expected default | more | less | prefer_more | prefer_less, found "les"; did you mean "less"?',
      'dragoman.yaml:10:34 projects.webshop.routes.0.to: unknown token {local}; did you mean "locale"?',
      'dragoman.yaml:11:40 projects.webshop.routes.1.lane: expected document | text | subtitle | voice, found "txt"; did you mean "text"?',
    ]);
  });

  test('suggest the names of blocks too', () => {
    const text = `version: 1
service: { url: "http://127.0.0.1:8080", key: { env: KEY } }
projets: {}
projects: { app: { source: en, targets: [de], rotues: [], routes: [{ from: "{locale}/*.json" }] } }
`;
    expect(faults(text)).toEqual([
      'dragoman.yaml:3:1 projets: unknown setting; did you mean "projects"?',
      'dragoman.yaml:4:47 projects.app.rotues: unknown setting; did you mean "routes"?',
    ]);
  });

  test('show the line with a caret under the place', () => {
    const { faults: found } = parse(withProject('formalty: less'));
    expect(renderFaults(found ?? [], '/repo')).toBe(
      [
        'dragoman.yaml:7:5 projects.shop.formalty: unknown setting; did you mean "formality"?',
        '     7 |     formalty: less',
        '       |     ^',
      ].join('\n'),
    );
  });

  test('of YAML itself name the position', () => {
    expect(faults('version: 1\nservice: [')[0]).toMatch(/^dragoman\.yaml:2:\d+ /);
    expect(faults('a: 1\na: 2')).toEqual([
      'dragoman.yaml:2:1 this name is there twice in the same block',
    ]);
  });

  test.each([
    ['', 'dragoman.yaml:1:1 the file is empty'],
    ['# nothing', 'dragoman.yaml:1:1 the file is empty'],
  ])('of an empty file %j are one', (text, line) => {
    expect(faults(text)).toEqual([line]);
  });

  test.each(['[]', '7', 'text'])('say that %s is no config', (text) => {
    expect(faults(text)).toHaveLength(1);
  });

  test('of texts made to exhaust the reader are one', () => {
    const laughs = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(
      (name, index, all) =>
        `${name}: &${name} [${Array(9).fill(index === 0 ? 'x' : `*${all[index - 1]}`)}]`,
    );
    expect(faults(laughs.join('\n'))).toEqual([
      expect.stringContaining('has too many aliases of aliases'),
    ]);
    expect(faults('['.repeat(20_000))).toEqual([expect.stringContaining('is nested too deeply')]);
    expect(faults('a: &a { <<: *a }')).toHaveLength(1);
  });

  test('of missing settings have the position of the group that lacks them', () => {
    expect(faults('version: 1\nservice: {}\nprojects:\n  a:\n    source: en\n')).toEqual([
      'dragoman.yaml:2:1 service.url: is missing',
      'dragoman.yaml:4:3 projects.a.targets: is missing',
      'dragoman.yaml:4:3 projects.a.routes: is missing',
    ]);
  });

  test('name the branch that was meant', () => {
    expect(projectFaults('glossary: { id: x, csv: y.csv }')).toEqual([
      'glossary.csv: does not go with the settings beside it',
    ]);
    expect(projectFaults('glossary: { name: x, csvv: y.csv }')).toEqual([
      'glossary.csv: is missing',
      'glossary.csvv: unknown setting; did you mean "csv"?',
    ]);
    expect(projectFaults('improve: { tone: friendly, writing_style: simple }')).toEqual([
      'improve: expected { writing_style: … } or { tone: … }; the service takes only one of them',
    ]);
  });
});

describe('secrets', () => {
  const literal = (key: string) => withProject().replace('{ env: KEY }', key);

  test.each([
    'abc-secret',
    `"\${KEY}"`,
    '[abc-secret]',
    '{ value: abc-secret }',
    '{ env: A, file: abc-secret }',
  ])('written in the config as %s are refused and never shown', (key) => {
    const { faults: found } = parse(literal(key), { env: { KEY: 'abc-secret' } });
    expect(found?.length).toBeGreaterThan(0);
    expect(renderFaults(found ?? [])).toContain('service.key');
    expect(renderFaults(found ?? [])).not.toContain('abc-secret');
  });

  test('inside addresses and headers are refused', () => {
    const text = withProject().replace('http://', 'http://user:abc-secret@');
    expect(renderFaults(parse(text).faults ?? [])).toMatch(
      /service\.url: a secret is never written/,
    );
    expect(renderFaults(parse(text).faults ?? [])).not.toContain('abc-secret');
    const header = withProject().replace(
      'key: {',
      'headers: { Authorization: abc-secret }, key: {',
    );
    expect(renderFaults(parse(header).faults ?? [])).toMatch(/headers\.Authorization: is set by/);
    for (const [wrong, message] of [
      ['headers: { Expect: 100-continue }, key: {', /headers\.Expect: is set by/],
      ['headers: { X-Team: 翻訳 }, key: {', /headers\.X-Team: must be one line of ASCII/],
      ['scheme: "two\\nlines", key: {', /service\.scheme: must be one line/],
    ] as const) {
      const text = withProject().replace('key: {', wrong);
      expect(renderFaults(parse(text).faults ?? [])).toMatch(message);
    }
    expect(renderFaults(parse(header).faults ?? [])).not.toContain('abc-secret');
  });
});

describe('rules that the service would refuse', () => {
  test.each([
    [
      ['targets: [sv, fi]', 'formality: less'],
      'formality: the service has no formality for sv, fi; write "prefer_less", which falls back to the default there',
    ],
    [
      ['style: { id: 4b6e }'],
      'style.id: a style list is for one language: write { de: { id: … } }',
    ],
    [
      ['glossary: { name: a, csv: "{local}.csv" }'],
      'glossary.csv: unknown token {local}; {source} and {locale} are known; did you mean "locale"?',
    ],
    [
      ['style: { fi: a.yaml }', 'targets: [fi]'],
      'style.fi: the service has no style rules for fi; take such a language out of "style"',
    ],
    [['style: { it: a.yaml }'], 'style.it: it is no target of this project'],
    [
      [
        'source: auto',
        'glossary: { name: a, csv: a.csv }',
        'routes: [{ from: a.json, to: "{locale}.json" }]',
      ],
      'glossary: a glossary needs a source language; source is auto',
    ],
    [['detect: true'], 'detect: nothing is detected where source is en; write source: auto'],
    [
      ['model: latency_optimized', 'tag_handling_version: v2', 'custom_instructions: [Be brief]'],
      'model: latency_optimized cannot be combined with tag_handling_version v2, custom_instructions',
    ],
    [
      [`custom_instructions: [${'a, '.repeat(11)}]`],
      'custom_instructions: at most 10 instructions',
    ],
    [
      [`custom_instructions: ["${'a'.repeat(301)}"]`],
      'custom_instructions.0: an instruction has at most 300 characters',
    ],
    [
      ['targets: [sv]', 'custom_instructions: [Be brief]'],
      'custom_instructions: the service takes no custom instructions for sv; a project without "custom_instructions" needs none',
    ],
    [
      ['translation_memory: { id: a, threshold: 101 }'],
      'translation_memory.threshold: must be at most 100',
    ],
    [['targets: [de, DE]'], 'targets.1: "DE" is the same language as "de"'],
    [['targets: [de, pt_br, pt-BR]'], 'targets.2: "pt-BR" is the same language as "pt_br"'],
    [['targets: [de, EN]'], 'targets.1: "EN" is the source language'],
    [['targets: [de, d]'], 'targets.1: "d" is no language code'],
    [['targets: []'], 'targets: names no language'],
    [
      ['locales: { it: { file: it_IT } }'],
      'locales.it: is neither the source nor a target of this project',
    ],
    [
      ['locales: { de: { file: ../x } }'],
      'locales.de.file: must be a plain name, without "/" and leading "."',
    ],
    [
      ['targets: [en-GB]', 'improve: { tone: cheerful }'],
      expect.stringContaining('improve.tone: expected default | enthusiastic'),
    ],
    [
      ['routes: [{ from: "{locale}/*.txt", encoding: latin-9000 }]'],
      'routes.0.encoding: "latin-9000" is no encoding that is known here, such as windows-1252',
    ],
  ])('%j', (rules, message) => {
    expect(projectFaults(...rules)).toEqual([message]);
  });

  test('are reported only where no language of the project can follow them', () => {
    expect(projectFaults('targets: [de, sv]', 'formality: prefer_less')).toEqual([]);
    expect(
      projectFaults(
        'source: auto',
        'detect: true',
        'glossary: { id: x }',
        'routes: [{ from: a.json, to: "{locale}.json" }]',
      ),
    ).toEqual([]);
    // The service is asked for `de` here, however the config spells the locale; for `sv` it has no formality.
    for (const code of ['sv-SE', 'sv_se']) {
      expect(
        projectFaults('targets: [sv-SE]', `locales: { ${code}: { api: de } }`, 'formality: less'),
      ).toEqual([]);
    }
    // One language that lacks a feature does not stop the others.
    expect(projectFaults('targets: [de, sv, fi]', 'formality: less')).toEqual([]);
    expect(projectFaults('targets: [de, sv]', 'custom_instructions: [Be brief]')).toEqual([]);
    expect(projectFaults('targets: [de, fi]', 'style: { fi: a.yaml }')).toEqual([]);
    // A variant of the source goes to text improvement, which knows no formality.
    expect(projectFaults('targets: [de, en-GB]', 'formality: less')).toEqual([]);
  });
});

test('a config that requires a newer version is refused, and the version that it wants is named', () => {
  const text = (range: string) => `version: 1
requires: "${range}"
service: { url: "http://127.0.0.1:1" }
projects: { app: { source: en, targets: [de], routes: [{ from: "{locale}.json" }] } }
`;
  const faults = (range: string, version: string) =>
    (parseConfig(text(range), { file: '/repo/dragoman.yaml', env: {}, version }).faults ?? []).map(
      ({ message }) => message,
    );
  expect(faults('>=0.2', '0.2.0')).toEqual([]);
  expect(faults('>=0.2', '0.10.1')).toEqual([]);
  expect(faults('>=1', '0.9.9')).toEqual(['this is dragoman 0.9.9, and the config wants >=1']);
  expect(faults('0.2', '0.2.0')).toHaveLength(1);
});

test('writing to the service is switched off by the config or the environment, and nothing else is taken for it', () => {
  expect(config(withProject()).sync).toBe('on');
  expect(config(`sync: off\n${withProject()}`).sync).toBe('off');
  expect(config(withProject(), { env: { DRAGOMAN_SYNC: 'off' } }).sync).toBe('off');
  expect(config(`sync: off\n${withProject()}`, { env: { DRAGOMAN_SYNC: 'on' } }).sync).toBe('on');
  const [fault] =
    parseConfig(withProject(), { file: FILE, env: { DRAGOMAN_SYNC: 'no' } }).faults ?? [];
  expect(fault?.message).toContain('DRAGOMAN_SYNC is "no"');
});

describe('reviewers', () => {
  const page = (...reviewers: string[]) =>
    faults(
      withProject().replace(
        'projects:',
        `lock: dragoman.lock\npage: { reviewers: [${reviewers.join(', ')}] }\nprojects:`,
      ),
    );

  test('may have links to languages that are targets of some project', () => {
    expect(page('{ name: Anna B., languages: [de, FR] }')).toEqual([]);
  });

  test('have different names, and are listed with what they may see', () => {
    expect(
      page('{ name: a, languages: [de] }', '{ name: a, languages: [ja] }', '{ name: b }'),
    ).toEqual([expect.stringContaining('page.reviewers.2.languages: is missing')]);
    expect(page('{ name: a, languages: [de] }', '{ name: a, languages: [ja, xx-yy-zz] }')).toEqual([
      expect.stringContaining('"a" appears twice'),
      expect.stringContaining('ja is a target of no project'),
      expect.stringContaining('"xx-yy-zz" is no language code'),
    ]);
    expect(page('{ name: "../a", languages: [] }')).toEqual([
      expect.stringContaining('a name has letters'),
      expect.stringContaining('name the languages'),
    ]);
  });

  test('need the lock, which keeps what they say', () => {
    const text = withProject().replace(
      'projects:',
      'page: { reviewers: [{ name: a, languages: [de] }] }\nprojects:',
    );
    expect(faults(text)).toEqual([expect.stringContaining('add "lock: dragoman.lock"')]);
  });
});
