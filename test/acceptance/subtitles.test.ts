/** Subtitles through the real binary: bought texts, unchanged texts, and times that never change. */
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readSubtitles } from '../../src/formats/captions/read.ts';
import { billed, requests } from '../counts.ts';
import { Rig } from '../rig.ts';

const CONFIG = `
defaults: { settle_ms: 0 }
projects:
  film:
    source: en
    targets: [de]
    routes:
      - { from: "subs/{locale}/**/*.srt" }
      - { from: "web/en/**/*.vtt", to: "web/{locale}/{dir}/{name}.{ext}" }
      - { from: "convert/en/*.srt", to: "convert/{locale}/{name}.vtt" }
      - { from: "back/en/*.vtt", to: "back/{locale}/{name}.srt" }
`;

const SOURCE = 'subs/en/film.srt';
const TARGET = 'subs/de/film.srt';

/** A cue every two seconds; a sentence may go on in the next one. */
function srt(texts: readonly string[], from = 0): string {
  return texts
    .map((text, nth) => {
      const at = (ms: number) => new Date(from + ms).toISOString().slice(11, 23).replace('.', ',');
      return `${nth + 1}\n${at(nth * 2000)} --> ${at(nth * 2000 + 1500)}\n${text}\n`;
    })
    .join('\n');
}

function cuesOf(rig: Rig, path: string) {
  return readSubtitles(Buffer.from(rig.read(path)), { file: path, fallback: 'utf-8' }).cues;
}

const times = (cues: readonly { start: number; end: number }[]) =>
  cues.map(({ start, end }) => [start, end]);

const FILM = [
  'Good morning, my friend.',
  'When I came home last night,',
  'nobody was there.',
  'Where did they all go?',
  '♪',
  'I do not know, I really do not.',
];

async function translated(texts: readonly string[] = FILM): Promise<Rig> {
  const rig = await Rig.start({ config: CONFIG, files: { [SOURCE]: srt(texts) } });
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
  return rig;
}

test('a film is bought in one request, sentence by sentence, and every cue keeps its number and time', async () => {
  await using rig = await translated();
  expect(requests(rig, 'POST /v2/translate')).toBe(1);
  expect(rig.sandbox.counters().operations['POST /v2/translate']?.texts).toBe(4);
  const [before, after] = [cuesOf(rig, SOURCE), cuesOf(rig, TARGET)];
  expect(times(after)).toEqual(times(before));
  expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  expect(after[4]?.text).toBe('♪');
  expect(after[2]?.text).toMatch(/./);
  expect(after[2]?.text).not.toBe('nobody was there.');
});

test('the plan says what a film bills, to the character', async () => {
  await using rig = await Rig.start({ config: CONFIG, files: { [SOURCE]: srt(FILM) } });
  const plan = JSON.parse((await rig.run('plan', '--json')).stdout) as {
    estimated_characters: number;
  };
  expect(await rig.once()).toMatchObject({ billed_characters: plan.estimated_characters });
  expect(billed(rig)).toBe(plan.estimated_characters);
});

test('a corrected cue buys its sentence again and nothing else', async () => {
  await using rig = await translated();
  const before = billed(rig);
  const old = cuesOf(rig, TARGET);
  const corrected = FILM.with(2, 'no one was there.');
  rig.write(SOURCE, srt(corrected));
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
  expect(billed(rig) - before).toBe('When I came home last night,\nno one was there.'.length);
  const now = cuesOf(rig, TARGET);
  expect(now[0]?.text).toBe(old[0]?.text);
  expect(now[3]?.text).toBe(old[3]?.text);
  expect(now[2]?.text).not.toBe(old[2]?.text);
});

test('shifting all times moves the target and bills nothing', async () => {
  await using rig = await translated();
  const before = billed(rig);
  const old = cuesOf(rig, TARGET);
  rig.write(SOURCE, srt(FILM, 60_250));
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1, requests: 0 });
  const now = cuesOf(rig, TARGET);
  expect(now.map(({ text }) => text)).toEqual(old.map(({ text }) => text));
  expect(times(now)).toEqual(times(cuesOf(rig, SOURCE)));
  expect(billed(rig)).toBe(before);
});

