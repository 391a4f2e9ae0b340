/** `dragoman detect`: the language of each text. */
import type { Command } from 'commander';
import type { Detection } from '../service/detection.ts';
import type { Call, CliCommand } from './command.ts';
import { withService } from './open-service.ts';
import { inGroups, readTexts } from './texts.ts';

/** API document, "Limits". */
const ROOM = { texts: 50 };

export const command: CliCommand = {
  describe(command: Command) {
    command.argument('[text...]', 'texts; - is standard input').addHelpText(
      'after',
      `
Examples:
  dragoman detect "Guten Morgen" "Good morning"   one line each: de, en
  dragoman detect - < letter.txt                  one text, from a file
  dragoman detect --json "Bonjour"

Texts are billed by their characters, also when no language is found.`,
    );
  },
  async run(call: Call) {
    const texts = await readTexts(call);
    const results = await withService(call, async ({ detection }, options) => {
      const found: Detection[] = [];
      for (const group of inGroups(texts, ROOM)) {
        found.push(...(await detection.detect(group, options)).results);
      }
      return found;
    });
    if (call.options.json) call.terminal.json({ results });
    else for (const result of results) call.terminal.out(describe(result));
    return results.every(({ detection_status }) => detection_status === 'success') ? 0 : 1;
  },
};

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
