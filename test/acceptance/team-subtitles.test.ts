/** Subtitles that git merged by hunks: both sides of a cue may be left, and nobody is to see two at once. */
import { expect, test } from 'vitest';
import { unitId } from '../../src/segments/statements.ts';
import { type Checkout, Team } from '../team.ts';

const PROJECT = `defaults: { settle_ms: 0 }
projects:
  film: { source: en, targets: [de], routes: [{ from: "{locale}/*.srt" }] }`;
const EN = 'en/film.srt';
const DE = 'de/film.srt';
const FREE = { texts: 0 };

const cue = (nth: number, text: string, second = 10 * nth) =>
  `${nth}\n00:00:${second},000 --> 00:00:${second + 2},000\n${text}\n`;
const film = (...texts: readonly string[]) => texts.map((text, at) => cue(at + 1, text)).join('\n');
const said = (checkout: Checkout) => checkout.read(DE).then((text) => text.split('-->').length - 1);

interface Merged {
  readonly team: Team;
  readonly merged: Checkout;
}

/** The middle cue of three was changed on both sides, and the person who merged kept both hunks of the translation. */
async function mergedByHunks(other: 'machine' | 'person'): Promise<Merged> {
  const { team, first: a } = await Team.start(PROJECT, {
    [EN]: film('Good morning.', 'How are you?', 'See you soon.'),
  });
  await a.run('once');
  a.commit('translate');
  const b = await team.clone();
  await b.run('once');
  if (other === 'machine') {
    await a.write({ [EN]: film('Good morning.', 'How do you do?', 'See you soon.') });
    await a.run('once');
  } else {
    const [before = '', , after = ''] = (await a.read(DE))
      .split(/^2\n/mu)
      .flatMap((part, at) => (at === 0 ? [part] : ['', part.slice(part.indexOf('3\n'))]));
    await a.write({ [DE]: `${before}${cue(2, 'Von einer Person.')}\n${after}` });
  }
  a.commit('one side');
  await b.write({ [EN]: film('Good morning.', 'Where have you been?', 'See you soon.') });
  await b.run('once');
  b.git('commit', '--quiet', '--all', '--message', 'other side');
  expect(() => b.pull()).toThrow();
  if (other === 'machine') b.git('checkout', '--quiet', '--ours', EN);
  const both = /<<<<<<< .*\n([\s\S]*?)=======\n([\s\S]*?)>>>>>>> .*\n/gu;
  const kept = (await b.read(DE)).replace(both, (_, ours, theirs) => `${ours}\n${cue(2, theirs)}`);
  await b.write({ [DE]: kept.replace(/\n\n\n/gu, '\n\n') });
  expect(await said(b)).toBe(4);
  return { team, merged: b };
}

test('when a merge left two machine texts for one cue, the one of the present source stays', async () => {
  const { team, merged } = await mergedByHunks('machine');
  expect(await merged.run('once', '--frozen')).toMatchObject({ code: 1, ...FREE });
  expect(await merged.run('once')).toMatchObject({ code: 0, ...FREE });
  expect(await said(merged)).toBe(3);
  merged.commit('merge');
  const clone = await team.clone();
  expect(await clone.run('once')).toMatchObject({ code: 0, ...FREE });
  expect(clone.git('status', '--short')).toBe('');
});

