/** Uploads the recording of one voice job. Its last bytes are sent only when the record that they are sent is on disk. */
import { stat } from 'node:fs/promises';
import type { Clock } from '../../clock.ts';
import { describeFailure, type Failure, failureOf, JobFailure } from '../../failure.ts';
import type { Service } from '../../service/client.ts';
import { sendPurchase } from '../remote-purchase.ts';
import type { RecordedUploadTicket, RemoteJob } from './decisions/remote-job.ts';
import { type UploadFailure, uploadFailed } from './decisions/upload-failure.ts';
import type { VoiceSpool } from './spool.ts';
import type { UploadRate } from './upload-rate.ts';

export interface UploadContext {
  readonly service: Pick<Service, 'voice'>;
  readonly spool: VoiceSpool;
  readonly clock: Clock;
  readonly rate: UploadRate;
  /** Records the new state of the job. */
  put(before: RemoteJob, after: RemoteJob): Promise<RemoteJob>;
}

export interface RecordingUpload {
  readonly job: RemoteJob;
  readonly ticket: RecordedUploadTicket;
  readonly signal: AbortSignal;
}

/** @throws JobFailure when the service cannot be reached, or does not take a file of that size */
export async function uploadRecording(
  context: UploadContext,
  upload: RecordingUpload,
): Promise<void> {
  const { service, spool, clock, rate, put } = context;
  const { ticket, signal } = upload;
  let { job } = upload;
  const { form, size } = job.recording;
  const file = form === 'flac' ? spool.convertedOf(job.content) : spool.sourceOf(job.content);
  const began = clock.now();
  if ((await stat(file).catch(() => undefined))?.size !== size) {
    // Somebody emptied the spool: the next job copies the recording again.
    await put(job, { ...job, stage: { kind: 'void', because: 'given-up' } });
    return;
  }
  const sent = await sendPurchase(
    (onClosing) => service.voice.upload(ticket, { file }, { signal, onClosing }),
    async () => {
      job = await put(job, closing(job, ticket, clock.now()));
    },
  );
  const at = clock.now();
  if (sent.kind === 'accepted') {
    rate.learn(size, at - began);
    await put(job, { ...job, stage: { kind: 'uploaded', job_id: ticket.job_id, at } });
    return;
  }
  learnFromFailure(rate, size, at - began);
  const failure = failureOf(sent.error);
  const meaning = meaningOf(failure, sent.mayHaveArrived);
  if (meaning === 'not-of-the-job') throw sent.error;
  await put(job, uploadFailed(job, meaning, describeFailure(failure)));
  if (meaning === 'put-off') throw putOff(failure);
}

/** The client has waited as long as it may. Nothing was taken: the next run asks whether it arrived, and sends it again. */
function putOff(failure: Failure): JobFailure {
  if (failure.kind === 'unreachable') return new JobFailure(failure);
  const message = describeFailure(failure);
  return new JobFailure({ kind: 'unreachable', operation: 'PUT {upload_url}', message });
}

/** Milliseconds after which a failed upload counts as a measurement: the network is not faster than this upload. */
const TELLING_MS = 60_000;

function learnFromFailure(rate: UploadRate, size: number, ms: number): void {
  if (ms >= TELLING_MS) rate.learn(size, ms);
}

function closing(job: RemoteJob, ticket: RecordedUploadTicket, now: number): RemoteJob {
  const { stage } = job;
  if (stage.kind !== 'created' && stage.kind !== 'closing') return job;
  const created = stage.kind === 'created' ? stage.at : stage.created;
  return {
    ...job,
    stage: { kind: 'closing', ticket, created, at: now, refused: stage.refused },
  };
}

/**
 * `refused`: the signature is wrong, the window is over, or the job takes no upload. `broken`: the connection was broken. `put-off`: the
 * service asked to wait. After all bytes were sent, no failure proves that the recording did not arrive.
 */
function meaningOf(failure: Failure, mayHaveArrived: boolean): UploadFailure | 'not-of-the-job' {
  switch (failure.kind) {
    case 'forbidden':
    case 'rejected':
    case 'not-found':
      return 'refused';
    case 'unanswered':
      return 'broken';
    case 'bad-answer':
    case 'server-error':
      return mayHaveArrived ? 'broken' : 'not-of-the-job';
    case 'unreachable':
      return mayHaveArrived ? 'broken' : 'put-off';
    case 'throttled':
      return 'put-off';
    default:
      return 'not-of-the-job';
  }
}
