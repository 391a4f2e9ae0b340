/** A link of a reviewer: the things that it opens, those that it must not open, and its end. */
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ReviewPortion, ReviewRow } from '../../src/control/review-report.ts';
import { ReviewLinks } from '../../src/state/review-links.ts';
import { manualClock } from '../manual-clock.ts';
import { type Daemon, Rig } from '../rig.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { chromiumPath, launchBrowser, openProfile } from './browser.ts';
import { addressOf } from './installation.ts';

const CONFIG = `
lock: dragoman.lock
log: { level: debug }
page:
  listen: "127.0.0.1:0"
  reviewers:
    - { name: Anna B, languages: [de] }
    - { name: bert, languages: [fr] }
defaults: { settle_ms: 50, review: { want: [machine] } }
projects:
  webshop:
    source: en
    targets: [de, fr]
    routes: [{ from: "locales/{locale}/*.json" }]
  secret:
    root: secret
    source: en
    targets: [fr]
    routes: [{ from: "{locale}/*.json" }]
`;
const json = (texts: Record<string, string>) => `${JSON.stringify(texts, null, 2)}\n`;

let rig: Rig;
let daemon: Daemon;
let port: number;
let token: string;
let cookie: string;

beforeAll(async () => {
  rig = await Rig.start({
    config: CONFIG,
    files: {
      'locales/en/app.json': json({ title: 'Welcome {name}', bye: 'Goodbye' }),
      'secret/en/plan.json': json({ plan: 'We buy the other shop' }),
    },
  });
  await rig.once();
  daemon = await rig.daemon();
  port = Number(new URL(await addressOf(rig)).port);
  const made = await rig.run('review', 'link', 'Anna B', '--expires', '2h');
  expect(made).toMatchObject({ code: 0 });
  expect(made.stderr).toContain('can read and edit de until');
  const { origin, hash } = new URL(made.stdout.trim());
  expect(origin).toBe(`http://127.0.0.1:${port}`);
  token = hash.slice('#token='.length);
  cookie = await sessionOf(token);
});
afterAll(() => rig?.[Symbol.asyncDispose]());

async function post(path: string, body: object, own: string = cookie) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', cookie: own },
  });
  const setCookie = response.headers.get('set-cookie') ?? '';
  return { status: response.status, setCookie, body: await response.text() };
}
async function sessionOf(key: string): Promise<string> {
  const { setCookie } = await post('/api/session', { token: key }, '');
  return setCookie.split(';')[0] ?? '';
}
const LIST = { states: [], from: 0, count: 100 };
const list = async (more: object = {}) =>
  JSON.parse((await post('/api/review/list', { ...LIST, ...more })).body) as ReviewPortion;
const bye = async () => (await list()).rows.find(({ text }) => text.key === 'bye') as ReviewRow;
const saveOf = ({ project, file, language, text }: ReviewRow, said: string) => ({
  ...{ project, file, language, id: text.id, source: text.source_hash, was: text.target_hash },
  ...{ text: said, reviewed: true },
});

test('the holder of a link lists and edits the texts of their languages, in their own name', async () => {
  expect(await list()).toMatchObject({ languages: ['de'], projects: ['webshop'], total: 2 });
  const saved = await post('/api/review/save', saveOf(await bye(), 'Bis bald'));
  expect(saved.status).toBe(200);
  expect(rig.json('locales/de/app.json')['bye']).toBe('Bis bald');
  expect((await bye()).edited).toMatchObject({ by: 'Anna B', how: 'page' });
  const { stdout } = await rig.run('explain', 'locales/de/app.json', 'bye');
  expect(stdout).toMatch(/^target +Bis bald$/m);
  expect(stdout).toMatch(/^by +human \(Anna B, 20[\d-]+T[\d:.]+Z, page\)$/m);
});