test('a cue of a person that a merge left beside the machine’s at the same time stays, and is reported everywhere until somebody chooses', async () => {
  const { team, merged } = await mergedByHunks('person');
  const twice = 'two subtitles are shown at the same time (lines 6 and 10)';
  for (const [name = '', ...args] of [['once'], ['once', '--frozen'], ['once']]) {
    const ended = await merged.run(name, ...args);
    expect(ended).toMatchObject({ code: 2, ...FREE });
    expect(ended.out).toContain(twice);
  }
  merged.commit('merge');
  const clone = await team.clone();
  expect(await clone.run('check')).toMatchObject({
    code: 1,
    out: expect.stringContaining(`${DE}:10:1 ${twice}`),
  });
  expect(await clone.run('once')).toMatchObject({ code: 2, ...FREE });
  expect(await said(clone)).toBe(4);
  expect(clone.git('status', '--short')).toBe('');

  // One that is shown at another time is a person's own.
  const text = await clone.read(DE);
  await clone.write({
    [DE]: text.replace(/00:00:20,000(?= --> 00:00:22,000\nVon)/u, '00:00:21,000'),
  });
  expect(await clone.run('once')).toMatchObject({ code: 0, ...FREE });
  expect(await said(clone)).toBe(4);
  expect(await merged.run('resolve', DE, '--human')).toMatchObject({ code: 0, ...FREE });
  expect(await merged.run('once')).toMatchObject({ code: 0, ...FREE });
  expect(await merged.read(DE)).toContain('Von einer Person.');
});

test('in a fresh clone, a duplicated cue is shown once, and no other cue is lost', async () => {
  const { team, first: a } = await Team.start(PROJECT, {
    [EN]: film('Good morning.', 'How are you?', 'See you soon.'),
  });
  await a.run('once');
  const text = await a.read(DE);
  const [one = '', two = '', three = ''] = text.split('\n\n');
  await a.write({ [DE]: [one, two, two, three].join('\n\n') });
  a.commit('a cue stands twice');
  for (const checkout of [a, await team.clone()]) {
    expect(await checkout.run('once')).toMatchObject({ code: 0, ...FREE });
    expect(await checkout.read(DE)).toBe(text);
  }
});

test('a cue that a person removed from a delivered target is missed by nobody, also in a fresh clone, until its source changes', async () => {
  const texts = ['Good morning.', 'How are you?', 'See you soon.'];
  const { team, first: a } = await Team.start(PROJECT, { [EN]: film(...texts) });
  await a.run('once');
  a.commit('translate');
  const [one = '', , three = ''] = (await a.read(DE)).split('\n\n');
  const theirs = [one, three].join('\n\n');
  await a.write({ [DE]: theirs });
  expect(await a.run('once')).toMatchObject({ code: 0, ...FREE });
  a.commit('without the second');
  const clone = await team.clone();
  for (const checkout of [a, clone]) {
    expect(await checkout.run('check')).toMatchObject({ code: 0, ...FREE });
    expect(await checkout.run('once', '--frozen')).toMatchObject({ code: 0, ...FREE });
    expect((await checkout.run('plan')).out).toContain('Nothing to do');
    expect(await checkout.run('once')).toMatchObject({ code: 0, ...FREE });
    expect(await checkout.read(DE)).toBe(theirs);
    expect(checkout.git('status', '--short')).toBe('');
  }
  await clone.write({ [EN]: film(...texts.with(1, 'How do you do?')) });
  expect(await clone.run('check')).toMatchObject({ code: 1, ...FREE });
  expect(await clone.run('once')).toMatchObject({ code: 0, texts: 1 });
  expect(await said(clone)).toBe(3);
});

test('in a fresh clone, a cue is not added beside those into which a person split it', async () => {
  const texts = ['Good morning.', 'How are you?', 'See you soon.'];
  const { team, first: a } = await Team.start(PROJECT, { [EN]: film(...texts) });
  await a.run('once');
  const [one = '', , three = ''] = (await a.read(DE)).split('\n\n');
  const halves = ['20,000 --> 00:00:20,900', '21,000 --> 00:00:22,000'].map((time, at) => {
    return `2\n00:00:${time}\nHälfte ${at}`;
  });
  const theirs = [one, ...halves, three].join('\n\n');
  await a.write({ [DE]: theirs });
  expect(await a.run('once')).toMatchObject({ code: 0, ...FREE });
  a.commit('split');
  const clone = await team.clone();
  expect(await clone.run('once')).toMatchObject({ code: 0, ...FREE });
  expect(clone.git('status', '--short')).toBe('');
  const later = await team.clone();
  for (const checkout of [a, clone, later]) {
    await checkout.write({ [EN]: film(...texts.with(1, 'How do you do?')) });
    expect(await checkout.run('once')).toMatchObject({ code: 2 });
    expect(await checkout.read(DE)).toBe(theirs);
  }
});