test('numbers, notes, line ends and byte order mark follow the source, and nothing is bought', async () => {
  await using rig = await translated();
  const [source, target, before] = [rig.read(SOURCE), rig.read(TARGET), billed(rig)];
  const changes: readonly ((text: string) => string)[] = [
    (text) => text.replaceAll(/^\d+$/gm, (number) => String(Number(number) + 100)),
    (text) => text.replaceAll(/^\d+\n/gm, ''),
    (text) => `\uFEFFBy somebody\n\n${text}`.replaceAll('\n', '\r\n'),
  ];
  for (const change of changes) {
    rig.write(SOURCE, change(source));
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 1, requests: 0 });
    expect(rig.read(TARGET)).toBe(change(target));
  }
  expect(billed(rig)).toBe(before);
});

test('changes of a person around the cues of a target stay when a text of the source changes', async () => {
  await using rig = await translated();
  const theirs = `Untertitel: Anna\r\n\r\n${rig.read(TARGET).replaceAll('\n', '\r\n')}`.replace(
    '\r\n4\r\n',
    '\r\n004\r\n',
  );
  rig.write(TARGET, theirs);
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  const old = cuesOf(rig, TARGET)[3]?.text ?? '';
  rig.write(SOURCE, srt(FILM.with(3, 'Where did everybody go?')));
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
  const text = cuesOf(rig, TARGET)[3]?.text ?? '';
  expect(text).not.toBe(old);
  expect(rig.read(TARGET)).toBe(theirs.replace(old, text));
});

test('line ends, byte order mark and times that a person gave a target stay when cues come in and go', async () => {
  const shown = (nth: number, text: string) =>
    `${nth}\n00:00:0${nth * 2},000 --> 00:00:0${nth * 2 + 1},000\n${text}\n\n`;
  const english = shown(1, 'Hello there.') + shown(2, 'How are you?') + shown(3, 'Bye now.');
  const theirs = (text: string) => `\uFEFF${text}`.replaceAll('\n', '\r\n');
  const german = (
    shown(1, 'Hallo zusammen.') +
    shown(2, 'Wie geht es?') +
    shown(3, 'Tschüss.')
  ).replace('04,000', '04,200');
  await using rig = await Rig.start({
    config: CONFIG,
    files: { [SOURCE]: english, [TARGET]: theirs(german) },
  });
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  expect(rig.read(TARGET)).toBe(theirs(german));
  // A cue that a person removed stays out; all others stay as they are.
  const less = theirs(german.replace(shown(2, 'Wie geht es?').replace('04,000', '04,200'), ''));
  expect(less).not.toBe(theirs(german));
  rig.write(TARGET, less);
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  expect(rig.read(TARGET)).toBe(less);
  rig.write(SOURCE, `${english}${shown(4, 'And then?')}`);
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
  const now = rig.read(TARGET);
  expect(now.startsWith(less)).toBe(true);
  expect(now.slice(less.length)).toMatch(/^4\r\n.*\r\n.*\r\n\r\n$/);
});

test('inserted and deleted cues leave the others as they are, and only what is new is bought', async () => {
  await using rig = await translated();
  const before = billed(rig);
  const old = cuesOf(rig, TARGET);
  rig.write(SOURCE, srt([...FILM.slice(0, 3), 'Somebody knocks at the door.', ...FILM.slice(4)]));
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
  expect(billed(rig) - before).toBe('Somebody knocks at the door.'.length);
  rig.write(SOURCE, srt(FILM.slice(3)));
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
  const now = cuesOf(rig, TARGET);
  expect(now.slice(1).map(({ text }) => text)).toEqual(old.slice(4).map(({ text }) => text));
});

test('a cue that a person edited is kept, also when another cue of its sentence is corrected', async () => {
  await using rig = await translated();
  const machine = cuesOf(rig, TARGET);
  rig.write(TARGET, rig.read(TARGET).replace(machine[1]?.text ?? '', 'Als ich heimkam,'));
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  rig.write(SOURCE, srt(FILM.with(2, 'no one was there.')));
  expect(await rig.once()).toMatchObject({ code: 0 });
  const now = cuesOf(rig, TARGET);
  expect(now[1]?.text).toBe('Als ich heimkam,');
  expect(now[2]?.text).not.toBe(machine[2]?.text);
});

