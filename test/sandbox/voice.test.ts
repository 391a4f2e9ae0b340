import { describe, expect, it } from 'vitest';
import { type SandboxOptions, startSandbox } from '../../src/sandbox/server.ts';
import { corpusFile, corpusFiles, corpusMissing, WHERE_CORPUS_IS } from '../corpus.ts';
import { authorization } from './document-calls.ts';
import {
  create,
  fetchResult,
  jobOf,
  put,
  type Result,
  SPEECH,
  settled,
  show,
  silence,
  ticketFor,
} from './voice-calls.ts';

const DAY_MS = 86_400_000;
/** In a time that runs so fast, the windows of the service would be over before a busy machine has sent anything. */
const start = ({ limits, ...options }: SandboxOptions = {}) =>
  startSandbox({
    timeScale: 500,
    limits: { voice_upload_window: DAY_MS, voice_download_window: DAY_MS, ...limits },
    ...options,
  });
const recording = silence(8000);
const targets = [
  { language: 'de', type: 'text/plain' },
  { language: 'es', type: 'application/x-subrip' },
  { language: 'en-GB', type: SPEECH },
];

function movedClock() {
  let now = Date.UTC(2026, 0, 1);
  return { clock: { now: () => now, sleep: async () => {} }, move: (ms: number) => (now += ms) };
}

