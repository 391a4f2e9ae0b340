/** `dragoman improve`: corrects and restyles texts in their own language. */
import { type Command, Option } from 'commander';
import {
  type RephraseResult,
  STYLES,
  TONES,
  type Tone,
  type WritingStyle,
  withPreferred,
} from '../service/rephrase.ts';
import type { CliCommand, CommandCall, GlobalOptions } from './command.ts';
import { BILLED_APART, withService } from './open-service.ts';
import { showingAll, textsToTranslate } from './texts.ts';

interface ImproveOptions extends GlobalOptions {
  readonly to?: string;
  readonly style?: WritingStyle;
  readonly tone?: Tone;
}

export const command: CliCommand<ImproveOptions> = {
  describe(command: Command) {
    command
      .argument('[text...]', 'texts; - is standard input')
      .option('--to <code>', 'the language of the texts; name another variant to convert them')
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

prefer_… uses the default where a language has no styles. Needs a paid plan; billed by characters.
${BILLED_APART}`,
      );
  },
  async run(call: CommandCall<ImproveOptions>) {
    const { to, style, tone } = call.options;
    const text = await textsToTranslate(call);
    const request = { text, target_lang: to, writing_style: style, tone };
    await withService(call, ({ writing }, options) =>
      showingAll(writing.rephrase(request, options), (bought) => printImproved(call, bought)),
    );
    return 0;
  },
};

function printImproved(
  { options, terminal }: CommandCall<ImproveOptions>,
  bought: RephraseResult,
): void {
  if (options.json) terminal.json(bought);
  else for (const { text } of bought.improvements) terminal.out(text);
}
