import { hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { execFileSync } from '../in-time.ts';
import { Rig } from '../rig.ts';

async function emptyRig(files: Record<string, string>): Promise<Rig> {
  const rig = await Rig.start({ config: '', files });
  rig.remove('dragoman.yaml');
  return rig;
}

describe('init', () => {
  test('writes a config that check accepts, for what it finds', async () => {
    await using rig = await emptyRig({
      'locales/en/a.json': '{}',
      'locales/pt_BR/a.json': '{}',
      'node_modules/x/locales/en/b.json': '{}',
      'docs/en/a.md': '# Title',
    });
    const { code, stderr } = await rig.run('init', '--yes');
    expect(code).toBe(0);
    expect(stderr).toContain('.gitignore');
    const text = rig.read('dragoman.yaml');
    expect(text).toContain('targets: [pt-BR]');
    expect(text).toContain('from: "locales/{locale_underscore}/**/*.json"');
    expect(text).toContain('from: "docs/{locale}/**/*.md"');
    expect(text).not.toContain('node_modules/x');
    expect((await rig.run('check')).code).toBe(0);
  });

  test.each([
    ['an empty folder', {}],
    [
      'a repository of which nothing can be taken',
      { 'lang/de_DE.lang': 'a=Hallo\n', 'lang/en_US.lang': 'a=Hello\n' },
    ],
  ])('writes a config with which plan and check find no fault in %s', async (_, files) => {
    await using rig = await emptyRig(files);
    const { code, stderr } = await rig.run('init', '--yes', '--url', rig.sandbox.url);
    expect(code).toBe(0);
    expect(stderr).toContain('Made locales/en/ for the example');
    expect(await rig.run('plan', '--json')).toMatchObject({ code: 0 });
    expect(await rig.run('check')).toMatchObject({ code: 0 });
  });

  test('writes a config with which plan and once find no fault, and a second run has nothing to do', async () => {
    const po = (code: string) =>
      `msgid ""\nmsgstr ""\n"Language: ${code}\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "Open"\nmsgstr ""\n`;
    const strings = (text: string) =>
      `<resources>\n  <string name="a">${text}</string>\n</resources>\n`;
    await using rig = await emptyRig({
      'po/de.po': po('de'),
      'po/fr.po': po('fr'),
      'locales/en/app.json': '{"a":"Hello","b":"World"}\n',
      'locales/de/app.json': '{"a":"Hallo"}\n',
      'locales/ast/app.json': '{"a":"Hola"}\n',
      'app/src/main/res/values/strings.xml': strings('Hello'),
      'app/src/main/res/values-de/strings.xml': strings('Hallo'),
      'app/src/main/res/values/arrays.xml':
        '<resources><string-array name="c"><item>com.example.Main</item></string-array></resources>\n',
      'fastlane/metadata/android/en-US/title.txt': 'My app\n',
      'fastlane/metadata/android/de-DE/title.txt': 'Meine App\n',
    });
    const { code, stdout } = await rig.run('init', '--yes', '--json', '--url', rig.sandbox.url);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      not_taken: [
        {
          from: 'app/src/main/res/values/arrays.xml',
          price: 'about 16 characters in 1 file, in each language',
        },
      ],
    });
    expect(rig.read('dragoman.yaml')).toContain('left out: ast: the service does not translate');
    const plan = await rig.run('plan', '--json');
    expect(plan.code).toBe(0);
    expect(JSON.parse(plan.stdout)).toMatchObject({ estimated_characters: 'OpenOpenWorld'.length });
    expect(await rig.once()).toMatchObject({ code: 0, billed_characters: 'OpenOpenWorld'.length });
    expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
    expect((await rig.run('check')).code).toBe(0);
  });

  test('leaves out a program from which no text can be read, and says so', async () => {
    const opencart = (text: string) => `<?php\n$_['heading_title'] = '${text}';\n`;
    await using rig = await emptyRig({
      'upload/catalog/language/en-gb/account.php': opencart('Account'),
      'upload/catalog/language/de-de/account.php': opencart('Konto'),
      'locales/en/messages.js': 'module.exports={messages:JSON.parse("{}")}',
      'locales/de/messages.js': 'module.exports={messages:JSON.parse("{}")}',
      'src/lang/en.ts': "export default { save: 'Save' };\n",
      'src/lang/de.ts': "export default { save: 'Speichern' };\n",
    });
    const { code, stdout } = await rig.run('init', '--yes', '--json', '--url', rig.sandbox.url);
    expect(code).toBe(0);
    const reason = expect.stringContaining('no text was found in it');
    expect(JSON.parse(stdout)).toMatchObject({
      routes: [{ from: 'src/lang/{locale}.ts' }],
      not_taken: [{ reason }, { reason }],
    });
  });

  test('writes a config with which check finds no target of one project orphaned in another', async () => {
    await using rig = await emptyRig({
      'package.nls.json': '{"a":"Open"}',
      'package.nls.de.json': '{"a":"Auf"}',
      'package.nls.fr.json': '{"a":"Ouvrir"}',
      'package.nls.es.json': '{"a":"Abrir"}',
      'l10n/bundle.l10n.json': '{"b":"Close"}',
      'l10n/bundle.l10n.de.json': '{"b":"Zu"}',
    });
    expect((await rig.run('init', '--yes', '--url', rig.sandbox.url)).code).toBe(0);
    const check = await rig.run('check', '--json');
    expect(JSON.parse(check.stdout)).toMatchObject({ faults: [], warnings: [] });
  });

  test('never overwrites', async () => {
    await using rig = await emptyRig({ 'dragoman.yml': '' });
    rig.write('dragoman.yaml', 'mine');
    const { code, stderr } = await rig.run('init', '--yes');
    expect(code).toBe(1);
    expect(stderr).toContain('was not changed');
    expect(rig.read('dragoman.yaml')).toBe('mine');
  });

  test('needs --yes where nobody can answer', async () => {
    await using rig = await emptyRig({});
    expect((await rig.run('init')).code).toBe(64);
    expect(rig.exists('dragoman.yaml')).toBe(false);
  });

  test('takes languages and address as options', async () => {
    await using rig = await emptyRig({ '.gitignore': '.dragoman/\n' });
    const { code, stdout, stderr } = await rig.run(
      ...[
        'init',
        '--yes',
        '--json',
        '--source',
        'de',
        '--target',
        'fr,ja',
        '--url',
        'https://x.test',
      ],
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ source: 'de', targets: ['fr', 'ja'] });
    expect(stderr).not.toContain('.gitignore');
    const check = await rig.run('check', '--json');
    // Nothing was recognised, so the route is an example, and its folder is made.
    expect(JSON.parse(check.stdout).faults).toEqual([]);
    expect(stderr).toContain('Made locales/de/');
  });

  test('takes English as a target where the sources are in another language', async () => {
    await using rig = await emptyRig({ 'locales/de/a.json': '{}', 'locales/fr/a.json': '{}' });
    const { code, stdout, stderr } = await rig.run('init', '--yes', '--json', '--target', 'en,fr');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ source: 'de', targets: ['en', 'fr'] });
    expect(stderr).toContain('--source sets another one');
    expect(stderr).toContain('"dragoman sandbox --port 8080" starts it');
  });

  test('keeps a lock where the folder is in a work tree of git, and fails where git would not take it', async () => {
    await using rig = await emptyRig({ 'locales/en/a.json': '{}', 'locales/de/a.json': '{}' });
    execFileSync('git', ['init', '--quiet'], { cwd: rig.root });
    rig.write('.gitignore', '.dragoman/\n*.lock\n');
    const refused = await rig.run('init', '--yes');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('!dragoman.lock');
    expect(rig.exists('dragoman.yaml')).toBe(false);
    rig.write('.gitignore', '.dragoman/\n*.lock\n!dragoman.lock\n');
    const { code, stderr } = await rig.run('init', '--yes');
    expect(code).toBe(0);
    expect(stderr).toContain('Commit dragoman.lock/');
    expect(rig.read('dragoman.yaml')).toContain('\nlock: dragoman.lock\n');
    expect((await rig.run('check')).code).toBe(0);
    rig.write('.gitignore', '*.lock\n');
    const check = await rig.run('check', '--json');
    expect(check.code).toBe(1);
    expect(check.stdout).toContain('git ignores the lock');
  });

  test.each(['jp', 'german'])('refuses the language %s', async (code) => {
    await using rig = await emptyRig({});
    const finished = await rig.run('init', '--yes', '--target', code);
    expect(finished.code).toBe(64);
    expect(rig.exists('dragoman.yaml')).toBe(false);
  });
});

