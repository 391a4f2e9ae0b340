/** What the page says when a text is not saved: a translator with a browser can do it, and no sentence gives a command. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ReviewPortion, ReviewRow } from '../../src/control/review-report.ts';
import type { Rig } from '../rig.ts';
import { startPage } from './installation.ts';

const CONFIG = `
lock: dragoman.lock
page:
  listen: "127.0.0.1:0"
  reviewers: [{ name: anna, languages: [de] }]
defaults: { settle_ms: 50, review: { want: [machine] } }
projects:
  shop:
    source: en
    targets: [de]
    routes:
      - { from: "en/*.json", to: "{locale}/{name}.json" }
      - { from: "en/*.md", to: "{locale}/{name}.md" }
`;
const listOf = (...list: readonly string[]) => `${JSON.stringify({ list }, null, 2)}\n`;

let rig: Rig;
let address: string;
let owner: string;
let anna: string;

async function send(path: string, body: object, cookie = owner) {
  return await fetch(new URL(path, address), {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify(body),
  });
}
async function sessionOf(link: string): Promise<string> {
  const token = new URLSearchParams(new URL(link).hash.slice(1)).get('token');
  const opened = await send('/api/session', { token }, '');
  return opened.headers.get('set-cookie')?.split(';')[0] ?? '';
}
async function rowsOf(file: string): Promise<readonly ReviewRow[]> {
  const asked = { language: 'de', states: [], file, from: 0, count: 100 };
  return ((await (await send('/api/review/list', asked)).json()) as ReviewPortion).rows;
}
async function rowOf(file: string, source: string): Promise<ReviewRow> {
  return (await rowsOf(file)).find(({ text }) => text.source === source) as ReviewRow;
}
const seenIn = ({ project, file, language, text }: ReviewRow) => ({
  ...{ project, file, language, id: text.id, source: text.source_hash, was: text.target_hash },
});
async function save(row: ReviewRow, text: string, cookie = owner) {
  const body = { ...seenIn(row), text, reviewed: false };
  const answer = await send('/api/review/save', body, cookie);
  return {
    status: answer.status,
    ...((await answer.json()) as { error?: string; row?: ReviewRow }),
  };
}

/** Names of commands and advice for a terminal. */
const OTHER_SURFACE = /dragoman |`|--|\bimport\b|\bexport\b/i;

beforeAll(async () => {
  ({ rig, address } = await startPage({
    config: CONFIG,
    files: {
      'en/list.json': listOf('Alpha', 'Bravo', 'Charlie'),
      'en/page.md': 'One paragraph.\n',
      'en/app.json': '{\n  "title": "Welcome",\n  "bye": "Goodbye"\n}\n',
    },
  }));
  expect((await rig.run('pause')).code).toBe(0);
  owner = await sessionOf(address);
  anna = await sessionOf((await rig.run('review', 'link', 'anna')).stdout.trim());
});
afterAll(() => rig?.[Symbol.asyncDispose]());

test('a text whose page has no place for it yet can be saved after the next run', async () => {
  rig.write('en/page.md', 'One paragraph.\n\nA new paragraph.\n');
  const row = await rowOf('en/page.md', 'A new paragraph.');
  expect(row.text.state).toBe('missing');
  const { status, error } = await save(row, 'Ein neuer Absatz.');
  expect(status).toBe(422);
  expect(error).toMatch(/no place for it yet: save it after the next run$/);
  expect(error).not.toMatch(OTHER_SURFACE);
});

test('an element of a list that was moved in the source can be saved after the next run', async () => {
  rig.write('en/list.json', listOf('New', 'Alpha', 'Bravo', 'Charlie'));
  const row = await rowOf('en/list.json', 'Bravo');
  const { status, error } = await save(row, 'Besser');
  expect(status).toBe(422);
  expect(error).toMatch(/save it after the next run$/);
  expect(error).not.toMatch(OTHER_SURFACE);
});

test('a save before which there was no translation cannot be undone, and says why without a command', async () => {
  rig.write('en/app.json', '{\n  "title": "Welcome",\n  "bye": "Goodbye",\n  "new": "New"\n}\n');
  const { row } = await save(await rowOf('en/app.json', 'New'), 'Neu');
  if (row === undefined) throw new Error('it is not saved');
  const undone = await send('/api/review/undo', { ...seenIn(row), at: row.edited?.at ?? '' });
  expect(undone.status).toBe(422);
  expect(((await undone.json()) as { error: string }).error).not.toMatch(OTHER_SURFACE);
});

test('a text that is too long or empty says what to do without a command', async () => {
  const row = await rowOf('en/app.json', 'Welcome');
  for (const text of ['a'.repeat(20_001), ' ']) {
    const { status, error } = await save(row, text);
    expect(status).toBe(422);
    expect(error).not.toMatch(OTHER_SURFACE);
  }
});

test('a text that changed says who changed it: the person, somebody else, or a new source', async () => {
  const row = await rowOf('en/app.json', 'Goodbye');
  expect(await save(row, 'Tschüss')).toMatchObject({ status: 200 });
  const own = await save(row, 'Bis bald');
  expect(own).toMatchObject({
    status: 409,
    error: expect.stringMatching(/^you changed this text/),
  });
  const other = await save(row, 'Bis bald', anna);
  expect(other).toMatchObject({ status: 409, error: expect.stringMatching(/^somebody changed/) });
  const now = await rowOf('en/app.json', 'Goodbye');
  rig.write('en/app.json', rig.read('en/app.json').replace('Goodbye', 'Farewell'));
  const source = await save(now, 'Leb wohl');
  expect(source).toMatchObject({
    status: 409,
    error: expect.stringMatching(/^its source changed/),
  });
  expect(source.row?.text.source).toBe('Farewell');
});
