/** What one upload shall bring: everything that is missing of a recording, for all jobs about it that wait or run (media.md, "Voice jobs"). */
import { failureOf } from '../failure.ts';
import type { JobRecord } from '../ledger.ts';
import type { House } from './house.ts';
import { orderOf, toBuy } from './order.ts';
import type { Output } from './rules/outputs.ts';
import { type VoiceCase, voiceCase } from './voice-case.ts';

/** @returns nothing when the job itself misses nothing */
export async function missingOf(house: House, voice: VoiceCase): Promise<Output[]> {
  const own = toBuy(await orderOf(house, voice)).map(({ output }) => output);
  if (own.length === 0) return [];
  const outputs = [...own];
  for (const companion of companionsOf(house, voice)) {
    const missing = toBuy(await orderOf(house, companion)).map(({ output }) => output);
    for (const output of missing)
      if (!outputs.some((each) => isSame(each, output))) outputs.push(output);
  }
  return outputs;
}

function companionsOf(house: House, voice: VoiceCase): VoiceCase[] {
  const companions: VoiceCase[] = [];
  for (const job of house.options.ledger.all('jobs')) {
    if (job.id === voice.job.id || !isWaiting(job, voice)) continue;
    try {
      const companion = voiceCase(job, house.sources());
      if (companion.content === voice.content) companions.push(companion);
    } catch (error) {
      // Taken out of the config meanwhile: its own run says so.
      if (failureOf(error).kind !== 'unsupported') throw error;
    }
  }
  return companions;
}

function isWaiting({ lane, fingerprint, state }: JobRecord, { sourceHash }: VoiceCase): boolean {
  const waits = state.kind === 'queued' || state.kind === 'running';
  return lane === 'voice' && waits && fingerprint.startsWith(`${sourceHash}.`);
}

function isSame(a: Output, b: Output): boolean {
  return a.language === b.language && a.type === b.type;
}
