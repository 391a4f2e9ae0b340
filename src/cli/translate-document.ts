/** `dragoman translate --file`: one document through the service, asked about first where it costs much. */
import { access } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import type { CallOptions } from '../service/call.ts';
import type { DocumentsResource } from '../service/documents.ts';
import { PartialFailure } from '../service/parts.ts';
import type { Formality } from '../service/text-request.ts';
import type { TranslatedDocument } from '../service/translate-document.ts';
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

async function buy(
  documents: DocumentsResource,
  { call, source, output, callOptions }: Order,
): Promise<TranslatedDocument> {
  const { to, from, formality } = call.options;
  const request = { file: source, target_lang: to, source_lang: from, formality, save: output };
  try {
    return await documents.translate(request, callOptions);
  } catch (error) {
    if (!(error instanceof PartialFailure)) throw error;
    const { failure } = error;
    if (failure.kind === 'stopped') throw paidButStopped(source, error);
    if (failure.kind === 'rejected' && failure.status === 200) {
      throw new CommandFailure(1, failure.message, { cause: error });
    }
    throw error;
  }
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

function paidButStopped(source: string, cause: unknown): CommandFailure {
  const message = `stopped: ${basename(source)} was uploaded and billed, its result was not fetched`;
  return new CommandFailure(1, message, { cause });
}
