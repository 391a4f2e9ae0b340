import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findConfig, loadConfig } from '../../src/config/load.ts';
import { readSecret } from '../../src/config/load-secret.ts';
import { execFileSync } from '../in-time.ts';
import { temporaryFolder } from '../temporary-folder.ts';

describe('the config file', () => {
  test('is the nearest one upward', async () => {
    const folder = await temporaryFolder();
    mkdirSync(join(folder, 'a/b/c'), { recursive: true });
    writeFileSync(join(folder, 'dragoman.yaml'), '');
    writeFileSync(join(folder, 'a/b/dragoman.yaml'), '');
    expect(findConfig(join(folder, 'a/b/c'))).toBe(join(folder, 'a/b/dragoman.yaml'));
    expect(findConfig(join(folder, 'a'))).toBe(join(folder, 'dragoman.yaml'));
  });

  test.each([
    ['that does not exist', () => {}, 'does not exist; dragoman init writes one'],
    ['that is a folder', (file: string) => mkdirSync(file), 'is a folder'],
    [
      'that is not UTF-8',
      (file: string) => writeFileSync(file, Buffer.from([0x61, 0xff, 0xfe])),
      'is not UTF-8',
    ],
    [
      'that is a pipe, which nobody may ever write into,',
      (file: string) => execFileSync('/usr/bin/mkfifo', [file]),
      'cannot be read (not a regular file)',
    ],
    [
      'that has 20 GiB of nothing',
      (file: string) => {
        writeFileSync(file, '');
        truncateSync(file, 20 * 1024 ** 3);
      },
      'is larger than 16777216 bytes, and no config',
    ],
  ])('%s is a fault', async (_, prepare, message) => {
    const folder = await temporaryFolder();
    const file = join(folder, 'dragoman.yaml');
    prepare(file);
    expect(await loadConfig(file, { env: {} })).toEqual({
      faults: [{ file, line: 1, column: 1, path: '', message }],
      state: join(folder, '.dragoman'),
    });
  });

  test('may begin with a byte order mark', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'dragoman.yaml');
    writeFileSync(file, '\ufeffversion: 2\n');
    const { faults } = await loadConfig(file, { env: {} });
    expect(faults?.[0]).toMatchObject({ line: 1, message: 'is missing' });
  });
});

describe('a secret', () => {
  test('is read from a variable, a file or a systemd credential, without its line end', async () => {
    const folder = await temporaryFolder();
    writeFileSync(join(folder, 'api-key'), 'from-file\n');
    const places = { env: { KEY: 'from-env' }, credentialsDirectory: folder };
    expect(await readSecret({ env: 'KEY' }, places)).toBe('from-env');
    expect(await readSecret({ file: join(folder, 'api-key') }, places)).toBe('from-file');
    expect(await readSecret({ credential: 'api-key' }, places)).toBe('from-file');
  });

  test('that does not exist is reported with its line and column', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'none');
    writeFileSync(join(folder, 'two'), 'a\nb\n');
    await expect(readSecret({ env: 'KEY' }, { env: {} })).rejects.toThrow(
      'the variable KEY is not set',
    );
    await expect(readSecret({ env: 'KEY' }, { env: { KEY: ' ' } })).rejects.toThrow('is empty');
    await expect(readSecret({ file }, { env: {} })).rejects.toThrow(
      `${file} cannot be read (ENOENT)`,
    );
    await expect(readSecret({ credential: 'x' }, { env: {} })).rejects.toThrow(
      'only there under systemd',
    );
    await expect(readSecret({ file: join(folder, 'two') }, { env: {} })).rejects.toThrow(
      'holds more than one line',
    );
  });

  test('in a named pipe, a device or a huge file is refused at once: opening the pipe would wait for ever', async () => {
    const folder = await temporaryFolder();
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    for (const file of [pipe, '/dev/zero']) {
      await expect(readSecret({ file }, { env: {} })).rejects.toThrow(
        `${file} cannot be read (not a regular file)`,
      );
    }
    writeFileSync(join(folder, 'huge'), '');
    truncateSync(join(folder, 'huge'), 30 * 1024 ** 3);
    await expect(readSecret({ file: join(folder, 'huge') }, { env: {} })).rejects.toThrow(
      'more than the limit of 65,536',
    );
  });
});
