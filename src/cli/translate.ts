/** `dragoman translate`: texts or one document, for scripts; outside of projects, memory and books. */
import { type Command, Option } from 'commander';
import type { TranslateResult } from '../service/text.ts';
import { FORMALITIES } from '../service/text-request.ts';
import {
  type Call,
  type CliCommand,
  CommandFailure,
  type ExitCode,
  UsageError,
} from './command.ts';
import { withService } from './open-service.ts';
import { requireTranslatable } from './request-languages.ts';
import { readTexts, showingAll } from './texts.ts';
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
        new Option('--formality <formality>', 'how to address the reader').choices(FORMALITIES),
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
    if (call.options.file !== undefined && call.args.length > 0)
      throw new UsageError('give texts or --file, not both');
    await requireTranslatable(call);
    if (call.options.file === undefined) return await translateTexts(call);
    return await translateDocument(call, call.options.file);
  },
};

async function translateTexts(call: Call<TranslateOptions>): Promise<ExitCode> {
  const { to, from, formality } = call.options;
  const texts = await readTexts(call);
  const request = { text: texts, target_lang: to, source_lang: from, formality };
  const { translations } = await withService(call, ({ text }, options) =>
    showingAll(text.translate(request, options), (bought) => print(call, bought)),
  );
  const empty = translations.findIndex(({ text }, index) => text === '' && texts[index] !== '');
  if (empty === -1) return 0;
  throw new CommandFailure(1, `the service answered text ${empty + 1} with an empty translation`);
}

function print({ options, terminal }: Call<TranslateOptions>, bought: TranslateResult): void {
  const { translations, billed_characters } = bought;
  if (options.json) terminal.json({ translations, billed_characters });
  else for (const { text } of translations) terminal.out(text);
}
