/** Documents whose source or route goes while they are being paid for, and downloads that break off: nothing paid is lost. */
import { readFileSync } from 'node:fs';
import { describe, test } from 'vitest';
import type { SimulatedFault } from '../../../src/sandbox/fault.ts';
import { billed, requests, wrongBooks } from '../../counts.ts';
import { until } from '../../until.ts';
import { MINIMUM, office, RESULT, STATUS, UPLOAD } from './office.ts';
import { wordFile } from './word-file.ts';

/** Time enough to act between upload and result. */
const slow = { timeScale: 2 };

describe.concurrent('a source that is deleted while it is translated', () => {
  test('has its translation fetched, kept and listed, and delivered for nothing when it comes back', async ({
    expect,
  }) => {
    const bytes = wordFile('Deleted on the way');
    await using rig = await office({
      time: 'real',
      files: { 'in/a.docx': bytes },
      sandbox: slow,
    });
    const daemon = await rig.daemon();
    await until(() => requests(rig, UPLOAD) > 0);
    rig.remove('in/a.docx');
    await daemon.logged((line) => line.kind === 'job-held');
    await daemon.stop();
    expect(requests(rig, RESULT)).toBe(1);
    const { attention } = JSON.parse((await rig.run('status', '--json')).stdout);
    expect(attention).toMatchObject([
      {
        source: 'in/a.docx',
        reason: 'its source is gone; the translation is paid and kept',
        next_step: expect.stringContaining('bring the source back'),
        price_characters: null,
      },
    ]);
    for (const command of [['plan'], ['once', '--frozen']]) {
      const { code, stdout } = await rig.run(...command);
      expect({ code, stdout }).toMatchObject({
        code: 2,
        stdout: expect.stringContaining('paid and kept'),
      });
    }
    expect((await rig.run('retry', '--all', '--yes')).stdout).not.toContain('released');
    expect(await rig.once()).toMatchObject({ code: 2, requests: 0 });
    rig.write('in/a.docx', bytes);
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 1, requests: 0 });
    expect(rig.exists('out/de/a.docx')).toBe(true);
    expect(billed(rig)).toBe(MINIMUM);
  });

  test('also across a kill: the next run fetches what was paid', async ({ expect }) => {
    await using rig = await office({
      time: 'real',
      files: { 'in/a.docx': wordFile('Killed') },
      sandbox: slow,
    });
    const daemon = await rig.daemonApart();
    await until(() => requests(rig, UPLOAD) > 0);
    await daemon.stop('SIGKILL');
    rig.remove('in/a.docx');
    const run = await rig.once();
    expect(run).toMatchObject({ code: 2, delivered: 0 });
    expect(run.held[0]?.reason).toMatch(/its source is gone|may have accepted and billed it/);
    expect(requests(rig, UPLOAD)).toBe(1);
  });

  test('is forgotten when a person says so', async ({ expect }) => {
    await using rig = await office({
      time: 'real',
      files: { 'in/a.docx': wordFile('Forget') },
      sandbox: slow,
    });
    const daemon = await rig.daemon();
    await until(() => requests(rig, UPLOAD) > 0);
    rig.remove('in/a.docx');
    await daemon.logged((line) => line.kind === 'job-held');
    await daemon.stop();
    expect((await rig.run('resolve', 'out/de/a.docx', '--human')).code).toBe(0);
    expect(await rig.once()).toMatchObject({ code: 0, held: [], requests: 0 });
  });

  test('is held at the price of another purchase when it is back and nobody knows whether it was paid', async ({
    expect,
  }) => {
    const bytes = wordFile('In doubt');
    await using rig = await office({
      files: { 'in/a.docx': bytes },
      faults: [{ kind: 'no_answer', operation: UPLOAD, times: 1 }],
    });
    const priced = { next_step: expect.stringContaining('buys it again for 50,000') };
    expect(await rig.once()).toMatchObject({ code: 2 });
    const attention = async () => JSON.parse((await rig.run('status', '--json')).stdout).attention;
    expect(await attention()).toMatchObject([priced]);
    rig.remove('in/a.docx');
    expect(await rig.once()).toMatchObject({ code: 2 });
    expect(await attention()).toMatchObject([{ next_step: expect.stringContaining('forgets it') }]);
    rig.write('in/a.docx', bytes);
    expect(await rig.once()).toMatchObject({ code: 2 });
    expect(await attention()).toMatchObject([priced]);
    expect(requests(rig, UPLOAD)).toBe(1);
  });

  test('is not listed when its content was delivered under another name', async ({ expect }) => {
    const bytes = wordFile('Elsewhere');
    await using rig = await office({
      time: 'real',
      files: { 'in/a.docx': bytes },
      sandbox: slow,
    });
    const daemon = await rig.daemon();
    await until(() => requests(rig, UPLOAD) > 0);
    rig.remove('in/a.docx');
    await daemon.logged((line) => line.kind === 'job-held');
    await daemon.stop();
    rig.write('in/other/b.docx', bytes);
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 1, held: [], requests: 0 });
    expect(rig.exists('out/de/other/b.docx')).toBe(true);
  });
});

