/** A voice job as the API shows it, and as the faults of a poll change it. */
import type { KeyCall, SandboxWorld } from './resource.ts';
import { type OutputProgress, progressOfOutput, storageUsed, type VoiceJob } from './voice-job.ts';

interface ShownVoiceJob {
  readonly job: VoiceJob;
  readonly urls: 'plain' | 'signed';
}

export async function showJob(
  world: SandboxWorld,
  call: KeyCall,
  showing: ShownVoiceJob,
): Promise<object> {
  const { job } = showing;
  const { source_file, parameters, targets } = job.request;
  await failTargets(call, job);
  const results = job.outputs.map((_, index) => showResult(world, call, { ...showing, index }));
  return {
    job_id: job.job_id,
    product: 'voice',
    operation: 'translate',
    created_at: new Date(job.created).toISOString(),
    updated_at: new Date(job.updated).toISOString(),
    usage: { storage_used: storageUsed(job) },
    source_file,
    parameters,
    targets,
    results: distorted(call, results),
  };
}

/** A fault with a language fails the targets of that language, any other fault the first target. */
async function failTargets(call: KeyCall, job: VoiceJob): Promise<void> {
  for (const output of job.outputs) {
    await call.record({ target_lang: output.target.language });
    const failed = call.fault('failed_job');
    if (failed) output.outcome = { kind: 'failed', message: failed.message };
  }
}

function showResult(
  world: SandboxWorld,
  call: KeyCall,
  { job, index, urls }: ShownVoiceJob & { index: number },
): object {
  const state: OutputProgress = progressOfOutput(world, job, index);
  const output = job.outputs[index];
  if (output?.outcome.kind === 'failed' && state === 'failed') {
    return { status: state, error: { message: output.outcome.message } };
  }
  if (state !== 'complete' || output === undefined) return { status: state };
  const { signature } = output;
  const download_url = `${world.address(call.dataCenter)}/assets/${job.job_id}/${index}`;
  const signed = urls === 'signed' && {
    signed_download_url: `${download_url}?signature=${signature}`,
  };
  return { status: state, download_url, signature, ...signed };
}

function distorted(call: KeyCall, results: readonly object[]): readonly object[] {
  const unknown = call.fault('unknown_state');
  if (unknown) return results.map(() => ({ status: unknown.state }));
  return call.fault('out_of_step') ? results.slice(1) : results;
}
