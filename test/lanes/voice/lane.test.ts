/** The voice lane through the real binary against the sandbox: outputs, money, copies, people, unsuitable files. */

import { cpSync, readFileSync, renameSync } from 'node:fs';
import { describe, test } from 'vitest';
import { execFileSync } from '../../in-time.ts';
import { CREATE, DOWNLOAD, recording, Studio, silence, UPLOAD } from './voice-rig.ts';

const SRT = '{ subtitles: "out/{locale}/{dir}/{name}.srt" }';
const TXT = '{ transcript: "out/{locale}/{dir}/{name}.txt" }';

interface PlanJson {
  readonly jobs: readonly { language: string; estimated_seconds?: number; would_hold?: string }[];
}

describe('a recording', () => {
  test('becomes transcript, subtitles and speech in every language by one upload, as planned', async ({
    expect,
  }) => {
    await using studio = await Studio.open({
      files: { 'in/a.wav': silence(8) },
      targets: 'de, es',
    });
    const plan = await studio.json<PlanJson>('plan');
    expect(plan.jobs.map(({ estimated_seconds }) => estimated_seconds)).toEqual([8, 0]);
    expect(await studio.once()).toMatchObject({ code: 0, delivered: 2, billed_characters: 0 });
    expect(studio.answered(CREATE, 201)).toBe(1);
    expect(studio.answered(UPLOAD, 204)).toBe(1);
    const { rig } = studio;
    expect(rig.read('out/es/a.srt')).toMatch(/^1\n00:00:00,000 --> 00:00:03,600\n/);
    expect(rig.read('out/de/a.txt').trim().split('\n')).toHaveLength(2);
    const wav = readFileSync(rig.path('out/de/a.wav'));
    expect(wav.toString('latin1', 0, 4)).toBe('RIFF');
    expect(wav.readUInt32LE(4)).toBe(wav.byteLength - 8);
    expect(wav.readUInt32LE(40)).toBe(wav.byteLength - 44);
    expect(await studio.books()).toMatchObject({
      voice_seconds: 8,
      voice_storage_bytes: expect.closeTo(8 * 16_000 + wav.byteLength * 2, -6),
    });
    expect((await studio.run('explain', 'in/a.wav')).stdout).toMatch(/billed +8 seconds of audio/);
    expect(await studio.once()).toMatchObject({ code: 0, delivered: 0, requests: 0 });
  });

  test('a transcript without a word is not delivered when another result of the recording has words', async ({
    expect,
  }) => {
    await using studio = await Studio.open({
      files: { 'in/a.wav': silence(8) },
      to: `${TXT.slice(0, -1)}, ${SRT.slice(1)}`,
      targets: 'de',
      sandbox: { faults: [{ kind: 'empty', times: 'always' }] },
    });
    const run = await studio.once();
    expect(run).toMatchObject({ code: 2, delivered: 0 });
    expect(run.held[0]?.reason).toContain('no transcript: ');
    expect(run.held[0]?.reason).toContain('it is empty, and another result');
    expect(studio.rig.exists('out/de/a.txt')).toBe(false);
  });

  test('whose only result is a transcript without a word gets it, and that is reported', async ({
    expect,
  }) => {
    await using studio = await Studio.open({
      files: { 'in/a.wav': silence(8) },
      to: TXT,
      targets: 'de',
      sandbox: { faults: [{ kind: 'empty', times: 'always' }] },
    });
    const { code, stdout, stderr } = await studio.run('once');
    expect(code).toBe(0);
    expect(studio.rig.read('out/de/a.txt').trim()).toBe('');
    expect(stdout + stderr).toMatch(/^doubt {3}in\/a\.wav -> de: out\/de\/a\.txt has no words/m);
  });

  test('that is renamed or copied is not transcribed again', async ({ expect }) => {
    await using studio = await Studio.open({ files: { 'in/a.wav': silence(8) }, to: SRT });
    await studio.once();
    const { rig } = studio;
    renameSync(rig.path('in/a.wav'), rig.path('in/b.wav'));
    expect(await studio.once()).toMatchObject({ code: 0, requests: 0 });
    expect([rig.exists('out/de/a.srt'), rig.exists('out/de/b.srt')]).toEqual([false, true]);
    cpSync(rig.path('in/b.wav'), rig.path('in/copy.wav'));
    expect(await studio.once()).toMatchObject({ code: 0, requests: 0, delivered: 1 });
    expect(rig.read('out/de/copy.srt')).toBe(rig.read('out/de/b.srt'));
    rig.remove('out/de/b.srt');
    expect(await studio.once()).toMatchObject({ code: 0, requests: 0, delivered: 1 });
    // Much later, the spool is empty: a result that was delivered elsewhere is used.
    rig.remove('.dragoman/voice');
    cpSync(rig.path('in/b.wav'), rig.path('in/late.wav'));
    expect(await studio.once()).toMatchObject({ code: 0, requests: 0, delivered: 1 });
    expect(rig.read('out/de/late.srt')).toBe(rig.read('out/de/b.srt'));
    expect(studio.answered(UPLOAD, 204)).toBe(1);
  });

  test('that exists twice is uploaded once', async ({ expect }) => {
    const files = { 'in/a.wav': silence(8), 'in/b.wav': silence(8) };
    await using studio = await Studio.open({ files, to: SRT });
    expect(await studio.once()).toMatchObject({ code: 0, delivered: 2 });
    expect(studio.answered(UPLOAD, 204)).toBe(1);
  });

  test('waits for one of the slots that the service has, so that no job is refused', async ({
    expect,
  }) => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const files = Object.fromEntries(names.map((name, at) => [`in/${name}.wav`, silence(2 + at)]));
    await using studio = await Studio.open({
      files,
      to: SRT,
      service: '  voice: { jobs: 2 }',
      sandbox: { limits: { voice_jobs: 2 } },
    });
    expect(await studio.once()).toMatchObject({ code: 0, delivered: 6 });
    expect(studio.answered(CREATE, 201)).toBe(6);
    expect(studio.answered(CREATE, 429)).toBe(0);
  });

  test('that was not sent yet when everything stopped is in the plan, and made only for the languages that config still has', async ({
    expect,
  }) => {
    const files = { 'in/a.wav': silence(8) };
    await using studio = await Studio.open({ files, to: SRT, targets: 'de, fr' });
    expect(await studio.die('after creating')).toBe('SIGKILL');
    const { rig } = studio;
    rig.write('dragoman.yaml', rig.read('dragoman.yaml').replace('[de, fr]', '[de]'));
    const { jobs } = await studio.json<PlanJson>('plan');
    expect(jobs.map(({ estimated_seconds }) => estimated_seconds)).toEqual([8]);
    expect(await studio.once()).toMatchObject({ code: 0, delivered: 1 });
    expect(studio.answered(DOWNLOAD, 200)).toBe(1);
    expect(studio.bookedSeconds()).toBe(8);
  });

  test('gets another language or output by asking only for what is missing', async ({ expect }) => {
    await using studio = await Studio.open({ files: { 'in/a.wav': silence(8) }, to: SRT });
    await studio.once();
    const { rig } = studio;
    const before = rig.modified('out/de/a.srt');
    const text = rig.read('dragoman.yaml').replace('[de]', '[de, es]');
    rig.write(
      'dragoman.yaml',
      text.replace(SRT, `{ transcript: "out/{locale}/{dir}/{name}.txt", ${SRT.slice(2)}`),
    );
    expect(await studio.once()).toMatchObject({ code: 0, delivered: 2 });
    expect(rig.modified('out/de/a.srt')).toBe(before);
    expect(rig.exists('out/es/a.srt') && rig.exists('out/de/a.txt')).toBe(true);
    const [created] = rig.sandbox
      .log()
      .filter(({ operation }) => operation === CREATE)
      .slice(-1);
    expect(created?.status).toBe(201);
    expect(studio.answered(CREATE, 201)).toBe(2);
    // de: the transcript; es: both.
    expect(studio.answered('GET /assets/{job_id}/{index}', 200)).toBe(1 + 3);
  });

  test('gets subtitles beside its speech, which stays as it is', async ({ expect }) => {
    const to = '{ speech: "out/{locale}/{dir}/{name}.wav" }';
    await using studio = await Studio.open({ files: { 'in/a.wav': silence(8) }, to });
    await studio.once();
    const { rig } = studio;
    const before = rig.modified('out/de/a.wav');
    rig.write(
      'dragoman.yaml',
      rig.read('dragoman.yaml').replace(to, `${to.slice(0, -2)}, ${SRT.slice(2)}`),
    );
    expect(await studio.once()).toMatchObject({ code: 0, delivered: 1 });
    expect(rig.exists('out/de/a.srt')).toBe(true);
    expect(rig.modified('out/de/a.wav')).toBe(before);
    expect(rig.exists('.dragoman/trash')).toBe(false);
  });

  test('whose subtitles a person corrected keeps them when it changes, until somebody decides', async ({
    expect,
  }) => {
    await using studio = await Studio.open({ files: { 'in/a.wav': silence(8) }, to: SRT });
    await studio.once();
    const { rig } = studio;
    const human = '1\n00:00:00,000 --> 00:00:03,600\nVon Hand.\n';
    rig.write('out/de/a.srt', human);
    expect(await studio.once()).toMatchObject({ code: 0, requests: 0 });
    expect(rig.read('out/de/a.srt')).toBe(human);
    rig.write('in/a.wav', silence(12));
    const run = await studio.once();
    expect(run).toMatchObject({ code: 2, requests: 0 });
    expect(run.held[0]).toMatchObject({
      reason: 'a person wrote or edited the translated file',
      next_step: expect.stringMatching(
        /--machine \(buys the new version for 0.2 minutes of audio\)/,
      ),
    });
    expect(rig.read('out/de/a.srt')).toBe(human);
    await studio.run('resolve', rig.path('out/de/a.srt'), '--machine');
    expect(await studio.once()).toMatchObject({ code: 0, delivered: 1 });
    expect(rig.read('out/de/a.srt')).not.toBe(human);
    expect(studio.bookedSeconds()).toBe(20);
  });

  test('that is renamed after a person corrected its subtitles keeps them all the same when it changes', async ({
    expect,
  }) => {
    await using studio = await Studio.open({ files: { 'in/a.wav': silence(8) }, to: SRT });
    await studio.once();
    const { rig } = studio;
    rig.write('out/de/a.srt', rig.read('out/de/a.srt').replace('~', 'better'));
    renameSync(rig.path('in/a.wav'), rig.path('in/b.wav'));
    expect(await studio.once()).toMatchObject({ code: 0, requests: 0 });
    rig.write('in/b.wav', silence(12));
    const run = await studio.once();
    expect(run).toMatchObject({ code: 2, requests: 0, failed: [] });
    expect(run.held[0]?.reason).toMatch(/a person wrote or edited the translated file/);
    expect(rig.read('out/de/b.srt')).toContain('better');
  });

  test('that changed is transcribed again, and only then', async ({ expect }) => {
    await using studio = await Studio.open({ files: { 'in/a.wav': silence(8) }, to: SRT });
    await studio.once();
    studio.rig.write('in/a.wav', silence(16));
    expect(await studio.once()).toMatchObject({ code: 0, delivered: 1 });
    expect(studio.rig.read('out/de/a.srt')).toMatch(/\n4\n00:00:12,000/);
    expect(studio.bookedSeconds()).toBe(24);
  });

  test('that changes while the service works on it: the newer one wins, and what was paid is kept', async ({
    expect,
  }) => {
    await using studio = await Studio.open({ files: { 'in/a.wav': silence(8) }, to: SRT });
    expect(await studio.die('after uploaded')).toBe('SIGKILL');
    studio.rig.write('in/a.wav', silence(16));
    expect(await studio.once()).toMatchObject({ code: 0, delivered: 1 });
    expect(studio.rig.read('out/de/a.srt')).toMatch(/\n4\n00:00:12,000/);
    studio.rig.write('in/a.wav', silence(8));
    expect(await studio.once()).toMatchObject({ code: 0, delivered: 1, requests: 0 });
    expect(studio.rig.read('out/de/a.srt')).not.toMatch(/\n4\n/);
    expect(studio.answered(UPLOAD, 204)).toBe(2);
  });

  test('keeps translations that existed before dragoman', async ({ expect }) => {
    const files = {
      'in/a.wav': silence(8),
      'out/de/a.srt': '1\n00:00:00,000 --> 00:00:01,000\nDa.\n',
    };
    await using studio = await Studio.open({ files, to: SRT });
    expect(await studio.once()).toMatchObject({ code: 0, requests: 0, delivered: 0 });
  });

  test('beyond the budget of minutes waits for approval', async ({ expect }) => {
    await using studio = await Studio.open({
      files: { 'in/a.wav': silence(150) },
      to: TXT,
      head: 'budget: { voice_minutes: 2 }',
    });
    const plan = await studio.json<PlanJson>('plan');
    expect(plan.jobs[0]?.would_hold).toMatch(/has 2 minutes of audio left, this needs 3/);
    const run = await studio.once();
    expect(run).toMatchObject({ code: 2, requests: 0 });
    expect(run.held[0]?.reason).toMatch(/has 2 minutes of audio left, this needs 3/);
    await studio.run('approve', '--all', '--yes');
    expect(await studio.once()).toMatchObject({ code: 0, delivered: 1 });
  });

  test('that is text, noise or too long is refused with what was found, before anything is sent', async ({
    expect,
  }) => {
    await using studio = await Studio.open({
      files: {
        'in/notes.mp3': 'These are notes, not sound.\n',
        'in/noise.mp3': Buffer.from(Array.from({ length: 5000 }, (_, n) => (n * 7919) % 251)),
        'in/long.wav': silence(90),
      },
      to: TXT,
      service: '  voice: { max_duration: 1m }',
    });
    const run = await studio.once();
    expect(run).toMatchObject({ code: 2, delivered: 0, requests: 0 });
    const reasons = Object.fromEntries(run.held.map(({ source, reason }) => [source, reason]));
    expect(reasons['in/notes.mp3']).toBe('this is no recording: found text');
    expect(reasons['in/noise.mp3']).toBe('this is no recording: found bytes of no known kind');
    expect(reasons['in/long.wav']).toBe('the recording lasts 2 minutes, the service takes 1');
  });

  test('goes unchanged whatever its name says, where the service takes what it is', async ({
    expect,
    skip,
  }) => {
    const flac = recording('fixture.flac');
    if (flac === undefined) return skip('the corpus is not here');
    await using studio = await Studio.open({ files: { 'in/really-flac.mp3': flac }, to: TXT });
    expect(await studio.once()).toMatchObject({ code: 0, delivered: 1 });
  });

  test('of a kind that the service does not take is converted by ffmpeg', async ({
    expect,
    skip,
  }) => {
    const amr = recording('fixture.amr');
    if (amr === undefined || !hasFfmpeg()) return skip('the corpus or ffmpeg is not here');
    await using studio = await Studio.open({
      files: { 'in/phone.amr': amr, 'in/film.mp4': recording('fixture.mkv') ?? '' },
      to: TXT,
      route: ', lane: voice',
    });
    expect(await studio.once()).toMatchObject({ code: 0, delivered: 2 });
  });

  test('that only ffmpeg could convert is held with a message that names it', async ({
    expect,
    skip,
  }) => {
    const amr = recording('fixture.amr');
    if (amr === undefined) return skip('the corpus is not here');
    await using studio = await Studio.open({
      files: { 'in/phone.amr': amr },
      to: TXT,
      route: ', lane: voice',
      path: '/nonexistent',
    });
    const run = await studio.once();
    expect(run.held[0]?.reason).toBe(
      'the service does not take AMR, and ffmpeg, which would convert it, is not installed',
    );
  });

  test('is spoken as WAV until ffmpeg is there, which makes Opus of it without another request', async ({
    expect,
    skip,
  }) => {
    if (!hasFfmpeg()) return skip('ffmpeg is not here');
    const to = '{ speech: "out/{locale}/{dir}/{name}.opus" }';
    const route = ', voice: { speech_format: opus }';
    const files = { 'in/a.wav': silence(4) };
    await using poor = await Studio.open({ files, to, route, path: '/nonexistent' });
    const run = await poor.once();
    expect(run).toMatchObject({ code: 2, delivered: 1 });
    expect(run.held[0]?.reason).toMatch(/made by ffmpeg, which is not installed/);
    expect(readFileSync(poor.rig.path('out/de/a.wav')).toString('latin1', 0, 4)).toBe('RIFF');
    await poor.run('retry', '--all', '--yes');
    expect(await poor.once()).toMatchObject({ code: 2, failed: [], requests: 0 });
    poor.install();
    await poor.run('retry', '--all', '--yes');
    expect(await poor.once()).toMatchObject({ code: 0, delivered: 1, requests: 0 });
    expect(readFileSync(poor.rig.path('out/de/a.opus')).toString('latin1', 0, 4)).toBe('OggS');
    expect(poor.rig.exists('out/de/a.wav')).toBe(false);
  });

  test('gets another format or path for an existing result without another request, also when the spool is empty', async ({
    expect,
    skip,
  }) => {
    if (!hasFfmpeg()) return skip('ffmpeg is not here');
    await using studio = await Studio.open({ files: { 'in/a.wav': silence(4) } });
    expect(await studio.once()).toMatchObject({ code: 0, delivered: 1 });
    const { rig } = studio;
    rig.remove('.dragoman/voice');
    const text = rig
      .read('dragoman.yaml')
      .replace('transcript: "out/{locale}', 'transcript: "out/text/{locale}')
      .replace('{name}.srt', '{name}.vtt');
    rig.write('dragoman.yaml', text);
    const { jobs } = await studio.json<PlanJson>('plan');
    expect(jobs.map(({ estimated_seconds }) => estimated_seconds)).toEqual([0]);
    expect(await studio.once()).toMatchObject({ code: 0, delivered: 1, requests: 0 });
    expect(rig.read('out/de/a.vtt')).toMatch(/^WEBVTT/);
    expect(rig.exists('out/text/de/a.txt')).toBe(true);
    const packed = '{name}.opus" }, voice: { speech_format: opus }';
    rig.write('dragoman.yaml', text.replace('{name}.wav" }', packed));
    expect(await studio.once()).toMatchObject({ code: 0, delivered: 1, requests: 0 });
    expect(readFileSync(rig.path('out/de/a.opus')).toString('latin1', 0, 4)).toBe('OggS');
    expect(await studio.once()).toMatchObject({ code: 0, delivered: 0, requests: 0 });
  });

  test('cannot be promised as MP3 where the speech is WAV', async ({ expect }) => {
    const to = '{ speech: "out/{locale}/{dir}/{name}.mp3" }';
    await using studio = await Studio.open({ files: {}, to });
    const { faults } = await studio.json<{ faults: readonly { message: string }[] }>('check');
    expect(faults.map(({ message }) => message)).toEqual([
      expect.stringMatching(/ends in .mp3, but voice.speech_format is wav/),
    ]);
  });

  test('has outputs that say what they are, each in a file of its own', async ({ expect }) => {
    const to =
      '{ transcript: "{locale}/{dir}/{name}.srt", subtitles: "{locale}/{dir}/{name}.srt", speech: "{locale}/{dir}/{name}.{ext}" }';
    await using studio = await Studio.open({ files: {}, to });
    const { faults } = await studio.json<{ faults: readonly { message: string }[] }>('check');
    expect(faults.map(({ message }) => message)).toEqual([
      expect.stringMatching(/is the path of the transcript, too/),
      expect.stringMatching(/ends in .\{ext\}, but voice.speech_format is wav/),
    ]);
  });

  test('stays in its place until it has not changed for 10 seconds, unless config says otherwise', async ({
    expect,
  }) => {
    await using studio = await Studio.open({ files: { 'in/a.wav': silence(4) }, to: TXT });
    const { rig } = studio;
    rig.write('dragoman.yaml', rig.read('dragoman.yaml').replace('{ settle_ms: 0 }', '{}'));
    const began = Date.now();
    expect(await studio.once()).toMatchObject({ code: 0, delivered: 1 });
    // Thirty times as fast: 10 s are a third of one.
    expect(Date.now() - began).toBeGreaterThan(330);
  });
});

function hasFfmpeg(): boolean {
  try {
    execFileSync('ffmpeg', ['-version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
