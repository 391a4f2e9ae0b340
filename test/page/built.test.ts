/** The published package has the page: the bundled daemon serves built files. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { MAIN } from '../main.ts';
import { Rig } from '../rig.ts';

test('the bundled program serves the page from files', async () => {
  const client = join(dirname(MAIN), 'page', 'client');
  expect(existsSync(join(client, 'app.ts'))).toBe(false);
  const address = await serve(MAIN);
  for (const [path, file] of Object.entries({
    '': 'index.html',
    'app.js': 'app.js',
    'app.css': 'app.css',
  })) {
    const response = await fetch(new URL(path, address));
    expect(await response.text()).toBe(readFileSync(join(client, file), 'utf8'));
  }
});

/** Starts the daemon of a built package; its page's address. */
async function serve(main: string): Promise<string> {
  const rig = await Rig.start({
    commands: 'process',
    config: `page: { listen: "127.0.0.1:0" }
projects:
  app:
    source: en
    targets: [de]
    routes: [{ from: "locales/{locale}/*.json" }]`,
  });
  onTestFinished(() => rig[Symbol.asyncDispose]());
  const child = spawn(process.execPath, [main, 'run', '--no-input'], {
    cwd: rig.root,
    env: { ...process.env, DRAGOMAN_KEY: rig.sandbox.key },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return await addressIn(child);
}

async function addressIn({ stderr }: ChildProcess): Promise<string> {
  const lines: string[] = [];
  for await (const line of createInterface({ input: stderr ?? expect.unreachable() })) {
    const address = /the page is at (\S+);/.exec(line)?.[1];
    if (address !== undefined) return address;
    lines.push(line);
  }
  throw new Error(`the daemon ended: ${lines.join('\n')}`);
}
