/** examples/app and examples/gettext as their readers would run them: the real binary against the sandbox. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseXml } from '@rgrove/parse-xml';
import { expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/server.ts';
import { gettext } from '../formats/gettext.ts';
import { MAIN } from '../main.ts';
import { copyOfExample } from './copy-of-example.ts';

async function example(name: string) {
  const sandbox = await startSandbox();
  const folder = await copyOfExample(name);
  return {
    read: (path: string) => readFileSync(join(folder, path), 'utf8'),
    async run(...args: readonly string[]) {
      const child = spawn(process.execPath, [MAIN, ...args, '--no-input'], {
        cwd: folder,
        env: { ...process.env, DRAGOMAN_URL: sandbox.url, DRAGOMAN_KEY: sandbox.key },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const chunks: Buffer[] = [];
      child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
      await once(child, 'close');
      return JSON.parse(Buffer.concat(chunks).toString());
    },
    [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose](),
  };
}

test('examples/app: every platform gets its files and the plural forms of its languages', async () => {
  await using app = await example('app');
  const planned = (await app.run('plan', '--json')).estimated_characters;
  const done = await app.run('once', '--json');
  expect(done).toMatchObject({ delivered: 16, held: [], failed: [], billed_characters: planned });
  const german = app.read('android/res/values-de/strings.xml');
  expect(german).toContain('Schön, dass du da bist, <xliff:g');
  expect(german).toContain('<string-array name="shelves">');
  expect(german).not.toContain('app_name');
  const polish = app.read('android/res/values-pl/strings.xml');
  expect(parseXml(polish).root?.name).toBe('resources');
  expect(polish.match(/quantity="(?:one|few|many|other)"/g)).toHaveLength(4);
  expect(app.read('android/res/values-pt-rBR/strings.xml')).toContain('%d');
  expect(app.read('ios/ja.lproj/Localizable.stringsdict')).not.toContain('<key>one</key>');
  expect(app.read('ios/pl.lproj/Localizable.stringsdict')).toContain('<key>many</key>');
  expect(app.read('ios/de.lproj/Localizable.strings')).toMatch(/"byline" = ".*%1\$@.*%2\$d/);
  expect(await app.run('once', '--json')).toMatchObject({ requests: 0, billed_characters: 0 });
});

test('examples/gettext: a template fills its languages, a guess is translated again, obsolete entries stay', async () => {
  await using mail = await example('gettext');
  const planned = (await mail.run('plan', '--json')).estimated_characters;
  const done = await mail.run('once', '--json');
  expect(done).toMatchObject({ delivered: 4, held: [], failed: [], billed_characters: planned });
  const russian = mail.read('po/ru.po');
  expect(russian).toContain('msgstr "Открыть"');
  expect(russian).not.toMatch(/fuzzy|#\||Написать/);
  expect(russian.endsWith('#~ msgid "Old text"\n#~ msgstr "Старый текст"\n')).toBe(true);
  const forms = (language: string) =>
    gettext.parse(mail.read(`po/${language}.po`)).translations['']?.['%d new message']?.msgstr;
  expect(forms('ru')).toHaveLength(3);
  expect(forms('ja')).toHaveLength(1);
  expect(forms('ar')).toHaveLength(6);
  expect(forms('de')?.every((form) => form.includes('%d'))).toBe(true);
  expect(gettext.parse(mail.read('po/de.po')).headers).toMatchObject({
    Language: 'de',
    'Content-Type': 'text/plain; charset=UTF-8',
  });
  expect(await mail.run('once', '--json')).toMatchObject({ requests: 0, billed_characters: 0 });
});