describe.concurrent('what changes around a document on its way', () => {
  test('its source moves: the translation goes with it, and is bought once', async ({ expect }) => {
    await using rig = await office({
      time: 'real',
      files: { 'in/a.docx': wordFile('Moving') },
      sandbox: slow,
    });
    const daemon = await rig.daemon();
    await until(() => requests(rig, UPLOAD) > 0);
    rig.write('in/sub/b.docx', readFileSync(rig.path('in/a.docx')));
    rig.remove('in/a.docx');
    await until(() => rig.exists('out/de/sub/b.docx'));
    await daemon.stop();
    expect(await rig.once()).toMatchObject({ code: 0, held: [], requests: 0 });
    expect(billed(rig)).toBe(MINIMUM);
  });

  test('its source moves and changes then: both versions are fetched, the newer one is delivered', async ({
    expect,
  }) => {
    const first = wordFile('Moving on');
    await using rig = await office({
      time: 'real',
      files: { 'in/a.docx': first },
      sandbox: slow,
    });
    const daemon = await rig.daemon();
    await until(() => requests(rig, UPLOAD) > 0);
    rig.write('in/b.docx', first);
    rig.remove('in/a.docx');
    await daemon.logged((line) => line.kind === 'source-moved');
    const looks = requests(rig, STATUS);
    await until(() => requests(rig, STATUS) > looks);
    rig.write('in/b.docx', wordFile('Changed too'));
    await until(() => requests(rig, RESULT) === 2 && rig.exists('out/de/b.docx'));
    await daemon.stop();
    rig.write('in/b.docx', first);
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 1, requests: 0 });
  });

  test('its source changes and moves then: what was paid for the older content is fetched and booked', async ({
    expect,
  }) => {
    await using rig = await office({
      time: 'real',
      files: { 'in/a.docx': wordFile('Before the change') },
      sandbox: slow,
    });
    const daemon = await rig.daemonApart();
    await until(() => requests(rig, UPLOAD) > 0);
    const second = wordFile('After the change');
    rig.write('in/a.docx', second);
    await until(() => requests(rig, UPLOAD) === 2);
    rig.write('in/b.docx', second);
    rig.remove('in/a.docx');
    await daemon.logged((line) => line.kind === 'source-moved');
    await daemon.stop('SIGKILL');
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
    expect(requests(rig, RESULT)).toBe(2);
    expect(await wrongBooks(rig)).toBeUndefined();
  });

  test('its source changes to what cannot be read: what was paid for the older content is fetched and booked', async ({
    expect,
  }) => {
    await using rig = await office({
      time: 'real',
      files: { 'in/a.docx': wordFile('Before the damage') },
      sandbox: slow,
    });
    const daemon = await rig.daemonApart();
    // Killed before the answer to the upload is recorded, the upload would be in doubt.
    await until(() => requests(rig, STATUS) > 0);
    await daemon.stop('SIGKILL');
    rig.write('in/a.docx', 'no Office file');
    expect(await rig.once()).toMatchObject({ code: 1, delivered: 0 });
    expect(requests(rig, RESULT)).toBe(1);
    expect(await wrongBooks(rig)).toBeUndefined();
  });

  test('its language leaves the config: the translation is fetched and kept', async ({
    expect,
  }) => {
    await using rig = await office({
      time: 'real',
      files: { 'in/a.docx': wordFile('Less') },
      targets: 'de, fr',
      sandbox: slow,
    });
    const daemon = await rig.daemon();
    await until(() => requests(rig, UPLOAD) === 2);
    await daemon.stop();
    rig.write('dragoman.yaml', rig.read('dragoman.yaml').replace('[de, fr]', '[de]'));
    const run = await rig.once();
    expect(run).toMatchObject({ code: 2, delivered: 1 });
    expect(run.held[0]?.reason).toContain('its language or route was removed from the config');
    expect(requests(rig, RESULT)).toBe(2);
    expect(rig.exists('out/fr/a.docx')).toBe(false);
    rig.write('dragoman.yaml', rig.read('dragoman.yaml').replace('[de]', '[de, fr]'));
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 1, requests: 0 });
  });

  test('its language leaves the config, and a person forgets its translation', async ({
    expect,
  }) => {
    await using rig = await office({
      time: 'real',
      files: { 'in/a.docx': wordFile('Forget it') },
      targets: 'de, fr',
      sandbox: slow,
    });
    const daemon = await rig.daemon();
    await until(() => requests(rig, UPLOAD) === 2);
    await daemon.stop();
    rig.write('dragoman.yaml', rig.read('dragoman.yaml').replace('[de, fr]', '[de]'));
    expect(await rig.once()).toMatchObject({ code: 2, delivered: 1, held: [{}] });
    expect((await rig.run('resolve', 'out/fr/a.docx', '--human')).code).toBe(0);
    expect(await rig.once()).toMatchObject({ code: 0, held: [], requests: 0 });
  });

  test('a budget counts both contents of a source that changed on its way', async ({ expect }) => {
    await using rig = await office({
      time: 'real',
      files: { 'in/a.docx': wordFile('First') },
      project: 'budget: { month: 140000 }',
      sandbox: slow,
    });
    const daemon = await rig.daemon();
    await until(() => requests(rig, UPLOAD) > 0);
    rig.write('in/a.docx', wordFile('Second'));
    await until(() => requests(rig, UPLOAD) > 1);
    rig.write('in/a.docx', wordFile('Third'));
    await daemon.logged((line) => line.kind === 'job-held');
    await daemon.stop();
    expect(requests(rig, UPLOAD)).toBe(2);
  });
});

