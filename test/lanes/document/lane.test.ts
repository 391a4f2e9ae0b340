/** The document lane through the real binary against the sandbox: bills, copies, people, failures. */
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { describe, test } from 'vitest';
import { openZip, unpackEntry } from '../../../src/files/zip.ts';
import type { SimulatedFault } from '../../../src/sandbox/fault.ts';
import { billed, requests, wrongBooks } from '../../counts.ts';
import type { Rig } from '../../rig.ts';
import { until } from '../../until.ts';
import { LOCKED_PDF } from './locked-pdf.ts';
import { MINIMUM, office, RESULT, STATUS, textOf, UPLOAD } from './office.ts';
import { wordFile } from './word-file.ts';

test('a result that is far longer than its source can have is not kept, and the next run gets the right one for nothing', async ({
  expect,
}) => {
  await using rig = await office({ files: { 'in/a.txt': 'Hello world\n' } });
  const text = 'a'.repeat(65 * 1024 * 1024);
  rig.sandbox.faults.add([
    { kind: 'wrong_result', text, operation: RESULT },
    { kind: 'keep_result', operation: RESULT },
  ]);
  const run = await rig.once();
  expect(run).toMatchObject({ code: 1, delivered: 0, held: [] });
  expect(run.failed[0]?.reason).toMatch(/more than 67,109,\d+ bytes, which no result/);
  const paid = billed(rig);
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
  expect(billed(rig)).toBe(paid);
});

describe('money', () => {
  test('plan says what each kind costs, and the bill agrees with it', async ({ expect }) => {
    await using rig = await office({
      files: {
        'in/a.docx': wordFile('Hello world'),
        'in/b.txt': 'Grüße 👋\n',
        'in/c.html': '<html lang="en"><body><p>Good <b>morning</b></p></body></html>',
        'in/d.srt': '1\n00:00:01,000 --> 00:00:02,000\nHello there\n',
      },
      route: ', lane: document',
    });
    const { stdout } = await rig.run('plan', '--json');
    const plan = JSON.parse(stdout);
    const prices = Object.fromEntries(
      plan.jobs.map((job: { source: string; estimated_characters: number }) => [
        job.source,
        job.estimated_characters,
      ]),
    );
    expect(prices).toEqual({
      'in/a.docx': MINIMUM,
      'in/b.txt': 8,
      'in/c.html': 12,
      'in/d.srt': 11,
    });
    expect(requests(rig, UPLOAD)).toBe(0);
    const run = await rig.once();
    expect(run).toMatchObject({
      code: 0,
      delivered: 4,
      billed_characters: plan.estimated_characters,
      estimated_characters: plan.estimated_characters,
    });
    expect(billed(rig)).toBe(plan.estimated_characters);
  });

  test('the price of a PDF or an image is given as a lower bound', async ({ expect }) => {
    await using rig = await office({
      files: { 'in/a.pdf': '%PDF-1.7\n%%EOF\n', 'in/b.png': '\x89PNG IEND' },
    });
    rig.write('in/b.png', Buffer.from('\x89PNG\r\n\x1a\nIEND\xae\x42\x60\x82', 'latin1'));
    const { jobs } = JSON.parse((await rig.run('plan', '--json')).stdout);
    expect(jobs).toMatchObject([
      { source: 'in/a.pdf', estimated_characters: MINIMUM, at_least: true },
      { source: 'in/b.png', estimated_characters: 0, at_least: true },
    ]);
  });

  test('copies under other names, in other folders and other projects are copied, not bought', async ({
    expect,
  }) => {
    const bytes = wordFile('The same in three places');
    await using rig = await office({
      files: { 'in/a.docx': bytes, 'in/sub/b.docx': bytes },
      targets: 'de, fr',
    });
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 4 });
    expect(billed(rig)).toBe(2 * MINIMUM);
    rig.write('in/late.docx', bytes);
    const { stdout } = await rig.run('plan', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ estimated_characters: 0 });
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 2, requests: 0 });
    expect(readFileSync(rig.path('out/de/late.docx'))).toEqual(
      readFileSync(rig.path('out/de/sub/b.docx')),
    );
  });

  test('a renamed source takes its translation along, and a deleted target comes back, both for nothing', async ({
    expect,
  }) => {
    await using rig = await office({ files: { 'in/a.docx': wordFile('Rename me') } });
    await rig.once();
    rig.write('in/b.docx', readFileSync(rig.path('in/a.docx')));
    rig.remove('in/a.docx');
    expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
    expect(rig.exists('out/de/b.docx')).toBe(true);
    rig.remove('out/de/b.docx');
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 1, requests: 0 });
    expect(rig.exists('out/de/b.docx')).toBe(true);
  });

  test('approve_over holds what costs more, with its price, until a person approves', async ({
    expect,
  }) => {
    await using rig = await office({
      files: { 'in/a.docx': wordFile('Expensive') },
      route: ', approve_over: 10000',
    });
    const run = await rig.once();
    expect(run).toMatchObject({ code: 2, requests: 0 });
    expect(run.held[0]?.reason).toMatch(/50,000 characters are more than approve_over/);
    expect((await rig.run('approve', '--all', '--yes')).code).toBe(0);
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
  });

  test('a month budget holds the document that would exceed it, while others are still in flight', async ({
    expect,
  }) => {
    await using rig = await office({
      files: { 'in/a.docx': wordFile('One'), 'in/b.docx': wordFile('Two') },
      project: 'budget: { month: 60000 }',
    });
    const run = await rig.once();
    expect(run).toMatchObject({ code: 2, delivered: 1 });
    expect(billed(rig)).toBe(MINIMUM);
  });
});

