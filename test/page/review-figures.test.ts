/** When the page reads the progress of reviews. */
import { expect, test } from 'vitest';
import type { ReviewProgress } from '../../src/control/review-report.ts';
import { ReviewFigures } from '../../src/page/review-figures.ts';
import { manualClock } from '../manual-clock.ts';

test('the progress of reviews is unknown before its first reading, and read again only when it is old', async () => {
  const clock = manualClock();
  let reading = Promise.withResolvers<readonly ReviewProgress[]>();
  let readings = 0;
  let changed = Promise.withResolvers<void>();
  const reviewProgress = () => {
    readings += 1;
    return reading.promise;
  };
  const onChange = () => changed.resolve();
  const figures = new ReviewFigures({ control: { reviewProgress }, clock, onChange });
  expect(figures.look(1000)).toBe(null);
  expect(figures.look(1000)).toBe(null);
  reading.resolve([]);
  await changed.promise;
  expect([figures.look(1000), readings]).toEqual([[], 1]);
  reading = Promise.withResolvers();
  changed = Promise.withResolvers();
  await clock.pass(1000);
  expect([figures.look(1000), readings]).toEqual([[], 2]);
  // It takes five seconds: the next one comes after fifty.
  await clock.pass(5000);
  reading.resolve([{ project: 'app' } as ReviewProgress]);
  await changed.promise;
  await clock.pass(44_000);
  expect([figures.look(1000)?.length, readings]).toEqual([1, 2]);
  await clock.pass(1000);
  figures.look(1000);
  expect(readings).toBe(3);
});
