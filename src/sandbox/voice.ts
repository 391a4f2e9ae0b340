/** Voice jobs: created with the key; uploads and downloads use signatures at the asset host (docs/design/api.md, "Voice jobs"). */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { isoTime } from '../clock.ts';
import { audioDuration } from './audio-duration.ts';
import { credential } from './authentication.ts';
import { bookMinutes } from './billing.ts';
import { readJson } from './body.ts';
import { callOwner, Owned } from './owned.ts';
import { notFound, Refusal } from './refusal.ts';
import {
  emptyReply,
  jsonReply,
  type KeyCall,
  type ReceivedCall,
  type Reply,
  type Resource,
  type SandboxWorld,
} from './resource.ts';
import { readVoiceRequest, type UploadedAudio } from './voice-create.ts';
import {
  downloadWindowOpen,
  isActive,
  makeJob,
  progressOfOutput,
  uploadWindowOpen,
  type VoiceJob,
} from './voice-job.ts';
import { showJob } from './voice-view.ts';
import { processRecording } from './voice-work.ts';

const JOBS = '/v1/jobs/voice/translate';

export const voice: Resource = (world) => {
  const voice = new VoiceService(world);
  return [
    { method: 'POST', path: JOBS, feature: 'voice', answer: (call) => voice.create(call) },
    {
      method: 'GET',
      path: `${JOBS}/{job_id}`,
      feature: 'voice',
      answer: (call) => voice.show(call),
    },
    {
      method: 'PUT',
      path: '/assets/{job_id}',
      access: 'signature',
      answer: (call) => voice.upload(call),
    },
    {
      method: 'GET',
      path: '/assets/{job_id}/{index}',
      access: 'signature',
      answer: (call) => voice.download(call),
    },
  ];
};

class VoiceService {
  readonly #world: SandboxWorld;
  readonly #jobs = new Owned<VoiceJob>('Job');
  /** The asset host has no accounts, only ids and signatures. */
  readonly #byId = new Map<string, VoiceJob>();
  readonly #door: AssetAuthentication;
  /** Recordings are processed one at a time: engines that recognise and speak need the whole machine. */
  #work: Promise<void> = Promise.resolve();

  constructor(world: SandboxWorld) {
    this.#world = world;
    this.#door = new AssetAuthentication(world);
  }

