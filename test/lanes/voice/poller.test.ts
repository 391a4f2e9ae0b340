/** dragoman polls for results on the service also while their jobs do not run: paid results are lost after one hour. */
import { describe, test } from 'vitest';
import { CREATE, DOWNLOAD, POLL, Studio, silence, UPLOAD } from './voice-rig.ts';

const SRT = '{ subtitles: "out/{locale}/{dir}/{name}.srt" }';

describe('results of a recording', () => {
  test('are fetched while a start still waits for files that settle', async ({ expect }) => {
    await using studio = await Studio.open({ files: { 'in/a.wav': silence(8) }, to: SRT });
    expect(await studio.die('after uploaded')).toBe('SIGKILL');
    const { rig } = studio;
    rig.write('dragoman.yaml', rig.read('dragoman.yaml').replace('_ms: 0', '_ms: 3600000'));
    rig.write('in/b.wav', silence(12));
    await using _once = studio.start('once');
    await expect.poll(() => studio.answered(DOWNLOAD, 200)).toBe(1);
    expect(studio.answered(CREATE, 201)).toBe(1);
  });

  test('are fetched when their source is gone, and serve it when it comes back', async ({
    expect,
  }) => {
    await using studio = await Studio.open({ files: { 'in/a.wav': silence(8) }, to: SRT });
    expect(await studio.die('after uploaded')).toBe('SIGKILL');
    studio.rig.remove('in/a.wav');
    // A run looks at the recording when it begins: the service may not be through with it then.
    await expect
      .poll(async () => {
        expect(await studio.once()).toMatchObject({ code: 0, delivered: 0 });
        return studio.answered(DOWNLOAD, 200);
      })
      .toBe(1);
    studio.rig.write('in/a.wav', silence(8));
    expect(await studio.once()).toMatchObject({ code: 0, delivered: 1, requests: 0 });
  });

  test('are fetched after their job has failed, and bought no more', async ({ expect }) => {
    await using studio = await Studio.open({
      files: { 'in/a.wav': silence(8) },
      to: SRT,
      sandbox: { faults: [{ kind: 'status', status: 403, operation: POLL, times: 'always' }] },
    });
    expect(await studio.once()).toMatchObject({ code: 69, delivered: 0 });
    studio.rig.sandbox.faults.clear();
    expect(await studio.once()).toMatchObject({ code: 0, delivered: 1 });
    expect(studio.answered(DOWNLOAD, 200)).toBe(1);
    expect(await studio.once()).toMatchObject({ code: 0, delivered: 0, requests: 0 });
    expect(studio.answered(UPLOAD, 204)).toBe(1);
  });

  test('are fetched while work is paused, and delivered when it goes on', async ({ expect }) => {
    await using studio = await Studio.open({
      files: { 'in/a.wav': silence(8) },
      to: SRT,
      sandbox: { faults: [{ kind: 'unknown_state', state: 'pondering', times: 'always' }] },
    });
    await using _daemon = studio.start('run');
    await expect.poll(() => studio.answered(UPLOAD, 204)).toBe(1);
    await studio.run('pause');
    studio.rig.sandbox.faults.clear();
    await expect.poll(() => studio.answered(DOWNLOAD, 200)).toBe(1);
    expect(studio.rig.exists('out/de/a.srt')).toBe(false);
    await studio.run('resume');
    await expect.poll(() => studio.rig.exists('out/de/a.srt')).toBe(true);
    expect(studio.answered(UPLOAD, 204)).toBe(1);
  });

  test('that are not delivered yet are not removed, however long they have been kept', async ({
    expect,
  }) => {
    await using studio = await Studio.open({ files: { 'in/a.wav': silence(8) }, to: SRT });
    expect(await studio.die('before the target is replaced')).toBe('SIGKILL');
    studio.pass(24 * 8);
    expect(await studio.once()).toMatchObject({ code: 0, delivered: 1, requests: 0 });
    expect(studio.answered(UPLOAD, 204)).toBe(1);
  });

  test('that were kept too long are used once more before they are removed, as plan says', async ({
    expect,
  }) => {
    await using studio = await Studio.open({ files: { 'in/a.wav': silence(8) }, to: SRT });
    await studio.once();
    studio.pass(24 * 8);
    studio.rig.remove('out/de/a.srt');
    expect(await studio.once()).toMatchObject({ code: 0, delivered: 1, requests: 0 });
    studio.rig.remove('out/de/a.srt');
    await studio.once();
    expect(studio.answered(UPLOAD, 204)).toBe(2);
  });
});