describe('a download that breaks off', () => {
  const cut = (times: number): SimulatedFault => ({
    kind: 'cut_body',
    bytes: 100,
    operation: RESULT,
    times,
  });
  const kept = (times: number): SimulatedFault => ({
    kind: 'keep_result',
    operation: RESULT,
    times,
  });

  test('is asked for again where the service still has it', async ({ expect }) => {
    await using rig = await office({
      files: { 'in/a.docx': wordFile('Cut twice') },
      faults: [cut(2), kept(2)],
    });
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
    expect(requests(rig, RESULT)).toBe(3);
    expect(billed(rig)).toBe(MINIMUM);
  });

  test('again and again fails with what to do, and costs nothing when it is tried later', async ({
    expect,
  }) => {
    await using rig = await office({
      files: { 'in/a.docx': wordFile('Always cut') },
      faults: [cut(5), kept(5)],
    });
    const run = await rig.once();
    expect(run).toMatchObject({ code: 69, delivered: 0 });
    expect(run.failed[0]?.reason).toContain('the service still has it');
    await rig.run('retry', '--all', '--yes');
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 1, billed_characters: 0 });
    expect(requests(rig, UPLOAD)).toBe(1);
  });

  test('that is not given out yet though it is done is asked for again in time, and booked once', async ({
    expect,
  }) => {
    await using rig = await office({
      files: { 'in/a.docx': wordFile('Early'), 'in/b.docx': wordFile('Late') },
      project: 'budget: { month: 120000 }',
      faults: [
        { kind: 'status', status: 503, retry_after: 2, operation: RESULT, times: 1 },
        { kind: 'status', status: 503, operation: RESULT, times: 2 },
      ],
    });
    const run = await rig.once();
    expect(run).toMatchObject({ code: 0, delivered: 2, billed_characters: 2 * MINIMUM });
    expect(requests(rig, RESULT)).toBe(5);
    const asked = rig.sandbox.log().filter(({ operation }) => operation === RESULT);
    const [refused, again] = asked
      .filter(({ path }) => path === asked.find(({ faults = [] }) => faults.length > 0)?.path)
      .map(({ at }) => Date.parse(at));
    expect((again ?? 0) - (refused ?? 0)).toBeGreaterThanOrEqual(2000);
  });
});

describe('a source that is deleted after its purchase went wrong', () => {
  const CASES: readonly (readonly [string, SimulatedFault, string])[] = [
    ['lost', { kind: 'cut_body', bytes: 5, operation: RESULT, times: 'always' }, 'was lost'],
    [
      'in doubt',
      { kind: 'no_answer', operation: UPLOAD, times: 'always' },
      'may have accepted and billed it',
    ],
    ['unknown', { kind: 'lost_job', operation: STATUS, times: 1 }, 'does not know the document'],
  ];
  test.for(CASES)(
    'is reported while it is %s, and retry forgets it',
    async ([, fault, reason], { expect }) => {
      await using rig = await office({
        files: { 'in/a.docx': wordFile('Gone') },
        faults: [fault],
      });
      expect((await rig.once()).held[0]?.reason).toContain(reason);
      rig.remove('in/a.docx');
      const gone = await rig.once();
      expect(gone).toMatchObject({ code: 2, requests: 0 });
      expect(gone.held[0]?.reason).toContain(reason);
      const { stdout } = await rig.run('status');
      expect(stdout).toContain('forgets it');
      expect((await rig.run('retry', '--all', '--yes')).code).toBe(0);
      expect(await rig.once()).toMatchObject({ code: 0, held: [], requests: 0 });
      expect(await wrongBooks(rig)).toBeUndefined();
    },
  );
});
