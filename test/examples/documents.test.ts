/** examples/documents as its reader would run it: the real binary against the sandbox. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { officeTexts } from '../../src/lanes/document/office-text.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { MAIN } from '../main.ts';
import { copyOfExample } from './copy-of-example.ts';

test('the documents of examples/documents are delivered in both languages, for what the plan said', async () => {
  await using sandbox = await startSandbox({ timeScale: 100 });
  const folder = await copyOfExample('documents');
  const run = async (...args: readonly string[]) => {
    const child = spawn(process.execPath, [MAIN, ...args, '--json', '--no-input'], {
      cwd: folder,
      env: { ...process.env, DRAGOMAN_URL: sandbox.url, DRAGOMAN_KEY: sandbox.key },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    await once(child, 'close');
    return JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
  };
  const planned = (await run('plan'))['estimated_characters'] as number;
  expect(planned).toBeGreaterThan(8 * 50_000);
  expect(await run('once')).toMatchObject({
    delivered: 10,
    failed: [],
    billed_characters: planned,
  });
  for (const language of ['de', 'fr']) {
    for (const name of ['handbook.docx', 'evening.pptx', 'prices.xlsx', 'leaflet.docx']) {
      const target = join(folder, 'outbox', language, 'harbour', name);
      expect(
        officeTexts(readFileSync(target), { extension: name.slice(-4), file: name }).length,
      ).toBeGreaterThan(0);
    }
  }
  const page = readFileSync(join(folder, 'site', 'de', 'index.html'), 'utf8');
  expect(page).toContain('<html lang="de">');
  expect(page).not.toContain('eighty boats');
  expect(await run('once')).toMatchObject({ delivered: 0, requests: 0 });
});
