/** `dragoman translate`: translates texts or one document, for scripts. Uses no project, memory or ledger. */

import { access } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { isConvertible, supportsFeature } from '../config/capabilities.ts';
import { keptCapabilities } from '../config/load-languages.ts';
import type { Config } from '../config.ts';
import { parseLanguage, sameLanguage } from '../language.ts';
import type { CallOptions } from '../service/call.ts';
import type { DocumentsResource } from '../service/documents.ts';
import { PartialFailure } from '../service/parts.ts';
import type { TranslateResult } from '../service/text.ts';
import { FORMALITIES, type Formality } from '../service/text-request.ts';
import type { TranslatedDocument } from '../service/translate-document.ts';
import { askAfterNo } from './ask-languages.ts';
import {
  type CliCommand,
  type CommandCall,
  CommandFailure,
  type ExitCode,
  type GlobalOptions,
  UsageError,
} from './command.ts';
import { requireYes } from './consent.ts';
import { openServiceConfig } from './open-config.ts';
import { BILLED_APART, withService } from './open-service.ts';
import { showingAll, textsToTranslate } from './texts.ts';

interface TranslateOptions extends DocumentOptions {
  readonly file?: string;
}

export const command: CliCommand<TranslateOptions> = {
  describe(command: Command) {
    command
      .argument('[text...]', 'texts; - is standard input')
      .requiredOption('--to <code>', 'target language')
      .option('--from <code>', 'source language; detected when absent')
      .addOption(
        new Option('--formality <formality>', 'how to address the reader').choices(FORMALITIES),
      )
      .option('--file <file>', 'a document instead of texts')
      .option(
        '--output <file>',
        'path of the result (default: beside the document, as NAME.CODE.EXT)',
      )
      .option(
        '--yes',
        'do not ask before an office document or PDF is bought (50,000 characters or more)',
      )
      .addHelpText(
        'after',
        `
Examples:
  dragoman translate --to de "Good morning"
  echo "Good morning" | dragoman translate --to de -
  dragoman translate --to de --from en --file letter.docx --yes

The service bills this. ${BILLED_APART}`,
      );
  },
  async run(call: CommandCall<TranslateOptions>): Promise<ExitCode> {
    if (call.options.file !== undefined && call.args.length > 0)
      throw new UsageError('give texts or --file, not both');
    await requireTranslatable(call);
    if (call.options.file === undefined) return await translateTexts(call);
    return await translateDocument(call, call.options.file);
  },
};

async function translateTexts(call: CommandCall<TranslateOptions>): Promise<ExitCode> {
  const { to, from, formality } = call.options;
  const texts = await textsToTranslate(call);
  const request = { text: texts, target_lang: to, source_lang: from, formality };
  const { translations } = await withService(call, ({ text }, options) =>
    showingAll(text.translate(request, options), (bought) => printTranslations(call, bought)),
  );
  const empty = translations.findIndex(({ text }, index) => text === '' && texts[index] !== '');
  if (empty === -1) return 0;
  throw new CommandFailure(1, `the service answered text ${empty + 1} with an empty translation`);
}

function printTranslations(
  { options, terminal }: CommandCall<TranslateOptions>,
  bought: TranslateResult,
): void {
  const { translations, billed_characters } = bought;
  if (options.json) terminal.json({ translations, billed_characters });
  else for (const { text } of translations) terminal.out(text);
}

interface RequestLanguages extends GlobalOptions {
  readonly from?: string;
  readonly to: string;
  readonly formality?: Formality;
}

/**
 * Checks the languages of a request before it is sent. The client refuses malformed codes and names the parameter.
 * @throws UsageError when source and target are one language, because that is billed and changes nothing. Also when the target language has
 * no formality (docs/design/api.md, "Translation rules", 6 and 5)
 */
async function requireTranslatable(call: CommandCall<RequestLanguages>): Promise<void> {
  const { from = '', to, formality } = call.options;
  const [source, target] = [parseLanguage(from), parseLanguage(to)];
  if (target === undefined) return;
  const { config } = await openServiceConfig(call);
  if (source !== undefined && sameLanguage(source, target)) {
    const converts = isConvertible(known(config), target)
      ? `; dragoman improve --to ${to} converts texts into ${to}`
      : '';
    throw new UsageError(
      `--from ${from} --to ${to} is one language: the request would be billed and change nothing${converts}`,
    );
  }
  if (formality !== 'more' && formality !== 'less') return;
  const hasFormality = () => supportsFeature(known(config), 'formality', { tag: target, code: to });
  if (hasFormality() || ((await askAfterNo(call, config)) && hasFormality())) return;
  throw new UsageError(
    `--formality ${formality} is not supported for ${to}; prefer_${formality} is, and falls back to the default there`,
  );
}

function known({ service, state }: Config) {
  return keptCapabilities({ url: service.url, state });
}

interface DocumentOptions extends GlobalOptions {
  readonly to: string;
  readonly from?: string;
  readonly formality?: Formality;
  readonly output?: string;
  readonly yes?: boolean;
}

/** Formats that are billed with at least 50,000 characters (docs/design/api.md, "Limits"). */
const COSTLY = /\.(?:pptx|docx|doc|xlsx|pdf)$/i;

/** Translates one document; asks first when it costs at least 50,000 characters. */
async function translateDocument(
  call: CommandCall<DocumentOptions>,
  file: string,
): Promise<ExitCode> {
  const { options, terminal } = call;
  const source = resolve(call.cwd, file);
  const output = resolve(call.cwd, options.output ?? besideOf(source, options.to));
  if (!(await exists(source))) throw new UsageError(`${file} does not exist`);
  if (await exists(output))
    throw new UsageError(`${output} exists already; name another file with --output`);
  if (COSTLY.test(source)) {
    const question = `Buy ${basename(source)}? Its format is billed with at least 50,000 characters.`;
    await requireYes(call, { question, otherwise: 'Nothing was sent' });
  }
  const { billed_characters = null } = await withService(call, ({ documents }, callOptions) =>
    buy(documents, { call, source, output, callOptions }),
  );
  if (options.json) terminal.json({ output, billed_characters });
  else terminal.out(output);
  return 0;
}

interface Order {
  readonly call: CommandCall<DocumentOptions>;
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

function paidButStopped(source: string, cause: unknown): CommandFailure {
  const message = `stopped: ${basename(source)} was uploaded and billed; its result was not fetched`;
  return new CommandFailure(1, message, { cause });
}
