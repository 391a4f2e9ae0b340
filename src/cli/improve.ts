/** `dragoman improve`: corrects and restyles texts in their own language. */
import { type Command, Option } from 'commander';
import {
  type Improvement,
  MAX_REPHRASE_BYTES,
  type RephraseRequest,
  type Tone,
  type WritingStyle,
} from '../service/rephrase.ts';
import type { Call, CliCommand, GlobalOptions } from './command.ts';
import { withService } from './open-service.ts';
import { inGroups, type Room, readTexts } from './texts.ts';

interface ImproveOptions extends GlobalOptions {
  readonly to?: string;
  readonly style?: WritingStyle;
  readonly tone?: Tone;
}

const STYLES = ['simple', 'business', 'academic', 'casual'];
const TONES = ['enthusiastic', 'friendly', 'confident', 'diplomatic'];
/** The document names no limit for rephrase; the client stays at that of translation (docs/design/api.md). */
const TEXTS_PER_REQUEST = 50;

export const command: CliCommand<ImproveOptions> = {
  describe(command: Command) {
    command
      .argument('[text...]', 'texts; - is standard input')
      .option('--to <code>', 'the language of the texts; another variant of it converts them')
      .addOption(new Option('--style <style>', 'writing style').choices(withPreferred(STYLES)))
      .addOption(
        new Option('--tone <tone>', 'tone').choices(withPreferred(TONES)).conflicts('style'),
      )
      .addHelpText(
        'after',
        `
Examples:
  dragoman improve "i has a apple"
  dragoman improve --to en-GB "The color of the center"    converts to British English
  dragoman improve --style prefer_business - < letter.txt

prefer_… falls back to the default where a language has no styles. Paid plan only; billed by characters.`,
      );
  },
  async run(call: Call<ImproveOptions>) {
    const texts = await readTexts(call);
    const improvements: Improvement[] = [];
    let counted_characters = 0;
    try {
      await withService(call, async ({ writing }, options) => {
        for (const text of inGroups(texts, roomIn(call.options))) {
          const answer = await writing.rephrase(requestFor(text, call.options), options);
          improvements.push(...answer.improvements);
          counted_characters += answer.counted_characters;
        }
      });
    } finally {
      // What was bought before a request failed is not lost with it.
      if (improvements.length > 0) print(call, { improvements, counted_characters });
    }
    return 0;
  },
};

interface Bought {
  readonly improvements: readonly Improvement[];
  readonly counted_characters: number;
}

function print({ options, terminal }: Call<ImproveOptions>, bought: Bought): void {
  if (options.json) terminal.json(bought);
  else for (const { text } of bought.improvements) terminal.out(text);
}

function roomIn(options: ImproveOptions): Room {
  const bytes = MAX_REPHRASE_BYTES - Buffer.byteLength(JSON.stringify(requestFor([], options)));
  return { texts: TEXTS_PER_REQUEST, bytes };
}

function requestFor(text: readonly string[], { to, style, tone }: ImproveOptions): RephraseRequest {
  return {
    text,
    ...(to === undefined ? {} : { target_lang: to }),
    ...(style === undefined ? {} : { writing_style: style }),
    ...(tone === undefined ? {} : { tone }),
  };
}

function withPreferred(names: readonly string[]): string[] {
  return ['default', ...names, ...names.map((name) => `prefer_${name}`)];
}