  async create(call: KeyCall): Promise<Reply> {
    const request = readVoiceRequest(await readJson(call), this.#world);
    await call.record({ target_lang: request.targets[0]?.language ?? '' });
    const owner = callOwner(call);
    const active = this.#jobs.list(owner).filter((job) => isActive(this.#world, job));
    if (active.length >= this.#world.limits.voice_jobs) {
      throw new Refusal(
        429,
        `Too many requests. At most ${this.#world.limits.voice_jobs} jobs run at once.`,
      );
    }
    const job = makeJob(call, owner, { request, now: this.#world.clock.now() });
    this.#jobs.add(owner, job.job_id, job);
    this.#byId.set(job.job_id, job);
    const upload_url = `${this.#world.address(call.dataCenter)}/assets/${job.job_id}`;
    const { job_id, upload_signature: signature } = job;
    const signed = wantsSignedUrl(call) && {
      signed_upload_url: `${upload_url}?signature=${signature}`,
    };
    return jsonReply({ job_id, upload_url, signature, ...signed }, 201);
  }

  async show(call: KeyCall): Promise<Reply> {
    const job = this.#jobs.get(callOwner(call), call.params['job_id'] ?? '');
    if (call.fault('lost_job') || this.#isGone(job)) {
      this.#forget(job);
      throw notFound('Job');
    }
    const urls = wantsSignedUrl(call) ? 'signed' : 'plain';
    return jsonReply(await showJob(this.#world, call, { job, urls }));
  }

  async upload(call: ReceivedCall): Promise<Reply> {
    const job = this.#find(call);
    this.#door.check(call, job.upload_signature);
    if (!uploadWindowOpen(this.#world, job))
      throw new Refusal(403, 'The upload signature has expired.');
    requireEmpty(job);
    const file = await receiveRecording(this.#world, call, job.request.source_file);
    const duration = await audioDuration(file);
    try {
      // Another upload may have ended while this one arrived.
      requireEmpty(job);
    } catch (error) {
      await this.#world.spool.remove(file);
      throw error;
    }
    const at = this.#world.clock.now();
    job.upload = { at, file, duration };
    job.updated = at;
    bookMinutes(job.key, (duration ?? 0) / 60_000, this.#world.clock);
    // Its outcomes say what failed.
    this.#work = this.#work.then(() => processRecording(this.#world, call, job)).catch(() => {});
    return emptyReply;
  }

  async download(call: ReceivedCall): Promise<Reply> {
    const job = this.#find(call);
    const index = Number(call.params['index']);
    const output = job.outputs[index];
    if (output === undefined) throw notFound('Result');
    this.#door.check(call, output.signature);
    if (!downloadWindowOpen(this.#world, job))
      throw new Refusal(403, 'The result signature has expired.');
    const { outcome } = output;
    const state = progressOfOutput(this.#world, job, index);
    if (state !== 'complete' || outcome.kind !== 'written') throw notFound('Result');
    output.outcome = { kind: 'sending', of: outcome };
    const stream = createReadStream(outcome.file);
    const sent = (complete: boolean) => {
      stream.destroy();
      output.outcome = outcome;
      if (!complete) return;
      output.outcome = { kind: 'downloaded' };
      job.updated = this.#world.clock.now();
      void this.#world.spool.remove(outcome.file);
    };
    const type = output.target.type.startsWith('audio/')
      ? 'application/octet-stream'
      : output.target.type;
    return { status: 200, body: { kind: 'stream', type, length: outcome.size, stream }, sent };
  }

  #find(call: ReceivedCall): VoiceJob {
    const job = this.#byId.get((call.params['job_id'] ?? '').toLowerCase());
    if (job === undefined) throw notFound('Job');
    return job;
  }

  /** Deployments forget a job when all is fetched or the hour is over (docs/design/api.md, "Where deployments differ"). */
  #isGone(job: VoiceJob): boolean {
    const fetched = job.outputs.every(({ outcome }) => outcome.kind === 'downloaded');
    return this.#world.dialect === 'deployed' && (fetched || !downloadWindowOpen(this.#world, job));
  }

  #forget(job: VoiceJob): void {
    this.#jobs.delete(job.owner, job.job_id);
    this.#byId.delete(job.job_id);
  }
}

function requireEmpty({ upload }: VoiceJob): void {
  if (upload !== undefined) throw new Refusal(409, 'The recording of this job has been uploaded.');
}

function wantsSignedUrl(call: ReceivedCall): boolean {
  return call.query.getAll('include').includes('signed_url');
}

/** Authentication at the asset host: signatures, in a header or in the address. A key that is sent there is a leak and is counted. */
class AssetAuthentication {
  readonly #world: SandboxWorld;

  constructor(world: SandboxWorld) {
    this.#world = world;
  }

  /** @throws Refusal 401 without a signature or with the API key, 403 for a wrong or expired one */
  check(call: ReceivedCall, signature: string): void {
    const { schemes } = this.#world;
    if (credential(call.headers, schemes.key) !== undefined) {
      this.#count(call, 'The API key was sent to an asset host.');
      throw new Refusal(401, 'Asset hosts take signatures, not keys.');
    }
    const given = credential(call.headers, schemes.signature) ?? call.query.get('signature');
    if (given === null) throw new Refusal(401, 'A signature is required.');
    if (call.fault('expired_signature')) throw new Refusal(403, 'The signature has expired.');
    if (given !== signature) throw new Refusal(403, 'The signature is not valid here.');
  }

  #count({ operation }: ReceivedCall, message: string): void {
    const at = isoTime(this.#world.clock);
    this.#world.counters.violated({ operation, status: 401, message, at });
  }
}

// The upload of a recording: streamed to disk, and exactly as long as the job announced.

/**
 * @returns path of the recording
 * @throws Refusal 415 for another content type, 400 for another length; then the file is removed
 */
async function receiveRecording(
  world: SandboxWorld,
  call: ReceivedCall,
  { content_length }: UploadedAudio,
): Promise<string> {
  requireType(call);
  const file = await world.spool.file();
  try {
    const size = await store(call, file, content_length);
    if (size === content_length) return file;
    throw new Refusal(
      400,
      `Bad request. The job was made for ${content_length} bytes, but ${size} arrived.`,
    );
  } catch (error) {
    await world.spool.remove(file);
    throw error;
  }
}

/** A signed address works without any header (docs/design/api.md, "Authentication"). */
function requireType({ headers, query }: ReceivedCall): void {
  const type = headers['content-type']?.split(';', 1)[0]?.trim();
  if (type === 'application/octet-stream' || query.has('signature')) return;
  throw new Refusal(415, 'Unsupported content type: use application/octet-stream.');
}

/** Stores at most the announced bytes, and counts all. */
async function store(call: ReceivedCall, file: string, announced: number): Promise<number> {
  await using handle = await open(file, 'wx');
  let size = 0;
  for await (const chunk of call.body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= announced) await handle.write(chunk);
  }
  return size;
}