test.each(['change', 'conflicts', 'release', 'resolve', 'pause', 'resume'])(
  'a link may not call /api/%s, whatever it sends',
  async (name) => {
    const job = { project: 'webshop', language: 'de', file: rig.path('locales/de/app.json') };
    const bodies = [
      {},
      job,
      { ...job, choice: { kind: 'machine' } },
      { task: 'x', verb: 'approve', at_most: { price_characters: 1e9, price_seconds: 1e9 } },
    ];
    for (const body of bodies) expect((await post(`/api/${name}`, body)).status).toBe(403);
  },
);

test.each(['fr', 'FR', 'fr-FR', 'en', '', '*', '../fr', 'de,fr', 'ja', '__proto__'])(
  'a link for German neither lists nor saves in the language "%s"',
  async (language) => {
    const listed = await post('/api/review/list', { ...LIST, language });
    expect(listed.status).toBe(403);
    const saved = await post('/api/review/save', { ...saveOf(await bye(), 'x'), language });
    expect(saved.status).toBe(403);
    expect(listed.body + saved.body).not.toMatch(/We buy|Au revoir|plan/);
  },
);

test('no path and no search shows anything of other projects and files', async () => {
  expect(await list({ project: 'secret' })).toMatchObject({ total: 0, rows: [], files: [] });
  for (const file of ['secret/en/plan.json', '../secret/en/plan.json', '/etc/passwd', '..', '.']) {
    expect(await list({ file })).toMatchObject({ total: 0, rows: [] });
    const saved = await post('/api/review/save', { ...saveOf(await bye(), 'x'), file });
    expect(saved.status).toBe(422);
  }
  expect(await list({ text: 'buy the other' })).toMatchObject({ total: 0 });
  const everything = JSON.stringify([await list(), await post('/api/review/list', LIST)]);
  for (const word of ['secret', 'We buy', rig.root, '"fr"']) expect(everything).not.toContain(word);
});

test('a request cannot set the name or the rights of a reviewer in its body', async () => {
  const save = saveOf(await bye(), 'x');
  for (const more of [{ by: 'boss' }, { allowed: ['fr'] }, { how: 'import' }]) {
    expect((await post('/api/review/save', { ...save, ...more })).status).toBe(400);
    expect((await post('/api/review/list', { ...LIST, ...more })).status).toBe(400);
  }
});

test('the events of a link hold its name and languages, and nothing of the overview', async () => {
  const response = await fetch(`http://127.0.0.1:${port}/api/events`, { headers: { cookie } });
  const reader = response.body?.getReader();
  let text = '';
  while (!text.includes('\n\n', text.indexOf('data:'))) {
    text += Buffer.from((await reader?.read())?.value ?? []).toString('utf8');
  }
  await reader?.cancel();
  expect(text).toContain('data: {"reviewer":{"name":"Anna B","languages":["de"]}}');
  expect(text).not.toContain('jobs');
});

test('a token that is changed, cut off or only its hash opens nothing', async () => {
  const kept = rig.read('.dragoman/review-links.json');
  const hash = /"hash": "(\w+)"/.exec(kept)?.[1] ?? '';
  expect(hash).toHaveLength(64);
  for (const wrong of [hash, `review-${hash}`, token.slice(0, -1), `${token}A`, 'review-']) {
    const opened = await post('/api/session', { token: wrong }, '');
    expect(opened.status).toBe(401);
    const listed = await post('/api/review/list', LIST, `dragoman_${port}=${wrong}`);
    expect(listed.status).toBe(401);
  }
});

test('no file of the state and no line of the log has the token, and scripts cannot read the cookie', async () => {
  const { setCookie } = await post('/api/session', { token }, '');
  expect(setCookie).toMatch(/; HttpOnly; SameSite=Strict; Path=\/; Max-Age=\d+$/);
  expect(rig.read('.dragoman/review-links.json')).not.toContain(token);
  expect(JSON.stringify(daemon.lines)).not.toContain(token);
  const listed = await rig.run('review', 'link');
  expect(listed.stdout).toMatch(/^Anna B: de; made .*, ends /m);
  expect(listed.stdout + (await rig.run('review', 'link', '--json')).stdout).not.toContain(token);
});

