/** Checks of the service: reachable, key accepted, plan, quota, features, clock. */
import { describeFailure, failureOf } from '../../failure.ts';
import { NEARLY_USED } from '../../plan/budget.ts';
import { NO_LIMIT, type Usage } from '../../service/account.ts';
import type { Service } from '../../service/client.ts';
import { type DoctorFinding, fail, ok, warn } from './finding.ts';

/** Milliseconds. The time windows of voice requests are minutes long: a clock that differs more than this can miss them. */
const MAX_CLOCK_MS = 60_000;

/** @param now milliseconds since the epoch, by this machine's clock */
export async function examineService(service: Service, now: number): Promise<DoctorFinding[]> {
  try {
    const { usage, serverTime } = await service.account.inspect();
    return [
      ok('service', 'reachable, the key is accepted'),
      examinePlan(usage),
      examineQuota(usage),
      examineKeyLimit(usage),
      ...(await examineFeatures(service)),
      examineClock(serverTime, now),
    ];
  } catch (error) {
    const failure = failureOf(error);
    const about =
      failure.kind === 'key-refused' || failure.kind === 'key-missing' ? 'key' : 'service';
    const fix =
      about === 'key' ? 'check service.key' : 'check service.url, the network and the proxy';
    return [fail(about, describeFailure(failure), fix)];
  }
}

// Free and classic accounts answer without a period (docs/design/api.md, "Usage and administration").
function examinePlan({ start_time, end_time }: Usage): DoctorFinding {
  return start_time === undefined
    ? ok('plan', 'free or classic, no period is shown: budgets use calendar months')
    : ok('plan', `paid, period ${start_time} to ${end_time ?? '?'}`);
}

function examineQuota({ character_count, character_limit }: Usage): DoctorFinding {
  if (character_limit === NO_LIMIT)
    return ok('quota', `${character_count} characters used, no limit`);
  const figures = `${character_count} of ${character_limit} characters used`;
  return character_count < character_limit * NEARLY_USED
    ? ok('quota', figures)
    : warn('quota', figures, 'raise the limit, or wait for the next period');
}

function examineKeyLimit(usage: Usage): DoctorFinding {
  const { api_key_character_count: used = 0, api_key_character_limit: limit = NO_LIMIT } = usage;
  if (limit === NO_LIMIT) return ok('key limit', 'this key has no limit of its own');
  const figures = `${used} of ${limit} characters of this key used`;
  return used < limit * NEARLY_USED
    ? ok('key limit', figures)
    : warn('key limit', figures, 'raise it with "dragoman keys limit"');
}

const NO_JOB = '00000000-0000-4000-8000-000000000000';

/** Checks which features the key may use, without costs: an empty text has no characters, and the voice job does not exist. */
function examineFeatures(service: Service): Promise<DoctorFinding[]> {
  const { glossaries, styles, memories, voice, writing, detection } = service;
  return Promise.all([
    examineFeature('glossaries', () => glossaries.list()),
    examineFeature('style rules', () => styles.list({ page_size: 1 })),
    examineFeature('translation memories', () => memories.list({ page_size: 1 })),
    examineFeature('text improvement', () => writing.rephrase({ text: [''] })),
    examineFeature('language detection', () => detection.detect([''])),
    examineFeature('voice', () => voice.get(NO_JOB).catch(unlessMissing)),
  ]);
}

function unlessMissing(error: unknown): void {
  if (failureOf(error).kind !== 'not-found') throw error;
}

async function examineFeature(about: string, ask: () => Promise<unknown>): Promise<DoctorFinding> {
  try {
    await ask();
    return ok(about, 'may be used with this key');
  } catch (error) {
    const failure = failureOf(error);
    switch (failure.kind) {
      case 'forbidden':
        return ok(about, 'not for this key');
      case 'not-found':
        return ok(about, 'not offered at this address');
      case 'rejected':
        // The service checks rights before the content of a request.
        return ok(about, 'may be used with this key');
      default:
        return warn(about, describeFailure(failure), 'try again later');
    }
  }
}

function examineClock(serverTime: number | undefined, now: number): DoctorFinding {
  if (serverTime === undefined) return ok('clock', 'the service does not say its time');
  const difference = Math.abs(now - serverTime);
  const message = `${Math.round(difference / 1000)} s apart from the service`;
  return difference <= MAX_CLOCK_MS
    ? ok('clock', message)
    : warn('clock', message, 'synchronize the system clock by NTP');
}
