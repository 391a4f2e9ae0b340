/** The service's own time: starts at the machine's time and runs a given number of times as fast. */
import type { Clock } from '../clock.ts';

export function acceleratedClock(wall: Clock, scale: number): Clock {
  if (scale === 1) return wall;
  const start = wall.now();
  return {
    now: () => Math.round(start + (wall.now() - start) * scale),
    sleep: (ms, signal) => wall.sleep(ms / scale, signal),
  };
}