const MORE = ['Good morning.', 'How are you?', 'See you soon.'] as const;

/** A film whose translation is committed. */
async function delivered(): Promise<{ readonly team: Team; readonly a: Checkout }> {
  const { team, first: a } = await Team.start(PROJECT, { [EN]: film(...MORE) });
  await a.run('once');
  a.commit('translate');
  return { team, a };
}

/** The cue `nth` is shown two seconds later. */
const later = (text: string, nth: number) =>
  text.replace(
    `00:00:${nth}0,000 --> 00:00:${nth}2,000`,
    `00:00:${nth}2,000 --> 00:00:${nth}4,000`,
  );

test('in a fresh clone, a cue whose time moves in the source moves in the translation, and nothing is bought', async () => {
  const { team, a } = await delivered();
  const clone = await team.clone();
  await clone.write({ [EN]: later(film(...MORE), 2) });
  expect(await clone.run('once')).toMatchObject({ code: 0, ...FREE });
  expect(await clone.read(DE)).toBe(later(await a.read(DE), 2));
});

test('in a fresh clone, a cue that a person moved stays there until its source is moved', async () => {
  const { team, a } = await delivered();
  const theirs = later(await a.read(DE), 1);
  await a.write({ [DE]: theirs });
  expect(await a.run('once')).toMatchObject({ code: 0, ...FREE });
  a.commit('a cue is shown later');
  const clone = await team.clone();
  expect(await clone.run('once')).toMatchObject({ code: 0, ...FREE });
  expect(clone.git('status', '--short')).toBe('');
  const second = await team.clone();
  await second.write({ [EN]: later(film(...MORE), 2) });
  expect(await second.run('once')).toMatchObject({ code: 0, ...FREE });
  expect(await second.read(DE)).toBe(later(theirs, 2));
  const third = await team.clone();
  const earlier = (text: string) => text.replace(/00:00:1\d(?=,000)/gu, '00:00:09');
  await third.write({ [EN]: earlier(film(...MORE)) });
  expect(await third.run('once')).toMatchObject({ code: 0, ...FREE });
  expect(await third.read(DE)).toBe(earlier(theirs));
});

test('in a fresh clone, cues that a person moves without dragoman stay there', async () => {
  const { team, a } = await delivered();
  const theirs = later(await a.read(DE), 1);
  await a.write({ [DE]: theirs });
  a.commit('a cue is shown later');
  const clone = await team.clone();
  expect((await clone.run('plan')).out).not.toContain('other times');
  expect(await clone.run('once')).toMatchObject({ code: 0, ...FREE });
  expect(await clone.read(DE)).toBe(theirs);
});

test('in a fresh clone, cues at other times than in the source are named when the lock does not say who moved them', async () => {
  const { team, a } = await delivered();
  const lock = 'dragoman.lock/film/de';
  const unit = unitId(EN, 'frame');
  const lines = (await a.read(lock)).split('\n').filter((line) => !line.startsWith(unit));
  await a.write({ [lock]: lines.join('\n'), [EN]: later(film(...MORE), 2) });
  a.commit('a cue of the source is shown later');
  const clone = await team.clone();
  const before = await clone.read(DE);
  const said = 'film.srt (de): 1 subtitle has another time than its source (line 6)';
  expect((await clone.run('plan')).out).toContain(said);
  const once = await clone.run('once');
  expect(once).toMatchObject({ code: 0, ...FREE });
  expect(once.out).toContain(said);
  expect(await clone.read(DE)).toBe(before);
});
