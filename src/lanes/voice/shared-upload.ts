/** What one upload shall bring: everything that is missing of a recording, for all jobs about it that wait or run. */
import type { JobRecord } from '../../ledger.ts';
import { type OrderSources, orderOf, toBuy } from './order.ts';
import type { Output } from './rules/outputs.ts';
import { outputsOf, type VoiceCase, voiceCase } from './voice-case.ts';

/** @returns nothing when the job itself misses nothing */
export async function missingOf(voiceJobs: OrderSources, voice: VoiceCase): Promise<Output[]> {
  const own = toBuy(await orderOf(voiceJobs, voice)).map(({ output }) => output);
  if (own.length === 0) return [];
  const outputs = [...own];
  for (const sharedUpload of casesOf(voiceJobs, voice, isWaiting)) {
    const missing = toBuy(await orderOf(voiceJobs, sharedUpload)).map(({ output }) => output);
    for (const output of missing)
      if (!outputs.some((each) => isSame(each, output))) outputs.push(output);
  }
  return outputs;
}

/** @returns those of the outputs that a job about the recording, waiting or not, still has in its route and languages */
export function askedOf<T extends Output>(
  voiceJobs: OrderSources,
  voice: VoiceCase,
  outputs: readonly T[],
): T[] {
  const asked = [voice, ...casesOf(voiceJobs, voice, isAbout)].flatMap(outputsOf);
  return outputs.filter((output) => asked.some((each) => isSame(each, output)));
}

/** Other jobs about the same sound. */
function casesOf(
  voiceJobs: OrderSources,
  voice: VoiceCase,
  isMeant: (job: JobRecord, voice: VoiceCase) => boolean,
): VoiceCase[] {
  const sources = voiceJobs.sources();
  const cases: VoiceCase[] = [];
  for (const job of sources.ledger.all('jobs')) {
    if (job.id === voice.job.id || !isMeant(job, voice)) continue;
    // Taken out of the config meanwhile.
    if (!sources.planner.wants(job)) continue;
    const other = voiceCase(job, sources);
    if (other.content === voice.content) cases.push(other);
  }
  return cases;
}

function isAbout({ lane, fingerprint }: JobRecord, { sourceHash }: VoiceCase): boolean {
  return lane === 'voice' && fingerprint.startsWith(`${sourceHash}.`);
}

function isWaiting(job: JobRecord, voice: VoiceCase): boolean {
  const { kind } = job.state;
  return (kind === 'queued' || kind === 'running') && isAbout(job, voice);
}

function isSame(a: Output, b: Output): boolean {
  return a.language === b.language && a.type === b.type;
}