describe('people', () => {
  async function edited(project = ''): Promise<Rig> {
    const rig = await office({ files: { 'in/a.txt': 'First version\n' }, project });
    await rig.once();
    writeFileSync(rig.path('out/de/a.txt'), 'Von Menschen\n');
    return rig;
  }

  test('an edited translation stays, and costs nothing while its source stays', async ({
    expect,
  }) => {
    await using rig = await edited();
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 0, requests: 0 });
    expect(await rig.once()).toMatchObject({ code: 0, unchanged: 1, requests: 0 });
    expect(rig.read('out/de/a.txt')).toBe('Von Menschen\n');
  });

  test('a result for an earlier source that git puts back is no edit: the present one is written again for nothing, and follows its source', async ({
    expect,
  }) => {
    await using rig = await office({ files: { 'in/a.txt': 'First version\n' } });
    await rig.once();
    const first = rig.read('out/de/a.txt');
    rig.write('in/a.txt', 'Second version\n');
    await rig.once();
    const second = rig.read('out/de/a.txt');
    rig.write('out/de/a.txt', first);
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 1, requests: 0 });
    expect(rig.read('out/de/a.txt')).toBe(second);
    rig.write('out/de/a.txt', first);
    rig.write('in/a.txt', 'Third version\n');
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 1, held: [] });
    expect([first, second]).not.toContain(rig.read('out/de/a.txt'));
  });

  test('when its source changes it is held with a price, bought only on --machine, and the old one is in the trash', async ({
    expect,
  }) => {
    await using rig = await edited();
    const before = billed(rig);
    rig.write('in/a.txt', 'Second version\n');
    const run = await rig.once();
    expect(run).toMatchObject({ code: 2, requests: 0 });
    expect(run.held[0]).toMatchObject({
      reason: 'a person wrote or edited the translated file',
      next_step: expect.stringContaining('buys the new version for 15 characters'),
    });
    expect(await rig.once()).toMatchObject({ code: 2, requests: 0 });
    expect((await rig.run('resolve', 'out/de/a.txt', '--machine')).code).toBe(0);
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
    expect(billed(rig) - before).toBe('Second version\n'.length);
    expect(rig.read('out/de/a.txt')).not.toBe('Von Menschen\n');
    rig.remove('out/de/a.txt');
    await rig.run('restore', 'out/de/a.txt');
    expect(rig.read('out/de/a.txt')).toBe('Von Menschen\n');
  });

  test('a target that is too large to be read is of a person: plan and once say so, and read none of it', async ({
    expect,
  }) => {
    await using rig = await edited();
    rig.write('in/a.txt', 'Second version\n');
    truncateSync(rig.path('out/de/a.txt'), 300 * 1024 ** 3);
    const plan = await rig.run('plan', '--json');
    const reason = expect.stringContaining('a person wrote or edited the translated file');
    expect(JSON.parse(plan.stdout)).toMatchObject({ jobs: [{ would_hold: reason }] });
    const run = await rig.once();
    expect(run).toMatchObject({ code: 2, requests: 0, held: [{ reason }] });
  });

  test('--human keeps the text of the person for nothing', async ({ expect }) => {
    await using rig = await edited();
    rig.write('in/a.txt', 'Second version\n');
    await rig.once();
    expect((await rig.run('resolve', 'out/de/a.txt', '--human')).code).toBe(0);
    expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
    expect(await rig.once()).toMatchObject({ code: 0, unchanged: 1, requests: 0 });
    expect(rig.read('out/de/a.txt')).toBe('Von Menschen\n');
  });

  test('human_edits: keep leaves it, overwrite replaces it', async ({ expect }) => {
    await using kept = await edited('human_edits: keep');
    kept.write('in/a.txt', 'Second version\n');
    expect(await kept.once()).toMatchObject({ code: 0, requests: 0 });
    expect(kept.read('out/de/a.txt')).toBe('Von Menschen\n');
    await using replaced = await edited('human_edits: overwrite');
    replaced.write('in/a.txt', 'Second version\n');
    expect(await replaced.once()).toMatchObject({ code: 0, delivered: 1 });
    expect(replaced.read('out/de/a.txt')).not.toBe('Von Menschen\n');
  });

  test('a version that is paid already goes beside the edited one', async ({ expect }) => {
    await using rig = await edited();
    rig.write('in/other.txt', 'Second version\n');
    await rig.once();
    rig.write('in/a.txt', 'Second version\n');
    const run = await rig.once();
    expect(run).toMatchObject({ code: 2, requests: 0 });
    expect(run.held[0]?.reason).toContain('out/de/a.machine.txt');
    expect(rig.read('out/de/a.machine.txt')).toBe(rig.read('out/de/other.txt'));
    expect(rig.read('out/de/a.txt')).toBe('Von Menschen\n');
    await rig.run('resolve', 'out/de/a.txt', '--machine');
    expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
    expect(rig.read('out/de/a.txt')).toBe(rig.read('out/de/other.txt'));
    expect(rig.exists('out/de/a.machine.txt')).toBe(false);
  });

  test('a version that was put beside the edited one goes with the run that put it there', async ({
    expect,
  }) => {
    await using rig = await edited();
    rig.write('in/other.txt', 'Second version\n');
    await rig.once();
    rig.write('in/a.txt', 'Second version\n');
    await rig.once();
    expect(rig.exists('out/de/a.machine.txt')).toBe(true);
    await rig.run('undo', '--yes');
    expect(rig.exists('out/de/a.machine.txt')).toBe(false);
    expect(rig.read('out/de/a.txt')).toBe('Von Menschen\n');
    expect(await rig.once()).toMatchObject({ requests: 0 });
    expect(rig.read('out/de/a.txt')).toBe('Von Menschen\n');
  });

  test('an existing translation is adopted at first contact', async ({ expect }) => {
    await using rig = await office({
      files: { 'in/a.docx': wordFile('Hello'), 'out/de/a.docx': wordFile('Hallo') },
    });
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 0, requests: 0 });
    expect(textOf(rig, 'out/de/a.docx')).toContain('Hallo');
  });

  test('a page that a person wrote waits for a person when its source changes, and nothing is bought', async ({
    expect,
  }) => {
    const human = '<p title="Tipp">Hallo, <b>Welt</b></p><!-- von Anna -->\n';
    await using rig = await office({
      files: { 'in/a.html': '<p title="Tip">Hello <b>world</b></p>\n', 'out/de/a.html': human },
    });
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 0, requests: 0 });
    rig.write('in/a.html', '<p title="Tip">Hello <b>big world</b></p>\n');
    const { held, code } = await rig.once();
    expect({ code, reasons: held.map(({ reason }) => reason) }).toEqual({
      code: 2,
      reasons: ['a person wrote or edited the translated file'],
    });
    expect(billed(rig)).toBe(0);
    expect(rig.read('out/de/a.html')).toBe(human);
    await rig.run('resolve', 'out/de/a.html', '--human');
    expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
    expect(rig.read('out/de/a.html')).toBe(human);
  });
});

