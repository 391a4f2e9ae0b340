/** How absolute paths in sentences are shown. */
import { expect, test } from 'vitest';
import { describeFailure, type Failure } from '../../src/failure.ts';
import { sentencesFrom, shownFrom } from '../../src/routes/shown-paths.ts';

const HERE = { cwd: '/home/me/app/sub', base: '/home/me/app' };

test.each([
  ['/home/me/app/sub/a.json is cut off', 'a.json is cut off'],
  ['/home/me/app/a.json is cut off', '../a.json is cut off'],
  ['the folder /home/me/app is read-only', 'the folder .. is read-only'],
  ['the folder /home/me/app/sub: read-only', 'the folder .: read-only'],
  ['no room in "/home/me/app/sub".', 'no room in ".".'],
  // Other folders, whose names begin or end alike.
  ['/home/me/app2/a.json is cut off', '/home/me/app2/a.json is cut off'],
  ['/srv/home/me/app/a.json is cut off', '/srv/home/me/app/a.json is cut off'],
  ['/home/me/app.old is there', '/home/me/app.old is there'],
])('%s is shown as %s', (sentence, shown) => {
  expect(shownFrom(HERE, sentence)).toBe(shown);
});

test('from the root of the disk, paths stay whole', () => {
  const sentence = '/srv/a.json: 1/2 of http://host/x';
  expect(shownFrom({ cwd: '/' }, sentence)).toBe(sentence);
});

test('paths in sentences of a result are shown in this way; fields that hold only a path or a text stay as they are', () => {
  const place = { cwd: '/app' };
  const line = { file: '/app/a.json', text: 'see /app/a.json', reason: '/app/a.json is cut off' };
  expect(sentencesFrom(place, { lines: [line], config_faults: ['/app/b.yaml: bad'] })).toEqual({
    lines: [{ ...line, reason: 'a.json is cut off' }],
    config_faults: ['b.yaml: bad'],
  });
});

test('a program that gave no answer is named with its folder, also when that is the folder of the person', () => {
  const failure = { kind: 'program-silent', command: 'git log', seconds: 120, folder: '/work/app' };
  expect(shownFrom({ cwd: '/work/app' }, describeFailure(failure as Failure))).toBe(
    '"git log" in /work/app/ gave no answer within 120 s, and was ended',
  );
});