test('an edited cue whose own source changes is a conflict that a person resolves for nothing', async () => {
  await using rig = await translated();
  const machine = cuesOf(rig, TARGET);
  rig.write(TARGET, rig.read(TARGET).replace(machine[0]?.text ?? '', 'Moin.'));
  await rig.once();
  rig.write(SOURCE, srt(FILM.with(0, 'Good evening, my dear friend.')));
  expect(await rig.once()).toMatchObject({ code: 2, held: [{ language: 'de' }] });
  expect(cuesOf(rig, TARGET)[0]?.text).toBe('Moin.');
  const status = JSON.parse((await rig.run('status', '--json')).stdout) as {
    conflicts: Record<string, string>[];
  };
  expect(status.conflicts).toMatchObject([
    { key: '1', old_source: FILM[0], new_source: 'Good evening, my dear friend.', human: 'Moin.' },
  ]);
  const before = billed(rig);
  await rig.run('resolve', TARGET, '1', '--machine');
  expect(await rig.once()).toMatchObject({ code: 0 });
  expect(cuesOf(rig, TARGET)[0]?.text).toBe(status.conflicts[0]?.['machine']);
  expect(billed(rig)).toBe(before);
});

test('a cue that a person moved stays there until the source is moved', async () => {
  await using rig = await translated();
  const moved = rig.read(TARGET).replace('00:00:01,500', '00:00:01,900');
  rig.write(TARGET, moved);
  await rig.once();
  rig.write(SOURCE, srt(FILM.with(3, 'Where did everybody go?')));
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
  expect(cuesOf(rig, TARGET)[0]?.end).toBe(1900);
  rig.write(SOURCE, srt(FILM.with(3, 'Where did everybody go?'), 5000));
  await rig.once();
  expect(times(cuesOf(rig, TARGET))).toEqual(times(cuesOf(rig, SOURCE)));
});

test('a credit that a person added stays where it is, whatever the source does', async () => {
  await using rig = await translated();
  const credit = '00:00:30,000 --> 00:00:31,000\nUntertitel: Anna';
  rig.write(TARGET, `${rig.read(TARGET)}\n99\n${credit}\n`);
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  const before = billed(rig);
  rig.write(SOURCE, srt(FILM.with(0, 'Good evening, my dear friend.')));
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
  expect(billed(rig) - before).toBe('Good evening, my dear friend.'.length);
  expect(rig.read(TARGET)).toContain(`\n\n99\n${credit}\n`);
});

test('a cue that a person split stays split; when its own source changes, it alone waits for that person', async () => {
  await using rig = await translated();
  const [, , , fourth] = cuesOf(rig, TARGET);
  const halves = 'Wo\n\n77\n00:00:06,900 --> 00:00:07,500\nsind sie denn hin?';
  rig.write(
    TARGET,
    rig
      .read(TARGET)
      .replace('00:00:07,500', '00:00:06,800')
      .replace(fourth?.text ?? '', halves),
  );
  const theirs = rig.read(TARGET);
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  expect(rig.read(TARGET)).toBe(theirs);

  const [first] = cuesOf(rig, TARGET);
  const evening = FILM.with(0, 'Good evening, my dear friend.');
  rig.write(SOURCE, srt(evening));
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
  const [now] = cuesOf(rig, TARGET);
  expect(now?.text).not.toBe(first?.text);
  expect(rig.read(TARGET)).toBe(theirs.replace(first?.text ?? '', now?.text ?? ''));

  const delivered = rig.read(TARGET);
  rig.write(SOURCE, srt(evening.with(3, 'Where did everybody go?')));
  expect(await rig.once()).toMatchObject({ code: 2, held: [{ language: 'de' }] });
  expect(rig.read(TARGET)).toBe(delivered);
  await rig.run('resolve', TARGET, '--human');
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  expect(rig.read(TARGET)).toBe(delivered);
});

test('two cues that a person joined stay joined; when the source of one of them changes, it alone waits for that person', async () => {
  await using rig = await translated();
  const [, second, third] = cuesOf(rig, TARGET);
  const apart = `${second?.text}\n\n3\n00:00:04,000 --> 00:00:05,500\n${third?.text}\n`;
  const joined = rig.read(TARGET).replace(apart, 'Als ich heimkam, war niemand da.\n');
  rig.write(TARGET, joined);
  expect(await rig.once()).toMatchObject({ code: 0, held: [], requests: 0 });
  expect(rig.read(TARGET)).toBe(joined);

  const [first] = cuesOf(rig, TARGET);
  const evening = FILM.with(0, 'Good evening, my dear friend.');
  rig.write(SOURCE, srt(evening));
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
  const text = cuesOf(rig, TARGET)[0]?.text ?? '';
  expect(rig.read(TARGET)).toBe(joined.replace(first?.text ?? '', text));

  const delivered = rig.read(TARGET);
  rig.write(SOURCE, srt(evening.with(2, 'no one was there.')));
  expect(await rig.once()).toMatchObject({ code: 2, held: [{ language: 'de' }] });
  expect(rig.read(TARGET)).toBe(delivered);
});