describe('failures end one language, with the reason and the next step', () => {
  test.for<[string, SimulatedFault, RegExp]>([
    [
      'a service that cannot translate it',
      { kind: 'failed_job', message: 'Broken fonts.', operation: STATUS, times: 1 },
      /Broken fonts/,
    ],
    ['413', { kind: 'status', status: 413, operation: UPLOAD, times: 1 }, /too large/],
    ['415', { kind: 'status', status: 415, operation: UPLOAD, times: 1 }, /415/],
    [
      '400',
      {
        kind: 'status',
        status: 400,
        message: 'target_lang is not supported',
        operation: UPLOAD,
        times: 1,
      },
      /not supported/,
    ],
    [
      '404 on a poll',
      { kind: 'lost_job', operation: STATUS, times: 1 },
      /does not know the document any more/,
    ],
    [
      'a lost answer',
      { kind: 'no_answer', operation: UPLOAD, times: 1 },
      /may have accepted and billed it/,
    ],
    [
      'a web page instead of the answer to an upload',
      { kind: 'status', status: 200, format: 'html', operation: UPLOAD, times: 1 },
      /answered 200 with a web page: the service may have accepted and billed it/,
    ],
    [
      'a result that breaks off',
      { kind: 'cut_body', bytes: 100, operation: RESULT, times: 1 },
      /the result was lost/,
    ],
  ])('%s', async ([, fault, reason], { expect }) => {
    await using rig = await office({
      files: { 'in/a.docx': wordFile('Trouble') },
      targets: 'de, fr',
      faults: [fault],
    });
    const run = await rig.once();
    const trouble = [...run.held, ...run.failed];
    expect(trouble).toHaveLength(1);
    expect(trouble[0]?.reason).toMatch(reason);
    expect(run.delivered).toBe(1);
    const before = requests(rig, UPLOAD);
    await rig.once();
    expect(requests(rig, UPLOAD)).toBe(before);
    await rig.run('retry', '--all', '--yes');
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
    expect(rig.exists('out/de/a.docx') && rig.exists('out/fr/a.docx')).toBe(true);
    expect(await wrongBooks(rig)).toBeUndefined();
  });

  test('copies of a document in doubt are delivered for nothing when one of them is bought again', async ({
    expect,
  }) => {
    const bytes = wordFile('In doubt');
    await using rig = await office({
      files: { 'in/a.docx': bytes, 'in/b.docx': bytes, 'in/sub/c.docx': bytes },
      faults: [{ kind: 'no_answer', operation: UPLOAD, times: 1 }],
    });
    expect((await rig.once()).held).toHaveLength(3);
    await rig.run('retry', 'out/de/b.docx', '--yes');
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 3, held: [] });
    expect(requests(rig, UPLOAD)).toBe(2);
  });

  test('503 on an upload is waited for', async ({ expect }) => {
    await using rig = await office({
      files: { 'in/a.docx': wordFile('Busy') },
      faults: [{ kind: 'status', status: 503, operation: UPLOAD, times: 2 }],
    });
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
    expect(billed(rig)).toBe(MINIMUM);
  });

  test('an upload that is cut before its end is sent again, and billed once', async ({
    expect,
  }) => {
    const image = randomBytes(8_000_000);
    await using rig = await office({
      files: { 'in/a.docx': wordFile('Cut', new Map([['word/media/image1.png', image]])) },
      faults: [{ kind: 'reset', operation: UPLOAD, times: 1 }],
    });
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
    expect(requests(rig, UPLOAD)).toBe(2);
    expect(billed(rig)).toBe(MINIMUM);
  });

  test('the price of asking again is shown first', async ({ expect }) => {
    await using rig = await office({
      files: { 'in/a.docx': wordFile('Trouble') },
      faults: [{ kind: 'failed_job', message: 'Broken fonts.', operation: STATUS, times: 1 }],
    });
    await rig.once();
    const { code, stdout } = await rig.run('retry', '--failed');
    expect(stdout).toContain('up to 50,000 characters');
    expect(code).toBe(2);
  });

  test('456 stops the paid work, and nothing is lost', async ({ expect }) => {
    await using rig = await office({
      files: { 'in/a.docx': wordFile('Quota') },
      faults: [{ kind: 'quota', characters: 10, operation: UPLOAD }],
    });
    expect((await rig.once()).code).toBe(75);
    rig.sandbox.faults.clear();
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
  });

  test('a damaged or protected file is found before it costs anything', async ({ expect }) => {
    const protectedFile = Buffer.concat([
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      Buffer.alloc(4096),
    ]);
    await using rig = await office({
      files: {
        'in/locked.docx': protectedFile,
        'in/locked.pdf': LOCKED_PDF,
        'in/notes.docx': 'no archive at all',
      },
    });
    const run = await rig.once();
    expect(run.code).toBe(1);
    expect(run.failed.map(({ reason }) => reason).sort()).toEqual([
      expect.stringContaining('protected with a password'),
      expect.stringContaining('locked.pdf: it is protected with a password'),
      expect.stringContaining('it is no docx file'),
    ]);
    expect(requests(rig, 'POST /v2/document')).toBe(0);
  });

  test('a document that is cut off is held until it is whole, and the others go on', async ({
    expect,
  }) => {
    const whole = wordFile('Cut off');
    await using rig = await office({
      files: { 'in/cut.docx': whole.subarray(0, 500), 'in/b.txt': 'Whole\n', 'in/empty.docx': '' },
    });
    const run = await rig.once();
    expect(run).toMatchObject({ code: 2, delivered: 1, failed: [] });
    expect(run.held).toMatchObject([
      { source: 'in/cut.docx', reason: expect.stringContaining('the end record') },
    ]);
    expect((await rig.once('--frozen')).code).toBe(2);
    expect((await rig.once('in/b.txt')).code).toBe(0);
    rig.write('in/cut.docx', whole);
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 1, held: [] });
  });

  test('a service that forgot everything loses no money silently', async ({ expect }) => {
    await using rig = await office({
      time: 'real',
      files: { 'in/a.docx': wordFile('Forgotten') },
      faults: [{ kind: 'unknown_state', state: 'translating', operation: STATUS, times: 1 }],
    });
    const daemon = await rig.daemon();
    await until(() => requests(rig, STATUS) > 0);
    const bringBack = await rig.stopService();
    await bringBack();
    await daemon.logged((line) => line.kind === 'job-held');
    await daemon.stop();
    expect(requests(rig, UPLOAD)).toBe(0);
    const { stdout } = await rig.run('status', '--json');
    expect(JSON.parse(stdout).attention[0]).toMatchObject({ price_characters: MINIMUM });
  });
});

