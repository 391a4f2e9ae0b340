/** Whole documents in checkouts with other line ends: git converts texts, and so their bytes are others in each. */
import { expect, test } from 'vitest';
import { type Checkout, Team } from '../team.ts';

const PROJECT = `defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de]
    routes: [{ from: "{locale}/*.{html,txt,docx}" }]`;
const page = (text: string) => `<p>${text}</p>\n<p>The end</p>\n`;
const LOCK = 'dragoman.lock/app/de';
const WINDOWS = ['--config', 'core.autocrlf=true'];
const ENGLISH = { 'en/a.html': page('One'), 'en/b.txt': 'One\n\nTwo\n' };

async function nothingToDo(checkout: Checkout): Promise<void> {
  const lock = await checkout.read(LOCK);
  for (const [name, ...args] of [['once', '--frozen'], ['check'], ['once'], ['lock']] as const) {
    expect(await checkout.run(name, ...args), name).toMatchObject({ code: 0, requests: 0 });
  }
  expect(await checkout.read(LOCK)).toBe(lock);
  expect(checkout.git('status', '--short')).toBe('');
}

test('machine documents that git checks out with CR LF still count as such, and are bought again when their source changes', async () => {
  const { team, first: a } = await Team.start(PROJECT, ENGLISH);
  await a.run('once');
  a.commit('translate');
  const b = await team.clone(...WINDOWS);
  expect(await b.read('de/a.html')).toContain('\r\n');
  await nothingToDo(b);
  await b.write({ 'en/a.html': page('Another one').replaceAll('\n', '\r\n') });
  expect(await b.run('once')).toMatchObject({ code: 0, texts: 1 });
  b.commit('another one');
  a.pull();
  for (const x of [a, await team.clone()]) {
    expect(await x.run('once')).toMatchObject({ code: 0, requests: 0 });
    expect(x.git('status', '--short')).toBe('');
  }
});

test('a document of a person stays theirs, and a stale one stays stale, with whatever line ends they are checked out', async () => {
  const { team, first: a } = await Team.start(PROJECT, ENGLISH);
  await a.run('once');
  await a.write({ 'de/b.txt': 'Eins\n\nZwei\n' });
  await a.run('once');
  await a.write({ 'en/a.html': page('Another one'), 'en/b.txt': 'One\n\nThree\n' });
  a.commit('a person writes, and sources change');
  for (const options of [[], WINDOWS, ['--depth', '1', ...WINDOWS]]) {
    const b = await team.clone(...options);
    const frozen = await b.run('once', '--frozen');
    expect(frozen).toMatchObject({ code: 1, requests: 0 });
    expect(frozen.out).toContain('a.html');
    expect(frozen.out).toContain('b.txt');
    const { code, out } = await b.run('once');
    expect(code, out).toBe(2);
    expect((await b.read('de/b.txt')).replaceAll('\r\n', '\n')).toBe('Eins\n\nZwei\n');
  }
});

test('a moved document, and one of another side of a merge, are recognized with other line ends', async () => {
  const { team, first: a } = await Team.start(PROJECT, ENGLISH);
  await a.run('once');
  a.commit('translate');
  a.git('mv', 'en/a.html', 'en/moved.html');
  a.git('mv', 'de/a.html', 'de/moved.html');
  a.commit('move');
  const b = await team.clone(...WINDOWS);
  expect(await b.run('once')).toMatchObject({ code: 0, requests: 0 });
  b.commit('moved');
  const c = await team.clone();
  await c.write({ 'en/b.txt': 'Two of c\n' });
  await c.run('once');
  const german = await c.read('de/b.txt');
  c.commit('c');
  await b.write({ 'en/b.txt': 'Three of b\n' });
  await b.run('once');
  b.git('commit', '--quiet', '--all', '--message', 'b');
  expect(() => b.pull()).toThrow();
  b.git('checkout', '--quiet', '--theirs', 'en/b.txt');
  b.git('checkout', '--quiet', '--ours', 'de/b.txt');
  expect(await b.run('once')).toMatchObject({ code: 0, requests: 0 });
  expect((await b.read('de/b.txt')).replaceAll('\r\n', '\n')).toBe(german);
});