test('a link is made for people of the config only, and for as long as is said', async () => {
  const stranger = await rig.run('review', 'link', 'Anna');
  expect(stranger).toMatchObject({ code: 1 });
  expect(stranger.stderr).toContain('page.reviewers has no "Anna"');
  for (const expires of ['soon', '0s', '400d']) {
    expect((await rig.run('review', 'link', 'bert', '--expires', expires)).code).toBe(64);
  }
});

test('revoking ends a link at once, also where the page is open', async () => {
  const { stdout } = await rig.run('review', 'link', 'bert');
  const own = await sessionOf(stdout.trim().split('#token=')[1] ?? '');
  expect((await post('/api/review/list', LIST, own)).status).toBe(200);
  const headers = { cookie: own };
  const events = await fetch(`http://127.0.0.1:${port}/api/events`, { headers });
  const told = textUntilEnd(events);
  expect(await rig.run('review', 'link', 'bert', '--revoke')).toMatchObject({ code: 0 });
  // It ends with the link, not with a heartbeat.
  expect(await told).not.toContain('still here');
  expect((await post('/api/review/list', LIST, own)).status).toBe(401);
  expect((await rig.run('review', 'link', 'bert', '--revoke')).code).toBe(1);
  expect((await post('/api/review/list', LIST)).status).toBe(200);
});

test('a save that was begun before its link ended, and is sent to its end after it, is refused', async () => {
  const { stdout } = await rig.run('review', 'link', 'bert');
  const own = await sessionOf(stdout.trim().split('#token=')[1] ?? '');
  const [row] = (JSON.parse((await post('/api/review/list', LIST, own)).body) as ReviewPortion)
    .rows;
  const save = request({
    ...{ host: '127.0.0.1', port, method: 'POST', path: '/api/review/save' },
    headers: { 'content-type': 'application/json', cookie: own, expect: '100-continue' },
  });
  save.flushHeaders();
  // By then the server has let the request in, and waits for its body.
  await once(save, 'continue');
  expect(await rig.run('review', 'link', 'bert', '--revoke')).toMatchObject({ code: 0 });
  save.end(JSON.stringify(saveOf(row as ReviewRow, 'Trop tard')));
  const [response] = (await once(save, 'response')) as [IncomingMessage];
  expect(response.resume().statusCode).toBe(401);
  expect(rig.read('locales/fr/app.json')).not.toContain('Trop tard');
});

async function textUntilEnd({ body }: Response): Promise<string> {
  let text = '';
  try {
    for await (const chunk of body ?? []) text += Buffer.from(chunk).toString('utf8');
  } catch {
    // A stream that is broken off is over.
  }
  return text;
}

test('a link survives a restart, and ends when its time is over or its file is damaged', async () => {
  const clock = manualClock();
  const file = join(await temporaryFolder(), 'review-links.json');
  const made = await (await ReviewLinks.open(file, clock)).make({ name: 'a', lastsMs: 1000 });
  const again = await ReviewLinks.open(file, clock);
  expect(again.find(made.token)).toMatchObject({ name: 'a' });
  await clock.pass(1000);
  expect(again.find(made.token)).toBeUndefined();
  expect(again.list()).toEqual([]);
  await writeFile(file, '{ "links": [');
  const damaged = await ReviewLinks.open(file, manualClock());
  expect(damaged.find(made.token)).toBeUndefined();
  expect(() => damaged.list()).toThrow(/no link of a reviewer is valid/);
});

test.skipIf(chromiumPath === undefined)(
  'a reviewer whose link ends while the page is open reads that it ended, and no command of the owner',
  async () => {
    await using browser = await launchBrowser();
    await using profile = await openProfile(browser);
    const page = await profile.newPage();
    await page.goto((await rig.run('review', 'link', 'bert')).stdout.trim());
    await page.getByLabel('Translation (fr)').waitFor();
    expect(await rig.run('review', 'link', 'bert', '--revoke')).toMatchObject({ code: 0 });
    await page.getByText('Your link has ended.').waitFor();
    expect(await page.textContent('main')).toContain('Ask for another one.');
    expect(await page.textContent('main')).not.toContain('dragoman dashboard');
  },
);