describe('settings', () => {
  test('minify sends the document without its media and puts them back byte for byte', async ({
    expect,
  }) => {
    const image = Buffer.alloc(400_000, 'picture');
    await using rig = await office({
      files: {
        'in/a.docx': wordFile('With a picture', new Map([['word/media/image1.png', image]])),
      },
      route: ', minify: true',
      service: '  limits: { docx: 10KB }',
    });
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
    const sent = rig.sandbox.log().find(({ operation }) => operation === UPLOAD);
    expect(sent?.bytes).toBeLessThan(10_000);
    const zip = openZip(readFileSync(rig.path('out/de/a.docx')), 'a.docx');
    const entry = zip.entries.find(({ name }) => name === 'word/media/image1.png');
    expect(entry && Buffer.from(unpackEntry(zip, entry))).toEqual(image);
    expect(textOf(rig, 'out/de/a.docx')).not.toContain('With a picture');
  });

  test('a document is priced by its text, however large its media are', async ({ expect }) => {
    const film = randomBytes(34_000_000);
    await using rig = await office({
      files: { 'in/a.docx': wordFile('With a film', new Map([['word/media/film.mp4', film]])) },
      route: ', minify: true',
      project: 'budget: { month: 60000 }',
    });
    const { jobs } = JSON.parse((await rig.run('plan', '--json')).stdout);
    expect(jobs).toMatchObject([{ estimated_characters: MINIMUM }]);
    expect(jobs[0]).not.toHaveProperty('at_least');
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
  });

  test('html and txt go segment by segment where the route says so', async ({ expect }) => {
    await using rig = await office({ files: { 'in/a.txt': 'Hello\n' }, route: ', lane: text' });
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
    expect(requests(rig, UPLOAD)).toBe(0);
  });

  test('a doc whose target is named a doc is refused before it is paid: it comes back as docx', async ({
    expect,
  }) => {
    const bytes = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(4096)]);
    await using rig = await office({ files: { 'in/a.doc': bytes } });
    const config = rig.read('dragoman.yaml');
    rig.write('dragoman.yaml', config.replace('{name}.{ext}', '{name}.doc'));
    const run = await rig.once();
    expect(run.failed).toMatchObject([{ reason: expect.stringContaining('becomes docx') }]);
    expect(requests(rig, UPLOAD)).toBe(0);
  });

  test('XLIFF 2.1 is a document, 1.2 are strings', async ({ expect }) => {
    const xliff2 =
      '<?xml version="1.0"?><xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.1" srcLang="en" trgLang="de"><file id="f"><unit id="u"><segment><source>Hello</source></segment></unit></file></xliff>';
    const xliff1 =
      '<?xml version="1.0"?><xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" version="1.2"><file original="a" source-language="en" target-language="de" datatype="plaintext"><body><trans-unit id="u"><source>Hello</source></trans-unit></body></file></xliff>';
    await using rig = await office({ files: { 'in/two.xlf': xliff2, 'in/one.xlf': xliff1 } });
    const { jobs } = JSON.parse((await rig.run('plan', '--json')).stdout);
    expect(
      jobs.map(({ source, lane }: { source: string; lane: string }) => `${source} ${lane}`).sort(),
    ).toEqual(['in/one.xlf text', 'in/two.xlf document']);
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 2 });
  });

  test('the plan notes the rules that documents do not take', async ({ expect }) => {
    await using rig = await office({
      files: { 'in/a.txt': 'Hello\n' },
      project: 'context: "A bank"',
    });
    const { notes } = JSON.parse((await rig.run('plan', '--json')).stdout);
    expect(notes).toEqual(['office: the service takes no context with documents']);
  });

  test('the glossary of the project goes out with the upload, and is made again when somebody deleted it', async ({
    expect,
  }) => {
    await using rig = await office({
      files: { 'in/a.txt': 'The harbour\n', 'terms.csv': 'harbour,Hafen,en,de\n' },
      project: 'glossary: { name: terms, csv: terms.csv }',
      faults: [{ kind: 'delete_glossary', operation: UPLOAD, times: 1 }],
    });
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
    expect(rig.read('out/de/a.txt')).toContain('Hafen');
    expect(requests(rig, UPLOAD)).toBe(2);
  });

  test('formality goes out with the upload', async ({ expect }) => {
    await using rig = await office({
      files: { 'in/a.txt': 'Hello\n' },
      project: 'formality: prefer_less',
    });
    await rig.once();
    const [sent] = rig.sandbox.log().filter(({ operation }) => operation === UPLOAD);
    expect(sent?.recipe).toContain('prefer_less');
  });
});

