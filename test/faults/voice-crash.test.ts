/** The recovery table of voice jobs: the process is killed at every step; uploads and downloads are counted on the service. */
import { readdirSync, renameSync } from 'node:fs';
import { describe, test } from 'vitest';
import { DOWNLOAD, Studio, silence, UPLOAD } from '../lanes/voice/voice-rig.ts';

type Outcome = 'delivered' | 'lost';

/** If nothing reaches the disk or the service between two points, one of them is enough. */
const ROWS: readonly (readonly [point: string, outcome: Outcome])[] = [
  ['before creating', 'delivered'],
  // Nothing was uploaded, nothing billed: another job is made.
  ['after creating', 'delivered'],
  ['before created', 'delivered'],
  // The window is open still: the same signature uploads again.
  ['after created', 'delivered'],
  ['before closing', 'delivered'],
  // The last bytes had not left: the service is asked before anything is sent again.
  ['after closing', 'delivered'],
  // It arrived, and the answer was lost with the process.
  ['before uploaded', 'delivered'],
  ['after uploaded', 'delivered'],
  ['after downloading', 'delivered'],
  ['after transfer', 'delivered'],
  // Given away, and not on disk: neither the same signature nor anything else brings it back.
  ['amid the download', 'lost'],
  // On disk as long as its head said: the name was all that lacked.
  ['before the result has its name', 'delivered'],
  ['after the result has its name', 'delivered'],
  ['after fetched', 'delivered'],
  ['before ended', 'delivered'],
  ['after ended', 'delivered'],
  ['before the target is replaced', 'delivered'],
  ['after the target is replaced', 'delivered'],
];

describe('a recording whose process is killed', () => {
  test.for(ROWS.map(([point, outcome]) => ({ point, outcome })))(
    '$point: $outcome',
    async ({ point, outcome }, { expect }) => {
      await using studio = await Studio.open({ files: { 'in/a.wav': silence(8) } });
      expect(await studio.die(point)).toBe('SIGKILL');
      const run = await studio.once();
      const lost = outcome === 'lost' ? [/it was paid, but the result was lost/] : [];
      expect(run.held.map(({ reason }) => reason)).toEqual(
        lost.map((reason) => expect.stringMatching(reason)),
      );
      expect(run).toMatchObject({ code: lost.length > 0 ? 2 : 0, failed: [] });
      expect(studio.answered(UPLOAD, 204)).toBe(1);
      expect(studio.answered(DOWNLOAD, 200)).toBe(3);
      expect(studio.bookedSeconds()).toBe(8);
      expect(['txt', 'srt', 'wav'].filter((ext) => studio.rig.exists(`out/de/a.${ext}`))).toEqual(
        lost.length > 0 ? ['srt', 'wav'] : ['txt', 'srt', 'wav'],
      );
      expect(studio.rig.sandbox.counters().violations).toEqual([]);
      const kept = readdirSync(studio.rig.path('.dragoman/voice'));
      expect(kept.filter((name) => !name.endsWith('.result'))).toEqual(
        lost.length > 0 ? [expect.stringMatching(/\.result\.part$/)] : [],
      );
    },
  );

  test('after the target is replaced, and then edited, gets the new version: nobody else wrote there', async ({
    expect,
  }) => {
    await using studio = await Studio.open({ files: { 'in/a.wav': silence(8) } });
    expect(await studio.die('after the target is replaced')).toBe('SIGKILL');
    studio.rig.write('in/a.wav', silence(12));
    expect(await studio.once()).toMatchObject({ code: 0, delivered: 1, held: [] });
    expect(await studio.once()).toMatchObject({ code: 0, requests: 0 });
    studio.rig.write('in/a.wav', silence(16));
    expect(await studio.once()).toMatchObject({ code: 0, delivered: 1, held: [] });
  });

  test('after the target is replaced, and then moved, moves the file that is there', async ({
    expect,
  }) => {
    await using studio = await Studio.open({ files: { 'in/a.wav': silence(8) } });
    expect(await studio.die('after the target is replaced')).toBe('SIGKILL');
    renameSync(studio.rig.path('in/a.wav'), studio.rig.path('in/b.wav'));
    expect(await studio.once()).toMatchObject({ code: 0, held: [] });
    expect(readdirSync(studio.rig.path('out/de'))).toEqual(['b.srt', 'b.txt', 'b.wav']);
    expect(studio.bookedSeconds()).toBe(8);
  });

  test('after the target is replaced, and edited later, gets the new version', async ({
    expect,
  }) => {
    await using studio = await Studio.open({ files: { 'in/a.wav': silence(8) } });
    expect(await studio.die('after the target is replaced')).toBe('SIGKILL');
    expect(await studio.once()).toMatchObject({ code: 0 });
    studio.rig.write('in/a.wav', silence(12));
    expect(await studio.once()).toMatchObject({ code: 0, delivered: 1, held: [] });
  });
});
