import { ownRate } from '../../src/service/rate.ts';
import { rateContract } from '../contracts/rate.ts';
import { manualClock } from '../manual-clock.ts';

rateContract(async (perSecond) => {
  const clock = manualClock();
  return { rate: ownRate(perSecond, clock), clock, now: () => clock.now() };
});