describe('init --from', () => {
  test('takes the config of another tool, leaves it alone, and shows a plan that buys nothing', async () => {
    const sync = `version: 1
source_locale: en
target_locales: [de]
buckets: { json: { include: ["locales/en.json"] } }
translation: { formality: informal, instruction_templates: { button: short } }
`;
    await using rig = await emptyRig({
      '.deepl-sync.yaml': sync,
      'locales/en.json': '{"a":"Hello"}\n',
      'locales/de.json': '{"a":"Hallo"}\n',
      'other/en.json': '{"a":"Hello"}\n',
      'other/de.json': '{"a":"Hallo"}\n',
    });
    const { code, stdout, stderr } = await rig.run('init', '--yes', '--from', '.deepl-sync.yaml');
    expect(code).toBe(0);
    expect(stdout).toContain('0 characters to be billed');
    expect(stderr).toContain('translation.instruction_templates');
    expect(rig.read('.deepl-sync.yaml')).toBe(sync);
    const text = rig.read('dragoman.yaml');
    expect(text).toContain('formality: "less"');
    expect(text).toContain('# DeepL sync, by hand: translation.instruction_templates:');
    expect(text).not.toContain('other/');
    expect((await rig.run('check')).code).toBe(0);
  });

  test('a translation that was stale by the lock of the other tool is stale here, and the others cost nothing', async () => {
    // The checksums are those of "Hello", "Old text" and "Good night", and of the path.
    const sum = (text: string) => hash('md5', `string:${text.length}:${text}`);
    const lock = `version: 1
checksums:
  ${sum('locales/[locale].json')}:
    a: ${sum('Hello')}
    b: ${sum('Old text')}
    group/n: ${sum('Good night')}
`;
    await using rig = await emptyRig({
      'i18n.json': JSON.stringify({
        version: '1.10',
        locale: { source: 'en', targets: ['de'] },
        buckets: { json: { include: ['locales/[locale].json'] } },
      }),
      'i18n.lock': lock,
      'locales/en.json': '{"a":"Hello","b":"New text","group":{"n":"Good night"}}\n',
      'locales/de.json': '{"a":"Hallo","b":"Alter Text","group":{"n":"Gute Nacht"}}\n',
      '.gitignore': '.dragoman/\n',
    });
    execFileSync('git', ['init', '--quiet'], { cwd: rig.root });
    const args = ['init', '--yes', '--from', 'i18n.json', '--url', rig.sandbox.url];
    const { code, stdout, stderr } = await rig.run(...args);
    expect(code).toBe(0);
    expect(stderr).toContain('i18n.lock: 3 texts taken over into the lock, 1 of them stale');
    // Nobody lost a state that there never was.
    expect(stderr).not.toContain('no state yet');
    expect(stdout).toContain('8 characters to be billed');
    expect(rig.read('i18n.lock')).toBe(lock);
    expect(await rig.once()).toMatchObject({ code: 0, billed_characters: 'New text'.length });
    expect(rig.json('locales/de.json')).toMatchObject({ a: 'Hallo', group: { n: 'Gute Nacht' } });
    expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  });

  test.each([
    ['package.json', 64, 'expected .deepl-sync.yaml'],
    ['crowdin.yml', 64, 'does not exist'],
    ['i18n.json', 1, 'nothing was written'],
  ])('refuses %s', async (file, code, said) => {
    await using rig = await emptyRig({ 'package.json': '{}', 'i18n.json': '{"buckets":{}}' });
    const finished = await rig.run('init', '--yes', '--from', file);
    expect(finished.code).toBe(code);
    expect(finished.stderr).toContain(said);
    expect(rig.exists('dragoman.yaml')).toBe(false);
  });
});