test('a source that changes while it is translated: both are paid, the newer one is delivered, the older one is kept', async ({
  expect,
}) => {
  await using rig = await office({
    time: 'real',
    files: { 'in/a.txt': 'First version\n' },
  });
  const daemon = await rig.daemon();
  await until(() => requests(rig, UPLOAD) > 0);
  rig.write('in/a.txt', 'Second version\n');
  await daemon.logged((line) => line.kind === 'job-delivered');
  await daemon.stop();
  expect(requests(rig, UPLOAD)).toBe(2);
  expect(requests(rig, RESULT)).toBe(2);
  rig.write('in/a.txt', 'First version\n');
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1, requests: 0 });
});

test('when facts were lost, documents without a target are held, and those with one adopted', async ({
  expect,
}) => {
  await using rig = await office({ files: { 'in/a.txt': 'One\n', 'in/b.txt': 'Two\n' } });
  await rig.once();
  rig.remove('out/de/b.txt');
  for (const name of readdirSync(rig.path('.dragoman'))) {
    if (/^(?:db|journal)\./.test(name)) writeFileSync(rig.path(`.dragoman/${name}`), 'rotten');
  }
  const before = requests(rig, UPLOAD);
  const run = await rig.once();
  expect(run).toMatchObject({ code: 2, requests: 0 });
  expect(run.held).toMatchObject([
    { source: 'in/b.txt', reason: expect.stringMatching(/state was lost/) },
  ]);
  rig.write('in/new.txt', 'Three\n');
  expect(await rig.once()).toMatchObject({ delivered: 1 });
  expect(requests(rig, UPLOAD)).toBe(before + 1);
});
