import { symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { table } from '../../src/cli/table.ts';
import { openTerminal } from '../../src/cli/terminal.ts';
import { oneLine, safeLines } from '../../src/config/one-line.ts';
import { Rig } from '../rig.ts';

test('a name with a line break or an escape sequence stays on its line', () => {
  expect(oneLine('l/new\nline.json')).toBe('l/new\\nline.json');
  expect(oneLine('a\u001b[2Jb\u009bc\u007f')).toBe('a\\u001b[2Jb\\u009bc\\u007f');
});

test('other names are left as they are', () => {
  expect(oneLine('Grüße/日本 "a\\b".json')).toBe('Grüße/日本 "a\\b".json');
});

test('a row of a table is one line, whatever its cells hold', () => {
  const columns = [{ title: 'source', text: (name: string) => name }];
  expect(table(columns, ['a\nb'], 80)).toEqual(['source', 'a\\nb']);
});

test('a name that reverses the text behind it is spelled', () => {
  expect(oneLine('a\u202egpj.json')).toBe('a\\u202egpj.json');
  expect(oneLine('a\u2028b\u2029c\u0085d')).toBe('a\\u2028b\\u2029c\\u0085d');
  expect(safeLines('a\u2066b\nc')).toBe('a\\u2066b\nc');
});

test('of several lines, only line ends, tabs and colours reach a terminal', () => {
  expect(safeLines('\u001b[31mred\u001b[39m\n\tnext')).toBe('\u001b[31mred\u001b[39m\n\tnext');
  expect(safeLines('\u001b[2J\u001b]0;title\u0007\u009b[31m\r')).toBe(
    '\\u001b[2J\\u001b]0;title\\u0007\\u009b[31m\\r',
  );
});

test('results and notes are safe on a terminal, and as they are for a program', () => {
  const told: string[] = [];
  const stream = (isTTY: boolean) => ({ isTTY, write: (text: string) => told.push(text) });
  const name = 'a\u202e\u0007.json';
  for (const isTTY of [true, false]) {
    const streams = { stdin: {}, stdout: stream(isTTY), stderr: stream(isTTY) };
    const terminal = openTerminal(streams as unknown as typeof process, 'never');
    terminal.out(name);
    terminal.note(name);
    terminal.json(name);
  }
  const safe = 'a\\u202e\\u0007.json';
  expect(told).toEqual([
    ...[`${safe}\n`, `${safe}\n`, `"${safe}"\n`],
    ...[`${name}\n`, `${name}\n`, '"a\u202e\\u0007.json"\n'],
  ]);
});

/** A line that a name begins, or a character of a name that a terminal or another program obeys. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const RAW = /^forged|[\u202e\u2028\u2029\u0085\u001b\u0007]/m;

test('the name of a file cannot look like a line of a command', async () => {
  await using rig = await Rig.start({
    config: `
projects:
  app:
    source: en
    targets: [de]
    routes:
      - { from: "locales/{locale}/*.json" }
`,
    files: {
      'locales/en/good\nforged.json': '{ "a": "Hello" }\n',
      'locales/en/bad\nforged\u202e\u2028\u2029\u0085\u001b\u0007.json': '{ "a": "Hello", }}\n',
    },
  });
  symlinkSync('nowhere', rig.path('locales/en/link\nforged.json'));
  const forms = ['github', 'junit'].map((form) => `check --format ${form}`);
  const typed = ['check', 'check --verbose', ...forms, 'plan', 'once --frozen', 'status', 'once'];
  for (const command of [...typed, ...forms, 'check', 'plan', 'once --frozen', 'status']) {
    const { stdout, stderr } = await rig.run(...command.split(' '));
    const printed = stdout + stderr;
    expect([command, printed]).toEqual([command, expect.stringContaining('\\nforged')]);
    expect([command, RAW.exec(printed)]).toEqual([command, null]);
  }
  for (const [command = '', ...args] of [
    ['explain', 'locales/en/good\nforged.json'],
    ['undo', '--list'],
    ['undo', '--yes'],
  ]) {
    const { stdout, stderr } = await rig.run(command, ...args);
    const printed = stdout + stderr;
    expect([command, printed]).toEqual([command, expect.stringContaining('\\nforged')]);
    expect([command, RAW.exec(printed)]).toEqual([command, null]);
  }
});