test('a cue that a person removed from the target, or emptied, stays so until its source changes', async () => {
  await using rig = await translated();
  const [before, target] = [billed(rig), rig.read(TARGET)];
  const removed = target.replace(/4\n[^\n]+\n[^\n]+\n\n/, '');
  const emptied = removed.replace(`${cuesOf(rig, TARGET)[0]?.text}\n`, '\n');
  for (const theirs of [removed, emptied]) {
    rig.write(TARGET, theirs);
    const plan = JSON.parse((await rig.run('plan', '--json')).stdout);
    expect(plan).toMatchObject({ estimated_characters: 0 });
    expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
    expect(await rig.once('--frozen')).toMatchObject({ code: 0 });
    expect(rig.read(TARGET)).toBe(theirs);
  }
  // Other cues come and go: these stay out.
  const longer = [...FILM, 'What now?'];
  rig.write(SOURCE, srt(longer));
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
  expect(rig.read(TARGET).startsWith(emptied)).toBe(true);
  expect(billed(rig) - before).toBe('What now?'.length);

  const changed = longer.with(3, 'Where did everybody go?').with(0, 'Good evening.');
  rig.write(SOURCE, srt(changed));
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
  expect(billed(rig) - before).toBe('What now?Where did everybody go?Good evening.'.length);
  expect(times(cuesOf(rig, TARGET))).toEqual(times(cuesOf(rig, SOURCE)));
  expect(cuesOf(rig, TARGET).every(({ text }) => text !== '')).toBe(true);
});

test('a cue that a person removed comes back when that person writes it again', async () => {
  await using rig = await translated();
  const target = rig.read(TARGET);
  rig.write(TARGET, target.replace(/4\n[^\n]+\n[^\n]+\n\n/, ''));
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  const theirs = target.replace(cuesOf(rig, TARGET)[3]?.text ?? '', 'Wo sind sie hin?');
  rig.write(TARGET, theirs);
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  rig.write(SOURCE, srt(FILM.with(0, 'Good evening, my dear friend.')));
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
  expect(times(cuesOf(rig, TARGET))).toEqual(times(cuesOf(rig, SOURCE)));
});

test('status and explain count the cues of a film, its sentences and the markers that came back', async () => {
  await using rig = await Rig.start({ config: CONFIG, files: { [SOURCE]: srt(FILM) } });
  await rig.once();
  const { subtitles } = JSON.parse((await rig.run('status', '--json')).stdout) as {
    subtitles: unknown;
  };
  const counts = { cues: 6, groups: 4, machine: 5, copied: 1, anchors_kept: 2, re_cut: 0 };
  expect(subtitles).toMatchObject([{ ...counts, held: 0, over_cps_in_source: 2 }]);
  const { stdout } = await rig.run('explain', TARGET);
  expect(stdout).toContain('6 in 4 sentences, 5 by the service');
});

test('existing subtitles are adopted, and only the missing cue is bought', async () => {
  const theirs = srt(FILM.map((_, nth) => (nth === 3 ? 'WEG' : `Satz ${nth}.`)));
  const withoutOne = theirs.replace(/4\n[^\n]*\nWEG\n\n/, '');
  await using rig = await Rig.start({
    config: CONFIG,
    files: { [SOURCE]: srt(FILM), [TARGET]: withoutOne },
  });
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
  expect(billed(rig)).toBe(FILM[3]?.length);
  const now = cuesOf(rig, TARGET);
  expect(now).toHaveLength(FILM.length);
  expect(now[0]?.text).toBe('Satz 0.');
});

test('subtitles whose cues differ from those of their source are left alone, with the reason', async () => {
  const theirs = srt(['Ganz', 'anders', 'geschnitten'], 500);
  await using rig = await Rig.start({
    config: CONFIG,
    files: { [SOURCE]: srt(FILM), [TARGET]: theirs },
  });
  const { jobs } = JSON.parse((await rig.run('plan', '--json')).stdout);
  expect(JSON.stringify(jobs)).toContain('3 subtitles, its source 6');
  const run = await rig.once();
  expect(run.code).toBe(2);
  expect(run.held[0]?.reason).toContain('3 subtitles, its source 6');
  expect(rig.read(TARGET)).toBe(theirs);
  expect(requests(rig, 'POST /v2/translate')).toBe(0);
  await rig.run('retry', TARGET, '--yes');
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
  expect(times(cuesOf(rig, TARGET))).toEqual(times(cuesOf(rig, SOURCE)));
});

