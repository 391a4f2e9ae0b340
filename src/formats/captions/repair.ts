/** Small repairs of what a cue begins and ends with after a sentence was cut. Pure. */
import { baseLanguage, type LanguageTag } from '../../language.ts';
import type { Speech } from './speech.ts';
import { slice } from './speech.ts';

/** What belongs to the end of the cue before: closing quotes and brackets, and signs that end something. */
const CLOSING = /^(?:\s*(?:[)\]」』.,!?…。、，！？]|[»”’](?!\p{L})))+/u;

/** Signs at the beginning of a piece move to the piece before it, unless nothing would be left. */
export function moveClosingSigns(pieces: readonly Speech[]): Speech[] {
  const repaired: Speech[] = [];
  for (const piece of pieces) {
    const signs = CLOSING.exec(piece.text)?.[0] ?? '';
    const before = repaired.at(-1);
    // Three dots begin a cue that goes on after a pause, and stay.
    const isPause = /^(?:\.\.\.|…)\s*\p{L}/u.test(piece.text);
    const rest = slice(piece, signs.length, piece.text.length);
    if (before === undefined || signs === '' || isPause || rest.text === '') {
      repaired.push(piece);
      continue;
    }
    repaired[repaired.length - 1] = { ...before, text: before.text + signs.trim() };
    repaired.push(rest);
  }
  return repaired;
}

/** French sets a no-break space before high signs and inside guillemets: a line never breaks there. */
export function spaceFor(speech: Speech, language: LanguageTag): Speech {
  if (baseLanguage(language) !== 'fr') return speech;
  // One character for another: the places of markup stay.
  const text = speech.text.replace(/ (?=[?!:;»])/g, '\u00a0').replace(/(?<=«) /g, '\u00a0');
  return { ...speech, text };
}
