/** `dragoman detect`: the language of each text. */
import type { Command } from 'commander';
import type { Detection, DetectResult } from '../service/detection.ts';
import type { CliCommand, CommandCall } from './command.ts';
import { BILLED_APART, withService } from './open-service.ts';
import { showingAll, textsToTranslate } from './texts.ts';

export const command: CliCommand = {
  describe(command: Command) {
    command.argument('[text...]', 'texts; - is standard input').addHelpText(
      'after',
      `
Examples:
  dragoman detect "Guten Morgen" "Good morning"   one line each: de, en
  dragoman detect - < letter.txt                  one text, from a file
  dragoman detect --json "Bonjour"

Texts are billed by their characters, also when no language is found.
${BILLED_APART}`,
    );
  },
  async run(call: CommandCall) {
    const texts = await textsToTranslate(call);
    const { results } = await withService(call, ({ detection }, options) =>
      showingAll(detection.detect(texts, options), (found) => printDetected(call, found)),
    );
    return results.every(({ detection_status }) => detection_status === 'success') ? 0 : 1;
  },
};

function printDetected({ options, terminal }: CommandCall, { results }: DetectResult): void {
  if (options.json) terminal.json({ results });
  else for (const result of results) terminal.out(describe(result));
}

function describe(result: Detection): string {
  switch (result.detection_status) {
    case 'success':
      return result.detected_language;
    case 'insufficient_confidence':
      return 'unknown: too little to be sure';
    case 'unsupported_language':
      return 'unknown: a language that detection does not support';
    case 'no_language_detected':
      return 'unknown: no language in it';
    case 'unknown':
      return `unknown: the service answered "${result.reported_status}"`;
  }
}
