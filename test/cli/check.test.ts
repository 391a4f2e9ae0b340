import { chmodSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { connect } from '../../src/service/client.ts';
import { Rig } from '../rig.ts';

const CONFIG = `projects:
  app:
    source: en
    targets: [de, fr]
    routes:
      - { from: "locales/{locale}/*.json" }
`;

interface CheckJson {
  readonly faults: readonly { file: string; line: number; column: number; message: string }[];
}

async function check(rig: Rig, ...args: string[]) {
  const { code, stdout } = await rig.run('check', '--json', ...args);
  const { faults } = JSON.parse(stdout) as CheckJson;
  return {
    code,
    faults: faults.map(({ file, line, column, message }) => {
      return `${file.replace(`${rig.root}/`, '')}:${line}:${column} ${message}`;
    }),
  };
}

describe('check', () => {
  test('finds nothing in a sound project, and asks the service nothing', async () => {
    await using rig = await Rig.start({
      config: CONFIG,
      files: {
        'locales/en/a.json': '{"hello": "Hello {name}"}',
        'locales/de/a.json': '{"hello": "Hallo {name}"}',
      },
    });
    expect(await check(rig)).toEqual({ code: 0, faults: [] });
    expect(rig.exists('.dragoman')).toBe(false);
  });

  test('names every fault of the config, and ends with 78', async () => {
    await using rig = await Rig.start({ config: CONFIG.replace('targets', 'targts') });
    expect(await check(rig)).toEqual({
      code: 78,
      faults: [
        expect.stringMatching(/^dragoman\.yaml:\d+:3 projects\.app\.targets: is missing$/),
        expect.stringMatching(/projects\.app\.targts: unknown setting; did you mean "targets"\?$/),
      ],
    });
  });

  test('tells scripts that the config is refused, as all commands do', async () => {
    await using rig = await Rig.start({ config: CONFIG.replace('targets', 'targts') });
    const { stdout } = await rig.run('check', '--json');
    const told = JSON.parse(stdout);
    expect(told.error).toMatchObject({ exit_code: 78, message: 'the config is refused' });
    expect(told.error.faults).toEqual(told.faults);
  });

  test('shows people the line with a caret', async () => {
    await using rig = await Rig.start({ config: CONFIG.replace('source: en', 'source: ' + 'jp') });
    const { code, stdout } = await rig.run('check');
    expect(code).toBe(78);
    expect(stdout).toMatch(
      /^dragoman\.yaml:\d+:13 projects\.app\.source: "jp" is no language code; did you mean "ja"\?\n *\d+ \| {5}source: jp\n *\| {13}\^\n$/,
    );
  });

  test('finds a root that is not there', async () => {
    await using rig = await Rig.start({
      config: CONFIG.replace('source: en', 'root: apps\n    source: en'),
    });
    const { code, faults } = await check(rig);
    expect(code).toBe(78);
    expect(faults[0]).toMatch(/projects\.app\.root: .*apps does not exist$/);
  });

  test('finds damaged translations with file, line and column, and ends with 1', async () => {
    await using rig = await Rig.start({
      config: CONFIG,
      files: {
        'locales/en/a.json': '{\n  "hello": "Hello {name}",\n  "bye": "Bye"\n}\n',
        'locales/de/a.json': '{\n  "hello": "Hallo",\n  "bye": "Tschüss"\n}\n',
        'locales/fr/a.json': '{\n  "hello": ',
      },
    });
    const { code, faults } = await check(rig);
    expect(code).toBe(1);
    expect(faults[0]).toBe('locales/de/a.json:2:13 hello: {name} is missing');
    expect(faults[1]).toMatch(/^locales\/fr\/a\.json:\d+:\d+ /);
    expect(await check(rig, 'locales/de')).toMatchObject({ code: 1, faults: [faults[0]] });
    // No route writes it: it was mistyped.
    expect((await rig.run('check', 'locales/it')).code).toBe(64);
  });

  test('counts what a file misses on one line, lists it with --verbose, and is narrowed by project and language', async () => {
    const texts = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [`key${n}`, `Text ${n}`]),
    );
    await using rig = await Rig.start({
      config: CONFIG,
      files: {
        'locales/en/a.json': JSON.stringify(texts),
        'locales/de/a.json': '{}',
        'locales/fr/a.json': '{}',
      },
    });
    const brief = await rig.run('check');
    expect(brief.code).toBe(1);
    expect(brief.stdout.split('\n').slice(0, 3)).toEqual([
      expect.stringMatching(
        /^locales\/de\/a\.json:1:\d+ 40 texts in de: missing: key0, key1, key2 …; --verbose lists them$/,
      ),
      expect.stringMatching(/^locales\/fr\/a\.json:1:\d+ 40 texts in fr: missing: /),
      '1 source, 2 translations checked: 80 faults, 0 warnings.',
    ]);
    expect((await rig.run('check', '--verbose')).stdout.split('\n')).toHaveLength(82);
    expect((await check(rig)).faults).toHaveLength(80);
    const { faults } = await check(rig, '--project', 'app', '--language', 'fr');
    expect(faults).toHaveLength(40);
    expect(faults[0]).toContain('locales/fr/a.json');
    expect((await rig.run('check', '--language', 'pl')).code).toBe(64);
  });

  test('finds a file that two routes match', async () => {
    const config = `${CONFIG}      - { from: "locales/en/a*.json", to: "out/{locale}/{name}.json" }\n`;
    await using rig = await Rig.start({ config, files: { 'locales/en/a.json': '{}' } });
    const { code, faults } = await check(rig);
    expect(code).toBe(1);
    expect(faults).toEqual([
      expect.stringMatching(/^locales\/en\/a\.json:1:1 matched by route 1 .* and route 2 /),
    ]);
  });

  test('asks the service about languages when it is told to', async () => {
    await using rig = await Rig.start({ config: CONFIG });
    expect(await check(rig, '--online')).toEqual({ code: 0, faults: [] });
    rig.write('dragoman.yaml', rig.read('dragoman.yaml').replace('[de, fr]', '[de, gsw]'));
    const { code, faults } = await check(rig, '--online');
    expect(code).toBe(1);
    expect(faults).toEqual([
      expect.stringMatching(
        /^dragoman\.yaml:\d+:\d+ the service does not translate into gsw; take/,
      ),
    ]);
  });

  test('asks whether this key has what config names by its id', async () => {
    const id = '00000000-0000-4000-8000-000000000000';
    const config = CONFIG.replace(
      '    routes:',
      `    glossary: { id: ${id} }
    style: { de: { id: ${id} } }
    translation_memory: { id: ${id} }
    routes:`,
    );
    await using rig = await Rig.start({ config });
    expect(await check(rig)).toEqual({ code: 0, faults: [] });
    const { code, faults } = await check(rig, '--online');
    expect(code).toBe(78);
    expect(faults.map((fault) => fault.replace(/^.*? projects/, 'projects'))).toEqual([
      `projects.app.glossary.id: glossary ${id}: the service has none of this id for this key`,
      `projects.app.style: style list ${id}: the service has none of this id for this key (de fails by it)`,
      `projects.app.translation_memory.id: translation memory ${id}: the service has none of this id for this key; dragoman memory list --service names them`,
    ]);
  });

  test('accepts ids of this key, and reports where they have no effect', async () => {
    await using rig = await Rig.start({ config: CONFIG });
    const { url, key } = rig.sandbox;
    await using service = connect({ url, key });
    const glossary = await service.glossaries.create({
      name: 'shop',
      dictionaries: [
        { source_lang: 'en', target_lang: 'de', entries: 'a\tb', entries_format: 'tsv' },
      ],
    });
    const style = await service.styles.create({ name: 'ours', language: 'fr' });
    const [memory] = await service.memories.listAll();
    const settings = (language: string) => `    glossary: { id: ${glossary.glossary_id} }
    style: { ${language}: { id: ${style.style_id} } }
    translation_memory: { id: ${memory?.translation_memory_id} }
    routes:`;
    const sound = rig.read('dragoman.yaml');
    rig.write('dragoman.yaml', sound.replace('    routes:', settings('fr')));
    const { code, stdout } = await rig.run('check', '--online', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      faults: [],
      warnings: [
        {
          message:
            'projects.app.glossary.id: has no dictionary from en into fr: it has no effect there',
        },
        {},
      ],
    });
    rig.write('dragoman.yaml', sound.replace('    routes:', settings('de')));
    const lack = `style list ${style.style_id} is for fr, not de`;
    // One language fails alone, as in a run.
    expect(await check(rig, '--online')).toEqual({
      code: 1,
      faults: [expect.stringContaining(lack)],
    });
    rig.write('dragoman.yaml', rig.read('dragoman.yaml').replace('[de, fr]', '[de]'));
    expect(await check(rig, '--online')).toEqual({
      code: 78,
      faults: [expect.stringContaining(lack)],
    });
  });

  test('warns of a fast model where the source language is found out', async () => {
    const config = CONFIG.replace(
      'source: en',
      'source: auto\n    model: latency_optimized',
    ).replace('locales/{locale}/*.json" }', 'locales/*.json", to: "out/{locale}/{name}.json" }');
    await using rig = await Rig.start({ config, files: { 'locales/a.json': '{}' } });
    const { code, stdout } = await rig.run('check', '--json');
    expect(code).toBe(0);
    const told = expect.stringContaining('latency_optimized has no effect where source is auto');
    expect(JSON.parse(stdout)).toMatchObject({ faults: [], warnings: [{ message: told }] });
    expect(await rig.run('once')).toMatchObject({ code: 0, stderr: told });
    rig.write('dragoman.yaml', rig.read('dragoman.yaml').replace('auto', 'auto\n    detect: true'));
    expect((await rig.run('check')).stdout).not.toContain('latency_optimized');
  });

  test('keeps what the service said of its languages, and checks by it offline', async () => {
    await using rig = await Rig.start({ config: CONFIG });
    await check(rig, '--online');
    await rig.stopService();
    rig.write('dragoman.yaml', rig.read('dragoman.yaml').replace('[de, fr]', '[de, gsw]'));
    const { code, faults } = await check(rig);
    expect(code).toBe(1);
    expect(faults.join()).toContain('the service does not translate into gsw');
    const languages = await rig.run('languages');
    expect(languages.code).toBe(0);
    expect(languages.stderr).toContain('this is its answer of');
  });

  test.skipIf(process.getuid?.() === 0)('finds a root that may not be written', async () => {
    await using rig = await Rig.start({ config: CONFIG, files: { 'locales/en/a.json': '{}' } });
    chmodSync(rig.root, 0o555);
    const { code, faults } = await check(rig);
    chmodSync(rig.root, 0o755);
    expect(code).toBe(78);
    expect(faults.join()).toContain('may not be written');
  });
});
