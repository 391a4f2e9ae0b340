/** One document through the service: uploaded, polled, and its only result flushed to disk before it gets its name. */
import { access, type FileHandle, open, rename, rm } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import { failureOf, JobFailure } from '../failure.ts';
import type { DocumentHandle } from '../job.ts';
import type { CallOptions } from '../service/call.ts';
import type { DocumentStatus, DocumentsResource } from '../service/documents.ts';
import type { DownloadSink } from '../service/download.ts';
import type { Formality } from '../service/text-request.ts';
import {
  type Call,
  CommandFailure,
  type ExitCode,
  type GlobalOptions,
  UsageError,
} from './command.ts';
import { withService } from './open-service.ts';

export interface DocumentOptions extends GlobalOptions {
  readonly to: string;
  readonly from?: string;
  readonly formality?: Formality;
  readonly output?: string;
  readonly yes?: boolean;
}

/** Billed with 50,000 characters at least (API document, "Limits"). */
const COSTLY = /\.(?:pptx|docx|doc|xlsx|pdf)$/i;
const FIRST_POLL_MS = 1000;
const LAST_POLL_MS = 15_000;

/** Asks before it buys what costs 50,000 characters. */
export async function translateDocument(
  call: Call<DocumentOptions>,
  file: string,
): Promise<ExitCode> {
  const { options, terminal } = call;
  const source = resolve(call.cwd, file);
  const output = resolve(call.cwd, options.output ?? besideOf(source, options.to));
  if (await exists(output)) throw new UsageError(`${output} is there already; give --output`);
  if (!(await agrees(call, source))) {
    terminal.note('Nothing was sent. Say --yes to buy it without a question.');
    return 2;
  }
  const { billed_characters = null } = await withService(call, ({ documents }, callOptions) =>
    buy(documents, { call, source, output, callOptions }),
  );
  if (options.json) terminal.json({ output, billed_characters });
  else terminal.out(output);
  return 0;
}

interface Order {
  readonly call: Call<DocumentOptions>;
  readonly source: string;
  readonly output: string;
  readonly callOptions: CallOptions;
}

async function buy(documents: DocumentsResource, order: Order): Promise<DocumentStatus> {
  const { call, source, output, callOptions } = order;
  const { to, from, formality } = call.options;
  await using part = await OutputFile.claim(output);
  const handle = await documents.upload(
    {
      file: source,
      filename: basename(source),
      target_lang: to,
      ...(from === undefined ? {} : { source_lang: from }),
      ...(formality === undefined ? {} : { formality }),
    },
    callOptions,
  );
  try {
    const status = await pollAndFetch(documents, { handle, part, order });
    await part.finish();
    return status;
  } catch (error) {
    if (failureOf(error).kind === 'stopped') throw paidButStopped(source, error);
    throw error;
  }
}

async function pollAndFetch(
  documents: DocumentsResource,
  { handle, part, order }: { handle: DocumentHandle; part: OutputFile; order: Order },
): Promise<DocumentStatus> {
  const { call, callOptions } = order;
  for (let waitMs = FIRST_POLL_MS; ; waitMs = Math.min(waitMs * 1.5, LAST_POLL_MS)) {
    const status = await documents.status(handle, callOptions);
    if (status.status === 'error') throw new CommandFailure(1, refusedBy(status));
    if (status.status === 'done') {
      const { kind } = await documents.result(handle, part, callOptions);
      if (kind === 'downloaded') return status;
    }
    await call.clock.sleep(waitMs, call.signals.drain);
  }
}

/** A result on its way: under a name of its own until every byte is on the disk. */
class OutputFile implements DownloadSink, AsyncDisposable {
  readonly #output: string;
  readonly #handle: FileHandle;

  private constructor(output: string, handle: FileHandle) {
    this.#output = output;
    this.#handle = handle;
  }

  /** @throws JobFailure `unwritable`: before anything is paid */
  static async claim(output: string): Promise<OutputFile> {
    try {
      return new OutputFile(output, await open(partOf(output), 'w'));
    } catch (error) {
      const { code = 'EIO' } = error as NodeJS.ErrnoException;
      throw new JobFailure({ kind: 'unwritable', file: output, code }, { cause: error });
    }
  }

  async headers(): Promise<void> {
    await this.#handle.truncate();
  }

  async write(chunk: Uint8Array): Promise<void> {
    await this.#handle.appendFile(chunk);
  }

  async finish(): Promise<void> {
    await this.#handle.sync();
    await rename(partOf(this.#output), this.#output);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close();
    await rm(partOf(this.#output), { force: true });
  }
}

function partOf(output: string): string {
  return `${output}.part`;
}

function besideOf(source: string, language: string): string {
  const extension = extname(source);
  const target = extension.toLowerCase() === '.doc' ? '.docx' : extension;
  return `${source.slice(0, source.length - extension.length)}.${language}${target}`;
}

async function exists(file: string): Promise<boolean> {
  return await access(file).then(
    () => true,
    () => false,
  );
}

async function agrees(
  { options, terminal }: Call<DocumentOptions>,
  source: string,
): Promise<boolean> {
  if (options.yes === true || !COSTLY.test(source)) return true;
  return await terminal.confirm(
    `Buy ${basename(source)}? Its format is billed with 50,000 characters at least.`,
  );
}

function refusedBy({ message }: DocumentStatus): string {
  return `the service could not translate the document: ${message ?? 'it gave no reason'}`;
}

function paidButStopped(source: string, cause: unknown): CommandFailure {
  const message = `stopped: ${basename(source)} was uploaded and billed, its result was not fetched`;
  return new CommandFailure(1, message, { cause });
}
