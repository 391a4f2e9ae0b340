/** The process is killed at every step, and bills and downloads are counted on the service. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, test } from 'vitest';
import { wordFile } from '../lanes/document/word-file.ts';
import { DOCUMENT_VICTIM } from '../main.ts';
import { Rig } from '../rig.ts';

const CONFIG = `
defaults: { settle_ms: 0 }
projects:
  office:
    source: en
    targets: [de]
    routes:
      - { from: "in/**/*.{docx,txt}", to: "out/{locale}/{dir}/{name}.{ext}" }
`;
const UPLOAD = 'POST /v2/document';
const RESULT = 'POST /v2/document/{document_id}/result';

type Kind = 'docx' | 'txt';

/** The expected outcome after a crash at a point and one undisturbed run. */
interface Outcome {
  readonly state: 'delivered' | RegExp;
  readonly uploads: number;
  readonly downloads: number;
}

const WELL: Outcome = { state: 'delivered', uploads: 1, downloads: 1 };
const LOST: Outcome = { state: /it was paid, but the result was lost/, uploads: 1, downloads: 1 };
const doubt = (uploads: number): Outcome => ({
  state: /may have accepted and billed it/,
  uploads,
  downloads: 0,
});

const ROWS: readonly (readonly [point: string, outcome: Outcome, kind?: Kind])[] = [
  ['before intent', WELL],
  ['after intent', WELL],
  ['before closing', WELL],
  // The last bytes had not left, which nobody can know.
  ['after closing', doubt(0)],
  ['after closing', doubt(0), 'txt'],
  // Paid, and the key is lost.
  ['before uploaded', doubt(1)],
  ['before uploaded', doubt(1), 'txt'],
  ['after uploaded', WELL],
  ['before finished', WELL],
  ['after finished', WELL],
  ['after downloading', WELL],
  // The answer's head was there: the service has given the result away.
  ['before head', LOST],
  ['amid the download', LOST],
  ['before the download has its name', WELL],
  ['before downloaded', WELL],
  ['after downloaded', WELL],
  ['before the target is replaced', WELL],
  ['after the target is replaced', WELL],
];

describe('a document whose process is killed', () => {
  test.for(ROWS.map(([point, outcome, kind = 'docx']) => ({ point, outcome, kind })))(
    '$point ($kind)',
    async ({ point, outcome, kind }, { expect }) => {
      await using rig = await start(kind);
      expect(await die(rig, point)).toBe('SIGKILL');
      const run = await rig.once();
      expect(counts(rig)).toEqual({ uploads: outcome.uploads, downloads: outcome.downloads });
      const target = `out/de/a.${kind}`;
      if (outcome.state === 'delivered') {
        expect(run).toMatchObject({ code: 0, held: [], failed: [] });
        expect(rig.exists(target)).toBe(true);
      } else {
        expect(run.code).toBe(2);
        expect(run.held[0]?.reason).toMatch(outcome.state);
        expect(rig.exists(target)).toBe(false);
      }
      const again = await rig.once();
      expect(again).toMatchObject({ code: run.code, requests: 0, billed_characters: 0 });
      expect(await booksAgree(rig, outcome.uploads)).toBe(true);
    },
  );
});

test('a document that is edited after the process died behind its target gets the new version: nobody else wrote there', async ({
  expect,
}) => {
  await using rig = await start('txt');
  expect(await die(rig, 'after the target is replaced')).toBe('SIGKILL');
  rig.write('in/a.txt', 'Hello again\n');
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1, held: [] });
  rig.write('in/a.txt', 'Good morning\n');
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1, held: [] });
});

async function start(kind: Kind): Promise<Rig> {
  return await Rig.start({
    config: CONFIG,
    files: { [`in/a.${kind}`]: kind === 'docx' ? wordFile('Hello world') : 'Hello world\n' },
    sandbox: { timeScale: 100 },
  });
}

async function die(rig: Rig, point: string): Promise<NodeJS.Signals | null> {
  const child = spawn(process.execPath, [DOCUMENT_VICTIM, point, 'once', '--json', '--no-input'], {
    cwd: rig.root,
    env: { ...process.env, NO_COLOR: '1', DRAGOMAN_KEY: rig.sandbox.key },
    stdio: 'ignore',
  });
  const [, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return signal;
}

/** Uploads that were billed, and results that were given away. */
function counts({ sandbox }: Rig): { uploads: number; downloads: number } {
  const { operations } = sandbox.counters();
  const uploads = sandbox.log().filter((entry) => entry.operation === UPLOAD);
  return {
    uploads: uploads.filter(({ billed_characters }) => billed_characters > 0).length,
    downloads:
      sandbox.log().filter(({ operation, path }) => operation === RESULT && path !== '').length -
      (operations[RESULT]?.statuses[404] ?? 0),
  };
}

/** Everything that the service billed is in the books, or listed as possibly paid. */
async function booksAgree(rig: Rig, uploads: number): Promise<boolean> {
  const { stdout } = await rig.run('usage', '--json');
  const { billed_characters, possibly_billed_twice } = JSON.parse(stdout) as Record<string, number>;
  const { stdout: status } = await rig.run('status', '--json');
  const { attention } = JSON.parse(status) as { attention: { price_characters: number }[] };
  const known = (billed_characters ?? 0) + (possibly_billed_twice ?? 0);
  const waiting = attention.reduce((sum, { price_characters }) => sum + price_characters, 0);
  return uploads === 0 || known + waiting >= rig.sandbox.counters().billed_characters;
}
