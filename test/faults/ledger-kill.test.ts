/** Kills a process that writes the ledger, the memory and the baselines, again and again. A long loop: KILLS=100 npx vitest run test/faults. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { lockState } from '../../src/files/exclusive.ts';
import type { RecipeKey } from '../../src/job.ts';
import type { LanguageTag } from '../../src/language.ts';
import { openBaselines } from '../../src/state/baseline.ts';
import { openLedger } from '../../src/state/json-ledger.ts';
import { FolderMemories } from '../../src/state/memories/folder.ts';
import { keyOf, textIn } from '../contracts/baseline.ts';
import { KILLED } from '../main.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const KILLS = Number(process.env['KILLS'] ?? 5);
const CLOSER = fileURLToPath(new URL('./ledger-closer.ts', import.meta.url));
const WRITER = fileURLToPath(new URL('./ledger-writer.ts', import.meta.url));

/** Lets a writer live for a moment. @returns what it was told to be durable */
async function liveAndDie(folder: string, life: number): Promise<string[]> {
  const child = writer(folder, life);
  const said = saidBy(child);
  await once(child.stdout, 'data');
  await systemClock.sleep(20 + ((life * 37) % 150));
  child.kill('SIGKILL');
  await once(child, 'close');
  return lines(said);
}

/** Lets a writer live until it replaces a file. @param killAt `before db.json` */
async function liveUntil(folder: string, killAt: string): Promise<string[]> {
  const child = writer(folder, killAt, ['--import', KILLED], { KILL_AT: killAt });
  const said = saidBy(child);
  await once(child, 'close');
  return lines(said);
}

function writer(folder: string, life: number | string, flags: string[] = [], env = {}) {
  return spawn(process.execPath, [...flags, WRITER, folder, `${life}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
}

function saidBy({ stdout }: ReturnType<typeof writer>): Buffer[] {
  const said: Buffer[] = [];
  stdout.on('data', (data: Buffer) => said.push(data));
  return said;
}

function lines(said: readonly Buffer[]): string[] {
  return Buffer.concat(said).toString().split('\n').slice(0, -1);
}

/** The acknowledged records that are missing. */
async function missing(folder: string, acknowledged: readonly string[]) {
  await using lock = await lockState(folder, systemClock);
  await using ledger = await openLedger({ folder, clock: systemClock });
  await using memories = new FolderMemories({ folder: join(folder, 'memory') });
  const memory = await memories.open('app', 'de' as LanguageTag);
  await using baselines = openBaselines(join(folder, 'base'));
  const halves = [...ledger.all('remotes')].filter(({ id }) => {
    const other = id.endsWith('one') ? id.replace('one', 'two') : id.replace('two', 'one');
    return ledger.get('remotes', other) === undefined;
  });
  const found = await memory.find(
    acknowledged.map((request) => ({ recipe: 'r' as RecipeKey, parts: [request] })),
  );
  const answered = await Promise.all(acknowledged.map((each) => memory.holdsAnswerTo(each)));
  const isNoted = async (request: string) =>
    (await textIn(baselines, { found: 'h' }, keyOf(request))) === request;
  return {
    locked: lock !== undefined,
    condition: ledger.condition,
    facts: acknowledged.filter((request) => !ledger.get('remotes', `${request}/two`)),
    texts: acknowledged.filter((_, index) => found[index] === undefined || !answered[index]),
    baselines: (await Promise.all(acknowledged.map(isNoted))).filter((noted) => !noted),
    halves,
  };
}

const NOTHING = { locked: true, facts: [], texts: [], baselines: [], halves: [] };

test('nothing that was acknowledged is missing after kill -9, however often', {
  timeout: 10_000 + KILLS * 10_000,
}, async () => {
  const folder = await temporaryFolder();
  const acknowledged: string[] = [];
  for (let life = 0; life < KILLS; life++) {
    acknowledged.push(...(await liveAndDie(folder, life)));
    const found = await missing(folder, acknowledged);
    expect(found).toMatchObject(NOTHING);
    expect(['intact', 'repaired']).toContain(found.condition);
  }
  const names = await readdir(folder);
  expect(acknowledged.length).toBeGreaterThan(KILLS);
  expect(names.filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

test('nothing is missing either when the newest snapshot is damaged', async () => {
  const folder = await temporaryFolder();
  const acknowledged: string[] = [];
  for (let life = 0; life < 3; life++) {
    acknowledged.push(...(await liveAndDie(folder, life)));
    await rotSnapshot(folder);
    expect(await missing(folder, acknowledged)).toMatchObject({
      ...NOTHING,
      condition: 'repaired',
    });
  }
});

test.each(['db.json', 'db.prev.json'].flatMap((file) => [`before ${file}`, `after ${file}`]))(
  'nothing is missing when a checkpoint ended %s was in place, and the newest snapshot is then damaged',
  async (killAt) => {
    const folder = await temporaryFolder();
    const acknowledged = await liveAndDie(folder, 0);
    acknowledged.push(...(await liveUntil(folder, killAt)));
    await rotSnapshot(folder);
    expect(await missing(folder, acknowledged)).toMatchObject({
      ...NOTHING,
      condition: 'repaired',
    });
  },
);

test.each(['before db.prev.json', 'after db.prev.json'])(
  'nothing is missing when the end of a process was killed %s was packed, also with a damaged newest snapshot',
  async (killAt) => {
    const folder = await temporaryFolder();
    {
      await using ledger = await openLedger({ folder: join(folder, 'made'), clock: systemClock });
      const ids = Array.from({ length: 6000 }, (_, n) => `${n}`);
      await ledger.commit(
        ids.map((id) => {
          const put = { id, kind: 'spool', value: 'x'.repeat(200) } as const;
          return { table: 'remotes', put, from: undefined };
        }),
      );
      await ledger.checkpoint();
      await ledger.checkpoint();
      await cp(join(folder, 'made'), join(folder, 'killed'), { recursive: true });
    }
    const killed = join(folder, 'killed');
    const child = spawn(process.execPath, ['--import', KILLED, CLOSER, killed], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, KILL_AT: killAt },
    });
    const said = saidBy(child);
    expect(await once(child, 'close')).toEqual([null, 'SIGKILL']);
    expect(lines(said)).toEqual(['last']);
    for (const isRotten of [false, true]) {
      const copy = join(folder, `${isRotten}`);
      await cp(killed, copy, { recursive: true });
      if (isRotten) await rotSnapshot(copy);
      await using ledger = await openLedger({ folder: copy, clock: systemClock });
      expect(ledger.condition).toBe(isRotten ? 'repaired' : 'intact');
      expect(ledger.size('remotes')).toBe(6001);
    }
  },
);

/** Damages the file in place, like a broken disk: a second name of the same file is damaged, too. */
async function rotSnapshot(folder: string): Promise<void> {
  const bytes = await readFile(join(folder, 'db.json'));
  const at = Math.floor(bytes.length * 0.7);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  await writeFile(join(folder, 'db.json'), bytes);
}