test('subtitles whose cues differ from those of their source are replaced at once where config says overwrite', async () => {
  const config = CONFIG.replace('settle_ms: 0', 'settle_ms: 0, existing: overwrite');
  const theirs = srt(['Ganz', 'anders', 'geschnitten'], 500);
  await using rig = await Rig.start({ config, files: { [SOURCE]: srt(FILM), [TARGET]: theirs } });
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
  expect(times(cuesOf(rig, TARGET))).toEqual(times(cuesOf(rig, SOURCE)));
  expect(rig.read(TARGET)).not.toContain('Ganz');
});

test('lost and added line breaks of an answer are re-cut without buying anything twice', async () => {
  for (const how of ['lose', 'add'] as const) {
    await using rig = await Rig.start({ config: CONFIG, files: { [SOURCE]: srt(FILM) } });
    rig.sandbox.faults.add([{ kind: 'newlines', how }]);
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
    expect(requests(rig, 'POST /v2/translate')).toBe(1);
    const now = cuesOf(rig, TARGET);
    expect(times(now)).toEqual(times(cuesOf(rig, SOURCE)));
    expect(now.every(({ text }) => text !== '')).toBe(true);
  }
});

test('a sentence that comes back empty is sent once more cue by cue, then its cue is held', async () => {
  await using rig = await Rig.start({ config: CONFIG, files: { [SOURCE]: srt(FILM) } });
  rig.sandbox.faults.add([{ kind: 'empty', times: 1 }]);
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
  expect(requests(rig, 'POST /v2/translate')).toBe(2);
  rig.write(SOURCE, srt(FILM.with(0, 'Good evening, my dear friend.')));
  rig.sandbox.faults.add([{ kind: 'empty', times: 'always' }]);
  const run = await rig.once();
  expect(run.code).toBe(2);
  expect(run.held[0]?.reason).toContain('line 2 (the translation is empty)');
  const now = cuesOf(rig, TARGET);
  expect(now).toHaveLength(FILM.length);
  expect(now[0]?.text).toMatch(/./);
});

test('a file with a broken timing line is held with the line, and the others are translated', async () => {
  const broken = srt(FILM).replace('00:00:04,000 --> 00:00:05,500', '00:00:04,000 --> ');
  await using rig = await Rig.start({
    config: CONFIG,
    files: { [SOURCE]: srt(FILM), 'subs/en/broken.srt': broken },
  });
  const run = await rig.once();
  expect(run).toMatchObject({ code: 2, delivered: 1, held: [{ source: 'subs/en/broken.srt' }] });
  expect(run.held[0]?.reason).toMatch(/broken\.srt:10: this looks like a timing line/);
  expect(rig.exists('subs/de/broken.srt')).toBe(false);
});

test('WebVTT keeps its header, notes, styles, names and settings to the byte', async () => {
  const vtt = `WEBVTT - a film\nKind: captions\n\nSTYLE\n::cue { color: red }\n\nNOTE not for the public\n\nintro\n00:01.000 --> 00:02.000 align:start\n<v Bob>Good morning &amp; goodbye, my friend.</v>\n\n00:03.000 --> 00:04.000\n- Is it <i>really</i> you?\n- Yes, of course it is.\n`;
  await using rig = await Rig.start({ config: CONFIG, files: { 'web/en/a/clip.vtt': vtt } });
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
  const lines = rig.read('web/de/a/clip.vtt').split('\n');
  const old = vtt.split('\n');
  expect(lines.slice(0, 10)).toEqual(old.slice(0, 10));
  expect(lines[10]).toMatch(/^<v Bob>.*&amp;/);
  expect(lines.filter((line) => line.startsWith('- '))).toHaveLength(2);
  expect(lines.join('\n')).toMatch(/<i>.*<\/i>/);
});

