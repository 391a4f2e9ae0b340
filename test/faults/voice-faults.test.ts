/** Voice jobs of a service that loses, refuses, breaks off and says strange things. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import type { FaultEffect, SimulatedFault } from '../../src/sandbox/fault.ts';
import {
  CREATE,
  DOWNLOAD,
  POLL,
  Studio,
  type StudioOptions,
  silence,
  UPLOAD,
} from '../lanes/voice/voice-rig.ts';

const always = 'always' as const;

async function studioWith(faults: readonly SimulatedFault[], options: Partial<StudioOptions> = {}) {
  const { sandbox, ...rest } = options;
  return await Studio.open({
    files: { 'in/a.wav': silence(8) },
    sandbox: { faults, ...sandbox },
    ...rest,
  });
}

const SRT = '{ subtitles: "out/{locale}/{dir}/{name}.srt" }';

describe('a voice job', () => {
  test('whose answer 204 to the upload was lost is looked up, and not uploaded again', async ({
    expect,
  }) => {
    await using studio = await studioWith([{ kind: 'no_answer', operation: UPLOAD }], { to: SRT });
    expect(await studio.once()).toMatchObject({ code: 0, delivered: 1 });
    expect(studio.answered(CREATE, 201)).toBe(1);
    expect(studio.bookedSeconds()).toBe(8);
    expect(studio.rig.exists('out/de/a.srt')).toBe(true);
  });

  test('whose upload signature is refused once uploads again by the same job', async ({
    expect,
  }) => {
    const faults: SimulatedFault[] = [{ kind: 'expired_signature', operation: UPLOAD }];
    await using studio = await studioWith(faults, { to: SRT });
    expect(await studio.once()).toMatchObject({ code: 0, delivered: 1 });
    expect(studio.answered(UPLOAD, 204)).toBe(1);
    expect(studio.bookedSeconds()).toBe(8);
  });

  test('whose upload is refused every time is held with the status, and costs nothing', async ({
    expect,
  }) => {
    const faults: SimulatedFault[] = [
      { kind: 'expired_signature', operation: UPLOAD, times: always },
    ];
    await using studio = await studioWith(faults, { to: SRT });
    const run = await studio.once();
    expect(run).toMatchObject({ code: 2, delivered: 0 });
    expect(run.held[0]?.reason).toMatch(/refused the recording 3 times/);
    expect(studio.bookedSeconds()).toBe(0);
    studio.rig.sandbox.faults.clear();
    await studio.run('retry', '--all', '--yes');
    expect(await studio.once()).toMatchObject({ code: 0, delivered: 1 });
  });

  test('whose upload was refused every time is sent again with another header, and not before', async ({
    expect,
  }) => {
    const faults: SimulatedFault[] = [
      { kind: 'expired_signature', operation: UPLOAD, times: always },
    ];
    await using studio = await studioWith(faults, {
      to: SRT,
      service: '  headers: { x-tenant: one }',
    });
    expect(await studio.once()).toMatchObject({ code: 2, delivered: 0 });
    studio.rig.sandbox.faults.clear();
    expect(await studio.once()).toMatchObject({ code: 2, requests: 0 });
    const { rig } = studio;
    rig.write('dragoman.yaml', rig.read('dragoman.yaml').replace('tenant: one', 'tenant: two'));
    expect(await studio.once()).toMatchObject({ code: 0, delivered: 1 });
    expect(studio.bookedSeconds()).toBe(8);
  });

  test('whose result is cut is fetched once more', async ({ expect }) => {
    const faults: SimulatedFault[] = [{ kind: 'cut_body', bytes: 5, operation: DOWNLOAD }];
    await using studio = await studioWith(faults);
    expect(await studio.once()).toMatchObject({ code: 0, delivered: 1, held: [] });
    expect(studio.answered(UPLOAD, 204)).toBe(1);
  });

  test('whose result is cut every time is held with its price', async ({ expect }) => {
    const faults: SimulatedFault[] = [
      { kind: 'cut_body', bytes: 5, operation: DOWNLOAD, times: 2 },
    ];
    await using studio = await studioWith(faults, { to: SRT });
    const run = await studio.once();
    expect(run).toMatchObject({ code: 2, delivered: 0 });
    expect(run.held).toMatchObject([
      {
        reason: expect.stringMatching(/it was paid, but the result was lost/),
        next_step: expect.stringMatching(/retry .* for 0.2 minutes of audio/),
      },
    ]);
    expect(await studio.once()).toMatchObject({ code: 2, requests: 0 });
    const asked = await studio.run('retry', '--all');
    expect(asked).toMatchObject({ code: 2, stdout: expect.stringMatching(/8 seconds of audio/) });
    await studio.run('retry', '--all', '--yes');
    expect(await studio.once()).toMatchObject({ code: 0, delivered: 1 });
    expect(studio.bookedSeconds()).toBe(16);
  });

  test('whose result is lost is created again without asking when the config says so, but only once', async ({
    expect,
  }) => {
    const faults: SimulatedFault[] = [
      { kind: 'expired_signature', operation: DOWNLOAD, times: always },
    ];
    const route = ', voice: { recreate_on_loss: true }';
    await using studio = await studioWith(faults, { to: SRT, route });
    const run = await studio.once();
    expect(run).toMatchObject({ code: 2, delivered: 0 });
    expect(studio.answered(UPLOAD, 204)).toBe(2);
    expect(studio.bookedSeconds()).toBe(16);
  });

  test('that the service has forgotten holds its missing results, and buys them again only when a person says so', async ({
    expect,
  }) => {
    await using studio = await studioWith([{ kind: 'lost_job' }], { to: SRT });
    const run = await studio.once();
    expect(run.held[0]?.reason).toMatch(/does not know the job any more/);
    expect(studio.answered(CREATE, 201)).toBe(1);
  });

  test('with one failed target keeps its message and delivers the others', async ({ expect }) => {
    const faults: SimulatedFault[] = [
      { kind: 'failed_job', message: 'too noisy', target_lang: 'es' },
    ];
    await using studio = await studioWith(faults, { to: SRT, targets: 'de, es' });
    const run = await studio.once();
    expect(run).toMatchObject({ code: 2, delivered: 1, held: [{ language: 'es' }] });
    expect(run.held).toMatchObject([
      {
        reason: 'no subtitles: too noisy',
        next_step: 'dragoman retry out/es/a.srt (buys it again for 0.2 minutes of audio)',
        price_seconds: 8,
      },
    ]);
    expect(studio.rig.exists('out/de/a.srt')).toBe(true);
    await studio.run('retry', '--all', '--yes');
    expect(await studio.once()).toMatchObject({ code: 0, delivered: 1 });
    expect(studio.answered(CREATE, 201)).toBe(2);
  });

  test('that is lost in every language is bought again with one upload, at the price of one', async ({
    expect,
  }) => {
    const targets = 'de, es, fr';
    await using studio = await studioWith([{ kind: 'lost_job' }], { to: SRT, targets });
    expect((await studio.once()).held).toHaveLength(3);
    const asked = await studio.run('retry', '--all');
    expect(asked.stdout).toMatch(/, up to 8 seconds of audio/);
    await studio.run('retry', '--all', '--yes');
    expect(await studio.once()).toMatchObject({ code: 0, delivered: 3 });
    expect(studio.bookedSeconds()).toBe(16);
  });

  test('in an unknown state is polled until its state is known', async ({ expect }) => {
    const faults: SimulatedFault[] = [{ kind: 'unknown_state', state: 'pondering', times: 2 }];
    await using studio = await studioWith(faults, { to: SRT });
    expect(await studio.once()).toMatchObject({ code: 0, delivered: 1 });
    expect(studio.answered(POLL, 200)).toBeGreaterThanOrEqual(3);
  });

  test('with fewer results than targets downloads nothing, and is polled until all are listed', async ({
    expect,
  }) => {
    await using studio = await studioWith([{ kind: 'out_of_step', times: 3 }], { to: SRT });
    expect(await studio.once()).toMatchObject({ code: 0, delivered: 1, held: [], failed: [] });
    const ofVoice = new Set([CREATE, UPLOAD, POLL, DOWNLOAD]);
    const operations = studio.rig.sandbox
      .log()
      .map(({ operation }) => operation)
      .filter((operation) => ofVoice.has(operation));
    expect(operations.slice(0, operations.indexOf(DOWNLOAD))).toEqual([
      CREATE,
      UPLOAD,
      ...Array.from({ length: 4 }, () => POLL),
    ]);
    expect(studio.bookedSeconds()).toBe(8);
  });

  test('whose upload the service answers with errors is asked for, and sent again', async ({
    expect,
  }) => {
    const faults: SimulatedFault[] = [{ kind: 'status', status: 500, operation: UPLOAD, times: 5 }];
    await using studio = await studioWith(faults, { to: SRT });
    expect(await studio.once()).toMatchObject({ code: 0, delivered: 1, failed: [] });
    expect(studio.answered(CREATE, 201)).toBe(1);
    expect(studio.bookedSeconds()).toBe(8);
  });

  test('is polled again when a poll fails or its answer is lost: polls are free, and the results are paid', async ({
    expect,
  }) => {
    const faults: SimulatedFault[] = [
      { kind: 'status', status: 500, operation: POLL, times: 6 },
      { kind: 'no_answer', operation: POLL, times: 6 },
    ];
    await using studio = await studioWith(faults, { to: SRT });
    expect(await studio.once()).toMatchObject({ code: 0, delivered: 1, held: [], failed: [] });
    expect(studio.answered(UPLOAD, 204)).toBe(1);
  });

  test.for([429, 503])(
    'whose upload is only answered with %d ends a run with 69 in two minutes, for all languages, and goes on by itself in later runs',
    async (status, { expect }) => {
      const fault = { kind: 'status', status, operation: UPLOAD, times: always } as const;
      await using studio = await studioWith([fault], { to: SRT, targets: 'de, es, fr' });
      for (let run = 0; run < 4; run += 1) {
        const began = studio.now();
        expect(await studio.once()).toMatchObject({ code: 69, delivered: 0, held: [] });
        expect(studio.now() - began).toBeLessThan(4 * 60_000);
        studio.pass(1);
      }
      studio.rig.sandbox.faults.clear();
      expect(await studio.once()).toMatchObject({ code: 0, delivered: 3, held: [], failed: [] });
      expect([studio.answered(UPLOAD, 204), studio.bookedSeconds()]).toEqual([1, 8]);
    },
  );

  test.for<FaultEffect>([
    { kind: 'status', status: 500 },
    { kind: 'status', status: 200, format: 'html' },
    { kind: 'status', status: 200 },
    { kind: 'no_answer', how: 'reset' },
    { kind: 'status', status: 400 },
    { kind: 'status', status: 403 },
    { kind: 'status', status: 409 },
    { kind: 'status', status: 413 },
  ])(
    'ends a run with 69 when the service only answers %o to the question for its results, and the next run gets them for nothing',
    async (effect, { expect }) => {
      const fault = { ...effect, operation: POLL, times: always };
      await using studio = await studioWith([fault], { to: SRT, targets: 'de, es, fr' });
      const began = studio.now();
      const run = await studio.once();
      expect(run).toMatchObject({ code: 69, delivered: 0, held: [] });
      expect(studio.now() - began).toBeLessThan(5 * 60_000);
      expect(run.failed[0]?.reason).toMatch(/results of the recording do not come .*costs nothing/);
      studio.rig.sandbox.faults.clear();
      expect(await studio.once()).toMatchObject({ code: 0, delivered: 3, held: [], failed: [] });
      expect([studio.answered(UPLOAD, 204), studio.bookedSeconds()]).toEqual([1, 8]);
    },
  );

  test.for([CREATE, POLL, DOWNLOAD])(
    'ends a run with 69 when the service only asks to wait at %s, and the next run pays once',
    async (operation, { expect }) => {
      const fault = { kind: 'status', status: 429, operation, times: always } as const;
      await using studio = await studioWith([fault], { to: SRT });
      expect(await studio.once()).toMatchObject({ code: 69, delivered: 0, held: [] });
      studio.rig.sandbox.faults.clear();
      expect(await studio.once()).toMatchObject({ code: 0, delivered: 1, held: [], failed: [] });
      expect([studio.answered(UPLOAD, 204), studio.bookedSeconds()]).toEqual([1, 8]);
    },
  );

  test.for([413, 500])(
    'ends a run with 69 when the service only answers %d to the request for a result, and the next run gets it for nothing',
    async (status, { expect }) => {
      const fault = { kind: 'status', status, operation: DOWNLOAD, times: always } as const;
      await using studio = await studioWith([fault], { to: SRT });
      expect(await studio.once()).toMatchObject({ code: 69, delivered: 0, held: [] });
      studio.rig.sandbox.faults.clear();
      expect(await studio.once()).toMatchObject({ code: 0, delivered: 1, held: [], failed: [] });
      expect([studio.answered(UPLOAD, 204), studio.bookedSeconds()]).toEqual([1, 8]);
    },
  );

  test.for(['html', 'json'] as const)(
    'delivers nothing while %s comes in place of its results, and the next run gets them for nothing',
    async (format, { expect }) => {
      const fault = {
        kind: 'status',
        status: 200,
        format,
        operation: DOWNLOAD,
        times: always,
      } as const;
      await using studio = await studioWith([fault]);
      const run = await studio.once();
      expect(run).toMatchObject({ code: 69, delivered: 0, held: [] });
      expect(run.failed[0]?.reason).toMatch(/a web page or JSON came in place of the result/);
      expect(studio.rig.exists('out')).toBe(false);
      studio.rig.sandbox.faults.clear();
      expect(await studio.once()).toMatchObject({ code: 0, delivered: 1, held: [], failed: [] });
      expect([studio.answered(UPLOAD, 204), studio.bookedSeconds()]).toEqual([1, 8]);
    },
  );

  test('whose result the service cannot hand out yet is fetched later', async ({ expect }) => {
    const faults: SimulatedFault[] = [
      { kind: 'status', status: 500, operation: DOWNLOAD, times: 6 },
    ];
    await using studio = await studioWith(faults, { to: SRT });
    expect(await studio.once()).toMatchObject({ code: 0, delivered: 1, held: [], failed: [] });
    expect(studio.answered(UPLOAD, 204)).toBe(1);
  });

  test('of a deployment with other states is completed as well', async ({ expect }) => {
    await using studio = await studioWith([], {
      sandbox: { dialect: 'deployed' },
      service: '  dialect: deployed',
    });
    expect(await studio.once()).toMatchObject({ code: 0, delivered: 1 });
    expect(await studio.once()).toMatchObject({ code: 0, requests: 0 });
  });

  test('that was uploaded before a night without power is held as lost', async ({ expect }) => {
    await using studio = await studioWith([], { to: SRT });
    expect(await studio.die('after uploaded')).toBe('SIGKILL');
    studio.pass(9);
    const run = await studio.once();
    expect(run).toMatchObject({ code: 2, delivered: 0 });
    expect(run.held[0]?.reason).toMatch(/it was paid, but the result was lost/);
    expect(studio.answered(UPLOAD, 204)).toBe(1);
  });

  test('whose upload window closed during a crash is replaced by another one, and paid once', async ({
    expect,
  }) => {
    await using studio = await studioWith([], { to: SRT });
    expect(await studio.die('after created')).toBe('SIGKILL');
    studio.pass(1);
    expect(await studio.once()).toMatchObject({ code: 0, delivered: 1 });
    expect(studio.answered(CREATE, 201)).toBe(2);
    expect(studio.bookedSeconds()).toBe(8);
  });

  test('never shows the key to the asset host, nor a signature to a log', async ({ expect }) => {
    const faults: SimulatedFault[] = [
      { kind: 'expired_signature', operation: DOWNLOAD, times: always },
    ];
    await using studio = await studioWith(faults, { to: SRT });
    expect(await studio.die('after created')).toBe('SIGKILL');
    const journals = journalsOf(studio.rig.path('.dragoman'));
    const secret = journals.map((file) => studio.rig.read(file)).join('');
    const [, signature = ''] = /"signature":"([^"]{20,})"/.exec(secret) ?? [];
    expect(signature).not.toBe('');
    for (const file of journals) expect(statSync(studio.rig.path(file)).mode & 0o077).toBe(0);
    const { stdout, stderr, held } = { stdout: '', ...(await studio.once('--verbose')) };
    expect(`${stdout}${stderr}${JSON.stringify(held)}`).not.toContain(signature);
    expect(studio.rig.sandbox.counters().violations).toEqual([]);
  });
});

function journalsOf(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith('journal'))
    .map((name) => join('.dragoman', name));
}
