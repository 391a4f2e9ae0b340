/** `dragoman translate`: texts or one document, for scripts; outside of projects, memory and books. */
import { type Command, Option } from 'commander';
import type { Translation } from '../service/text.ts';
import { type Dialect, encodedSize, type TranslateRequest } from '../service/text-request.ts';
import { MAX_TEXTS, MAX_TRANSLATE_BYTES } from '../service/text-rules.ts';
import {
  type Call,
  type CliCommand,
  CommandFailure,
  type ExitCode,
  UsageError,
} from './command.ts';
import { withService } from './open-service.ts';
import { inGroups, type Room, readTexts } from './texts.ts';
import { type DocumentOptions, translateDocument } from './translate-document.ts';

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
        new Option('--formality <formality>', 'how to address the reader').choices([
          'default',
          'more',
          'less',
          'prefer_more',
          'prefer_less',
        ]),
      )
      .option('--file <file>', 'a document instead of texts')
      .option('--output <file>', 'where the document goes (default: beside it, as NAME.CODE.EXT)')
      .option('--yes', 'buy an office document or PDF (50,000 characters at least) unasked')
      .addHelpText(
        'after',
        `
Examples:
  dragoman translate --to de "Good morning"
  echo "Good morning" | dragoman translate --to de -
  dragoman translate --to de --from en --file letter.docx --yes

What this buys is billed by the service, but not booked: it belongs to no project.`,
      );
  },
  async run(call: Call<TranslateOptions>): Promise<ExitCode> {
    if (call.options.file === undefined) return await translateTexts(call);
    if (call.args.length > 0) throw new UsageError('give texts or --file, not both');
    return await translateDocument(call, call.options.file);
  },
};

async function translateTexts(call: Call<TranslateOptions>): Promise<ExitCode> {
  const texts = await readTexts(call);
  const translations: Translation[] = [];
  let billed_characters = 0;
  try {
    await withService(call, async (service, options) => {
      for (const text of inGroups(texts, roomIn(call.options, service.dialect))) {
        const answer = await service.text.translate(requestFor(text, call.options), options);
        translations.push(...answer.translations);
        billed_characters += answer.billed_characters;
      }
    });
  } finally {
    // What was bought before a request failed is not lost with it.
    if (translations.length > 0) print(call, { translations, billed_characters });
  }
  const empty = translations.findIndex(({ text }, index) => text === '' && texts[index] !== '');
  if (empty === -1) return 0;
  throw new CommandFailure(1, `the service answered text ${empty + 1} with an empty translation`);
}

interface Bought {
  readonly translations: readonly Translation[];
  readonly billed_characters: number;
}

function print({ options, terminal }: Call<TranslateOptions>, bought: Bought): void {
  if (options.json) terminal.json(bought);
  else for (const { text } of bought.translations) terminal.out(text);
}

function roomIn(options: TranslateOptions, dialect: Dialect): Room {
  const bytes = MAX_TRANSLATE_BYTES - encodedSize(requestFor([], options), dialect);
  return { texts: MAX_TEXTS, bytes };
}

function requestFor(
  text: readonly string[],
  { to, from, formality }: TranslateOptions,
): TranslateRequest {
  return {
    text,
    target_lang: to,
    ...(from === undefined ? {} : { source_lang: from }),
    ...(formality === undefined ? {} : { formality }),
  };
}