test('a target with the other extension is written in the other format', async () => {
  await using rig = await Rig.start({
    config: CONFIG,
    files: {
      'convert/en/a.srt': srt(FILM),
      'back/en/b.vtt': 'WEBVTT\n\n00:01.000 --> 00:02.000 line:0\nTom &amp; Jerry are at home.\n',
    },
  });
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 2 });
  expect(rig.read('convert/de/a.vtt')).toMatch(/^WEBVTT\n\n1\n00:00:00\.000 --> 00:00:01\.500\n/);
  expect(times(cuesOf(rig, 'convert/de/a.vtt'))).toEqual(times(cuesOf(rig, 'convert/en/a.srt')));
  expect(rig.read('back/de/b.srt')).toMatch(/^1\n00:00:01,000 --> 00:00:02,000\n\{\\an8\}.* & /);
  expect(await rig.once()).toMatchObject({ code: 0, unchanged: 2, requests: 0 });
});

test('a template that is changed to the other extension writes the other format, and bills nothing', async () => {
  await using rig = await Rig.start({ config: CONFIG, files: { 'convert/en/a.srt': srt(FILM) } });
  await rig.once();
  const before = billed(rig);
  rig.write(
    'dragoman.yaml',
    rig.read('dragoman.yaml').replace('{name}.vtt', '{name}.{locale}.srt'),
  );
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1, requests: 0 });
  expect(times(cuesOf(rig, 'convert/de/a.de.srt'))).toEqual(times(cuesOf(rig, 'convert/en/a.srt')));
  expect(await rig.once()).toMatchObject({ code: 0, unchanged: 1, requests: 0 });
  expect(billed(rig)).toBe(before);
});

test('an SRT that is sent as a document passes the same checks', async () => {
  const config = `
defaults: { settle_ms: 0 }
projects:
  film:
    source: en
    targets: [de]
    routes:
      - { from: "subs/{locale}/**/*.srt", lane: document }
`;
  await using rig = await Rig.start({ config, files: { [SOURCE]: srt(FILM) } });
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
  expect(requests(rig, 'POST /v2/translate')).toBe(0);
  expect(times(cuesOf(rig, TARGET))).toEqual(times(cuesOf(rig, SOURCE)));
  // A file that could not pass the check is not paid for.
  rig.write('subs/en/broken.srt', srt(FILM).replace('00:00:04,000 -->', '00:00:04,000'));
  const run = await rig.once();
  expect(run.failed[0]?.reason).toMatch(/broken\.srt:10: this looks like a timing line/);
  expect(requests(rig, 'POST /v2/document')).toBe(1);
});

test('changed options buy a film again only where config says so', async () => {
  for (const [on, again] of [
    ['[source]', 0],
    ['[source, options]', 1],
  ] as const) {
    const config = CONFIG.replace('settle_ms: 0', `settle_ms: 0, retranslate_on: ${on}`);
    await using rig = await Rig.start({ config, files: { [SOURCE]: srt(FILM) } });
    await rig.once();
    const before = billed(rig);
    rig.write(
      'dragoman.yaml',
      rig.read('dragoman.yaml').replace('source: en', 'source: en\n    formality: prefer_more'),
    );
    expect(await rig.once()).toMatchObject({ code: 0 });
    expect(billed(rig) - before).toBe(again * before);
  }
});

test('a changed term buys the sentences that hold it, where config says so', async () => {
  const config = `
defaults: { settle_ms: 0, retranslate_on: [source, glossary] }
projects:
  film:
    source: en
    targets: [de]
    glossary: { name: film, csv: terms.csv }
    routes:
      - { from: "subs/{locale}/**/*.srt" }
`;
  await using rig = await Rig.start({
    config,
    files: { [SOURCE]: srt(FILM), 'terms.csv': 'en,de\nfriend,Freund\n' },
  });
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
  const before = billed(rig);
  rig.write('terms.csv', 'en,de\nfriend,Kamerad\n');
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
  expect(billed(rig) - before).toBe(FILM[0]?.length);
  expect(cuesOf(rig, TARGET)[0]?.text).toContain('Kamerad');
  // Half of it is in one cue, half in the next.
  rig.write('terms.csv', 'en,de\nfriend,Kamerad\nlast night nobody,gestern niemand\n');
  const [earlier, sentence] = [billed(rig), FILM.slice(1, 3).join('\n')];
  rig.write(SOURCE, srt(FILM.with(1, 'When I came home last night')));
  await rig.once();
  expect(billed(rig) - earlier).toBe(sentence.length - 1);
  rig.write('terms.csv', 'en,de\nfriend,Kamerad\nlast night nobody,gestern keiner\n');
  expect(await rig.once()).toMatchObject({ code: 0, billed_characters: sentence.length - 1 });
});