describe('a voice job', () => {
  it('gives each target its own result: a transcript, subtitles with the times of the recording, speech', async () => {
    await using sandbox = await start();
    const ticket = await ticketFor(sandbox, recording.length, { targets });
    expect((await put(ticket, recording)).status).toBe(204);
    const { results, usage } = await settled(sandbox, ticket.job_id);
    const [text, subtitles, speech] = await Promise.all(results.map(fetchResult));
    expect(await text?.text()).toMatch(/^\[de Ẇḗŀƈǿḿḗ ŧǿ.*\]\n\[de Ŧǿḓȧẏ/);
    expect(await subtitles?.text()).toMatch(
      /^1\n00:00:00,000 --> 00:00:03,600\n\[es .*\n\n2\n00:00:04,000 --> 00:00:07,600\n/,
    );
    const samples = Buffer.from((await speech?.arrayBuffer()) ?? new ArrayBuffer());
    expect(samples.length / 32).toBeGreaterThan(6000);
    expect(samples.some((byte) => byte !== 0)).toBe(true);
    expect(usage.storage_used).toBeGreaterThan(recording.length);
  });

  it('says the same about the same recording', async () => {
    await using sandbox = await start();
    const heard = async () => {
      const ticket = await ticketFor(sandbox, recording.length);
      await put(ticket, recording);
      const { results } = await settled(sandbox, ticket.job_id);
      return (await fetchResult(results[0] as Result)).text();
    };
    expect(await heard()).toBe(await heard());
  });

  it('takes one recording, also when two arrive at the same time', async () => {
    await using sandbox = await start();
    const ticket = await ticketFor(sandbox, recording.length);
    const answers = await Promise.all([put(ticket, recording), put(ticket, recording)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
  });

  it('counts minutes, and no characters', async () => {
    await using sandbox = await start();
    const ticket = await ticketFor(sandbox, recording.length);
    await put(ticket, recording);
    expect(sandbox.counters().billed_characters).toBe(0);
  });

  it('passes through the states of the document, and through two more when deployed', async () => {
    for (const [dialect, states] of [
      ['document', ['processing', 'processing', 'processing', 'complete', 'downloaded']],
      ['deployed', ['pending', 'uploaded', 'processing', 'complete', 'downloaded']],
    ] as const) {
      const { clock, move } = movedClock();
      await using sandbox = await startSandbox({ clock, dialect });
      const two = [targets[0], targets[0]];
      const ticket = await ticketFor(sandbox, recording.length, { targets: two });
      const seen: string[] = [];
      const look = async () =>
        seen.push((await jobOf(sandbox, ticket.job_id)).results[0]?.status ?? '');
      await look();
      await put(ticket, recording);
      await look();
      move(1000);
      await look();
      move(10_000);
      const { results } = await settled(sandbox, ticket.job_id);
      await look();
      await (await fetchResult(results[0] as Result)).arrayBuffer();
      await expect
        .poll(async () => (await jobOf(sandbox, ticket.job_id)).results[0]?.status)
        .toBe('downloaded');
      await look();
      expect(seen).toEqual(states);
    }
  });

  it('gives each result to one of those who ask at the same time', async () => {
    await using sandbox = await start();
    const ticket = await ticketFor(sandbox, recording.length);
    await put(ticket, recording);
    const { results } = await settled(sandbox, ticket.job_id);
    const [result] = results as [Result];
    const answers = await Promise.all([1, 2, 3].map(() => fetchResult(result)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    await Promise.all(answers.map((answer) => answer.arrayBuffer()));
  });

  it('is forgotten when deployed and all its results are fetched', async () => {
    await using sandbox = await start({ dialect: 'deployed' });
    const ticket = await ticketFor(sandbox, recording.length);
    await put(ticket, recording);
    const { results } = await settled(sandbox, ticket.job_id);
    await (await fetchResult(results[0] as Result)).arrayBuffer();
    await expect.poll(async () => (await show(sandbox, ticket.job_id)).status).toBe(404);
  });

  it('fails the target that cannot be made, and only that', async () => {
    await using sandbox = await start();
    const mixed = [{ language: 'de', type: 'audio/opus' }, targets[0]];
    const ticket = await ticketFor(sandbox, recording.length, { targets: mixed });
    await put(ticket, recording);
    const { results } = await settled(sandbox, ticket.job_id);
    expect(results).toMatchObject([
      { status: 'failed', error: { message: expect.stringMatching(/audio\/opus/) } },
      { status: 'complete' },
    ]);
  });

  it.each([
    ['that is no recording', Buffer.from('hello'), {}, /no recording/],
    ['that is too long', silence(8000), { voice_seconds: 5 }, /longer than 5 seconds/],
  ])('of a file %s fails with a message', async (_, content, limits, message) => {
    await using sandbox = await start({ limits });
    const ticket = await ticketFor(sandbox, content.length);
    await put(ticket, content);
    const { results } = await settled(sandbox, ticket.job_id);
    expect(results[0]?.error?.message).toMatch(message);
  });
});

describe('making a job', () => {
  it.each([
    ['no targets', { targets: [] }, 400, /targets/],
    [
      'an unknown language',
      { targets: [{ language: 'xx', type: 'text/plain' }] },
      400,
      /targets\.language/,
    ],
    [
      'a target that is no type',
      { targets: [{ language: 'de', type: 'srt' }] },
      400,
      /targets\.0\.type/,
    ],
    [
      'a source that is no audio',
      { source_file: { name: 'a', content_type: 'text/plain', content_length: 1 } },
      400,
      /content_type/,
    ],
    [
      'a file above the limit',
      { source_file: { name: 'a', content_type: 'audio/wav', content_length: 2 ** 31 } },
      413,
      /at most/,
    ],
  ])('with %s is refused', async (_, changes, status, message) => {
    await using sandbox = await start();
    const response = await create(sandbox, 100, changes);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ message: expect.stringMatching(message) });
  });

  it('is refused while too many jobs run, and to accounts without voice', async () => {
    await using sandbox = await start({ limits: { voice_jobs: 1 }, timeScale: 1 });
    expect((await create(sandbox, 100)).status).toBe(201);
    expect((await create(sandbox, 100)).status).toBe(429);
    expect((await create({ ...sandbox, key: 'sandbox-no-voice' }, 100)).status).toBe(403);
  });
});

describe('the asset host', () => {
  it('refuses the API key, and counts that it was sent', async () => {
    await using sandbox = await start();
    const ticket = await ticketFor(sandbox, recording.length);
    expect((await put(ticket, recording, authorization(sandbox))).status).toBe(401);
    expect(sandbox.counters().violations).toMatchObject([
      { message: expect.stringMatching(/API key/) },
    ]);
  });

  it('takes a signature for its own target only', async () => {
    await using sandbox = await start();
    const ticket = await ticketFor(sandbox, recording.length, { targets: targets.slice(0, 2) });
    await put(ticket, recording);
    const [first, second] = (await settled(sandbox, ticket.job_id)).results;
    expect((await fetchResult({ ...first, signature: ticket.signature } as Result)).status).toBe(
      403,
    );
    expect((await fetchResult({ ...first, signature: second?.signature } as Result)).status).toBe(
      403,
    );
    expect((await fetchResult(first as Result)).status).toBe(200);
  });

  it('takes signed addresses without any header', async () => {
    await using sandbox = await start();
    const ticket = await ticketFor(sandbox, recording.length);
    const body = new Uint8Array(recording);
    expect((await fetch(ticket.upload_url, { method: 'PUT', body })).status).toBe(401);
    expect((await fetch(ticket.signed_upload_url ?? '', { method: 'PUT', body })).status).toBe(204);
    await settled(sandbox, ticket.job_id);
    const signed = await (await show(sandbox, ticket.job_id, '?include=signed_url')).json();
    const { results } = signed as { results: Result[] };
    expect((await fetch(results[0]?.signed_download_url ?? '')).status).toBe(200);
  });

  it('takes a recording of the announced length and type only, and only once', async () => {
    await using sandbox = await start();
    const ticket = await ticketFor(sandbox, recording.length);
    expect((await put(ticket, recording.subarray(1))).status).toBe(400);
    expect((await put(ticket, recording, { 'content-type': 'audio/wav' })).status).toBe(415);
    expect((await put(ticket, recording)).status).toBe(204);
    expect((await put(ticket, recording)).status).toBe(409);
  });

  it('closes the windows: 5 minutes for the upload, an hour for results', async () => {
    const { clock, move } = movedClock();
    await using sandbox = await startSandbox({ clock });
    const late = await ticketFor(sandbox, recording.length);
    move(5 * 60_000);
    expect((await put(late, recording)).status).toBe(403);
    const ticket = await ticketFor(sandbox, recording.length);
    await put(ticket, recording);
    move(59 * 60_000);
    const { results } = await settled(sandbox, ticket.job_id);
    move(2 * 60_000);
    expect((await fetchResult(results[0] as Result)).status).toBe(403);
  });
});

describe('a fault', () => {
  it('expires a signature, loses a 204 after the work, cuts a result that can be asked for again', async () => {
    await using sandbox = await start();
    const ticket = await ticketFor(sandbox, recording.length);
    sandbox.faults.add([{ kind: 'expired_signature' }]);
    expect((await put(ticket, recording)).status).toBe(403);
    sandbox.faults.add([{ kind: 'no_answer', operation: 'PUT /assets/{job_id}' }]);
    await expect(put(ticket, recording)).rejects.toThrow();
    const { results } = await settled(sandbox, ticket.job_id);
    sandbox.faults.add([{ kind: 'cut_body', bytes: 3 }]);
    await expect(
      fetchResult(results[0] as Result).then((answer) => answer.text()),
    ).rejects.toThrow();
    expect((await fetchResult(results[0] as Result)).status).toBe(200);
  });

  it('fails one target, names an unknown state, drops a result, loses the job', async () => {
    await using sandbox = await start();
    const ticket = await ticketFor(sandbox, recording.length, { targets });
    await put(ticket, recording);
    await settled(sandbox, ticket.job_id);
    sandbox.faults.add([{ kind: 'failed_job', message: 'no luck', target_lang: 'es' }]);
    expect((await jobOf(sandbox, ticket.job_id)).results).toMatchObject([
      { status: 'complete' },
      { status: 'failed', error: { message: 'no luck' } },
      { status: 'complete' },
    ]);
    sandbox.faults.add([{ kind: 'unknown_state', state: 'resting' }]);
    expect((await jobOf(sandbox, ticket.job_id)).results[0]?.status).toBe('resting');
    sandbox.faults.add([{ kind: 'out_of_step' }]);
    expect((await jobOf(sandbox, ticket.job_id)).results).toHaveLength(2);
    sandbox.faults.add([{ kind: 'lost_job' }]);
    expect((await show(sandbox, ticket.job_id)).status).toBe(404);
  });
});

describe.skipIf(corpusMissing)(`real recordings ${WHERE_CORPUS_IS}`, () => {
  it.each(corpusFiles('audio', /\.(wav|mp3|flac|ogg|opus|m4a|webm)$/))(
    '%s gets a transcript',
    async (name) => {
      await using sandbox = await start();
      const content = corpusFile('audio', name);
      const ticket = await ticketFor(sandbox, content.length);
      await put(ticket, content);
      const { results } = await settled(sandbox, ticket.job_id);
      expect(results[0]?.status).toBe('complete');
    },
  );
});
