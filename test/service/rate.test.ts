import { ownRate } from '../../src/service/rate.ts';
import { rateContract } from '../contracts/rate.ts';

rateContract(async (perSecond) => ownRate(perSecond));