test('a variant of the source language is converted by text improvement, without markup inside of texts', async () => {
  const config = `
defaults: { settle_ms: 0 }
projects:
  film:
    source: en-US
    targets: [en-GB]
    routes:
      - { from: "{locale}/*.srt" }
`;
  await using rig = await Rig.start({
    config,
    files: { 'en-US/a.srt': srt(['The color <i>of</i> the night']) },
  });
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
  expect(requests(rig, 'POST /v2/write/rephrase')).toBe(1);
  expect(requests(rig, 'POST /v2/translate')).toBe(0);
  expect(cuesOf(rig, 'en-GB/a.srt')[0]?.text).not.toContain('<i>');
});

test('a film that is interrupted by kill -9 goes on where it was: at most the request in flight is paid twice', async () => {
  const long = Array.from({ length: 240 }, (_, nth) => `This is what they said number ${nth}.`);
  await using rig = await Rig.start({
    config: CONFIG,
    service: '  concurrency: 1',
    files: { [SOURCE]: srt(long) },
  });
  rig.sandbox.faults.add([{ kind: 'latency', ms: 150, times: 'always' }]);
  const child = rig.spawn('once');
  const ended = new Promise((resolve) => child.once('close', resolve));
  while (requests(rig, 'POST /v2/translate') < 3) await setTimeout(5);
  child.kill('SIGKILL');
  await ended;
  expect(rig.exists(TARGET)).toBe(false);
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
  const unique = long.reduce((sum, text) => sum + text.length, 0);
  expect(billed(rig)).toBeLessThanOrEqual(unique + 50 * (long.at(-1)?.length ?? 0));
  expect(cuesOf(rig, TARGET)).toHaveLength(240);
});

test('a lost state folder is rebuilt from sources and targets, and nothing is billed', async () => {
  await using rig = await translated();
  const [before, target] = [billed(rig), rig.read(TARGET)];
  rig.remove('.dragoman');
  expect(await rig.once()).toMatchObject({ code: 0 });
  expect(billed(rig)).toBe(before);
  expect(rig.read(TARGET)).toBe(target);
});

test('the report on a film moves with its target', async () => {
  const config = CONFIG.replace('*.srt" }', '*.srt", subtitles: { report: true } }');
  await using rig = await Rig.start({ config, files: { [SOURCE]: srt(FILM) } });
  await rig.once();
  expect(rig.json(`${TARGET}.report.json`)).toMatchObject({ cues: FILM.length });
  rig.write('subs/en/more/other.srt', rig.read(SOURCE));
  rig.remove(SOURCE);
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  expect(rig.exists(`${TARGET}.report.json`)).toBe(false);
  expect(rig.json('subs/de/more/other.srt.report.json')).toMatchObject({ cues: FILM.length });
  rig.remove('subs/en/more/other.srt');
  await rig.once();
  expect(rig.exists('subs/de/more/other.srt')).toBe(false);
  expect(rig.exists('subs/de/more/other.srt.report.json')).toBe(false);
});

test('a deleted target is written again, and nothing is billed', async () => {
  await using rig = await translated();
  const [before, target] = [billed(rig), rig.read(TARGET)];
  rig.remove(TARGET);
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
  expect(billed(rig)).toBe(before);
  expect(rig.read(TARGET)).toBe(target);
});

test("a person's header, styles and notes stay when cues of the source are added, removed and changed", async () => {
  const cue = (id: string, second: number, text: string) =>
    `${id}\n00:0${second}.000 --> 00:0${second + 1}.000\n${text}\n`;
  const english = [
    cue('one', 1, 'Good morning to all of you.'),
    cue('two', 3, 'We start the engine now.'),
    cue('three', 5, 'That was all for today.'),
  ];
  const german = [
    cue('one', 1, 'Guten Morgen euch allen.'),
    cue('two', 3, 'Wir starten jetzt den Motor.'),
    cue('three', 5, 'Das war alles für heute.'),
  ];
  const file = (head: string, note: string, cues: readonly string[]) =>
    `WEBVTT${head}\n\n${note}\n\n${cues.join('\n')}`;
  const STYLED = 'STYLE\n::cue { color: red }\n\nNOTE eigene Notiz';
  const [from, to] = ['web/en/a/clip.vtt', 'web/de/a/clip.vtt'];
  const page = file(' - Deutsch', STYLED, german);
  const files = { [from]: file('', 'NOTE a note', english), [to]: page };
  await using rig = await Rig.start({ config: CONFIG, files });
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  expect(rig.read(to)).toBe(page);
  const added = cue('zero', 0, 'Hello and welcome.');
  const late = cue('late', 7, 'See you next week.');
  rig.write(from, file('', 'NOTE a note', [added, ...english.toSpliced(1, 1), late]));
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
  const now = rig.read(to);
  expect(now.startsWith(`WEBVTT - Deutsch\n\n${STYLED}\n\nzero\n`)).toBe(true);
  expect(now).toContain(`\n\n${german[0]}\n${german[2]}\nlate\n`);
  expect(now).not.toContain('a note');
  expect(now).not.toContain('Motor');
  expect(await rig.once()).toMatchObject({ code: 0, unchanged: 1, requests: 0 });
  rig.write(from, file('', 'NOTE another note', [added, ...english.toSpliced(1, 1), late]));
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  expect(rig.read(to)).toBe(now);
});

