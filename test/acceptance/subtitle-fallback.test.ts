/** Films in a language that the service knows for documents only: the sandbox has Icelandic so. */
import { expect, test } from 'vitest';
import { readSubtitles } from '../../src/formats/captions/read.ts';
import { requests } from '../counts.ts';
import { Rig } from '../rig.ts';

const SOURCE = 'subs/en/film.srt';
const FILM =
  '1\n00:00:01,000 --> 00:00:02,000\nWhen I came home,\n\n2\n00:00:02,100 --> 00:00:04,000\nnobody was there.\n';

function config(from: string): string {
  return `
defaults: { settle_ms: 0 }
projects:
  film:
    source: en
    targets: [de, is]
    routes:
      - { from: "${from}" }
`;
}

interface PlanJson {
  readonly jobs: readonly { readonly lane: string; readonly language: string }[];
  readonly notes: readonly string[];
}

async function planOf(rig: Rig): Promise<PlanJson> {
  return JSON.parse((await rig.run('plan', '--json')).stdout) as PlanJson;
}

test('a film whose texts are refused is sent as a document into that language, and passes the same checks', async () => {
  await using rig = await Rig.start({
    config: config('subs/{locale}/*.srt'),
    files: { [SOURCE]: FILM },
  });
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 2, failed: [] });
  expect(requests(rig, 'POST /v2/document')).toBe(1);
  const times = (path: string) =>
    readSubtitles(Buffer.from(rig.read(path)), { file: path, fallback: 'utf-8' }).cues.map(
      ({ start, end }) => [start, end],
    );
  expect(times('subs/is/film.srt')).toEqual(times(SOURCE));
  expect(await rig.once()).toMatchObject({ code: 0, unchanged: 2, requests: 0 });
});

test('a refusal is remembered: the plan names the lane and why, and no text is sent in vain', async () => {
  await using rig = await Rig.start({
    config: config('subs/{locale}/*.srt'),
    files: { [SOURCE]: FILM },
  });
  expect(await rig.run('check', '--online')).toMatchObject({ code: 0 });
  const plan = await planOf(rig);
  expect(plan.jobs).toMatchObject([
    { lane: 'subtitle', language: 'de' },
    { lane: 'document', language: 'is' },
  ]);
  expect(plan.notes.join()).toContain('is sent as one document for is');
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 2 });
  expect(requests(rig, 'POST /v2/translate')).toBe(1);
});

test('a running daemon falls back by itself', async () => {
  await using rig = await Rig.start({ config: config('subs/{locale}/*.srt') });
  const daemon = await rig.daemon();
  rig.write(SOURCE, FILM);
  await daemon.until(() => rig.exists('subs/is/film.srt') && rig.exists('subs/de/film.srt'));
  expect(requests(rig, 'POST /v2/document')).toBe(1);
});

test('WebVTT is no document: its job fails by name before anything of it is sent, and other languages go on', async () => {
  await using rig = await Rig.start({
    config: config('subs/{locale}/*.vtt'),
    files: { 'subs/en/film.vtt': `WEBVTT\n\n${FILM.replaceAll(',', '.')}` },
  });
  const { code, delivered, failed } = await rig.once();
  expect([code, delivered]).toEqual([1, 1]);
  expect(failed.map(({ reason }) => reason)).toContain('the service does not translate into is');
  expect([requests(rig, 'POST /v2/document'), requests(rig, 'POST /v2/translate')]).toEqual([0, 1]);
});