test('notes and styles that no person changed follow those of the source', async () => {
  const file = (note: string) =>
    `WEBVTT\n\nNOTE ${note}\n\n00:01.000 --> 00:02.000\nGood morning to all of you.\n`;
  const [from, to] = ['web/en/a/clip.vtt', 'web/de/a/clip.vtt'];
  await using rig = await Rig.start({ config: CONFIG, files: { [from]: file('one') } });
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
  rig.write(from, file('two'));
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  expect(rig.read(to)).toContain('NOTE two\n');
});

test('settings of a person stay on the line of the times, also when the times or the settings of the source change', async () => {
  const file = (line: string, text: string) => `WEBVTT\n\n${line}\n${text}\n`;
  const [from, to] = ['web/en/a/clip.vtt', 'web/de/a/clip.vtt'];
  const [english, german] = ['Good morning to all of you.', 'Guten Morgen euch allen.'];
  await using rig = await Rig.start({
    config: CONFIG,
    files: {
      [from]: file('00:01.000 --> 00:02.000 align:left', english),
      [to]: file('00:01.000 --> 00:02.000 align:right line:1', german),
    },
  });
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  for (const [times, settings] of [
    ['00:01.000 --> 00:02.000', 'align:center'],
    ['00:01.500 --> 00:02.500', 'align:center'],
    ['00:01.700 --> 00:02.700', 'align:left'],
  ]) {
    rig.write(from, file(`${times} ${settings}`, english));
    expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
    expect(rig.read(to)).toBe(file(`${times} align:right line:1`, german));
  }
});

test('settings of the source are followed where a person moved only the times', async () => {
  const file = (line: string, text: string) => `WEBVTT\n\n${line}\n${text}\n`;
  const [from, to] = ['web/en/a/clip.vtt', 'web/de/a/clip.vtt'];
  const english = 'Good morning to all of you.';
  await using rig = await Rig.start({
    config: CONFIG,
    files: { [from]: file('00:01.000 --> 00:02.000 align:left', english) },
  });
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
  rig.write(to, rig.read(to).replace('00:02.000', '00:02.400'));
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  rig.write(from, file('00:01.000 --> 00:02.000 align:center', english));
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  expect(rig.read(to)).toContain('\n00:01.000 --> 00:02.400 align:center\n');
});

test('the numbers of a person’s subtitles go on counting when one is added', async () => {
  const cue = (number: number, second: number, text: string) =>
    `${number}\n00:00:0${second},000 --> 00:00:0${second + 1},000\n${text}\n`;
  const [from, to] = ['subs/en/a.srt', 'subs/de/a.srt'];
  const [one, two] = ['Good morning to all of you.', 'That was all for today.'];
  const page = `${cue(1, 1, 'Guten Morgen euch allen.')}\n\n${cue(2, 5, 'Das war alles.')}`;
  const files = { [from]: `${cue(1, 1, one)}\n${cue(2, 5, two)}`, [to]: page };
  await using rig = await Rig.start({ config: CONFIG, files });
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  rig.write(from, `${cue(1, 1, one)}\n${cue(2, 3, 'We start the engine.')}\n${cue(3, 5, two)}`);
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
  const [first = '', second = '', third = ''] = rig.read(to).split(/\n\n+/);
  expect([first, third]).toEqual([
    '1\n00:00:01,000 --> 00:00:02,000\nGuten Morgen euch allen.',
    '3\n00:00:05,000 --> 00:00:06,000\nDas war alles.\n',
  ]);
  expect(second).toMatch(/^2\n00:00:03,000/);
  expect(rig.read(to)).toContain('allen.\n\n2\n');
});
