/** Faults in translations: empty ones, damaged placeholders and tags, too many or too few newlines. */
import { cutPieces, type ProtectedPiece } from './engines/protected.ts';
import type { FaultOf, SimulatedDamage } from './fault.ts';
import type { ReceivedCall } from './resource.ts';

/** The answers with the faults of this call; a fault affects all texts of the call. */
export function damaged(
  texts: readonly string[],
  call: Pick<ReceivedCall, 'fault'>,
): readonly string[] {
  if (call.fault('empty') !== undefined) return texts.map(() => '');
  const damage = call.fault('damage');
  const newlines = call.fault('newlines');
  if (damage === undefined && newlines === undefined) return texts;
  return texts
    .map((text) => (damage === undefined ? text : breakKept(text, damage.how)))
    .map((text) => (newlines === undefined ? text : breakLines(text, newlines)));
}

function breakLines(text: string, fault: FaultOf<'newlines'>): string {
  if (fault.how === 'lose') return text.replaceAll('\n', ' ');
  const middle = text.indexOf(' ', Math.floor(text.length / 2));
  const at = middle < 0 ? text.length : middle;
  return `${text.slice(0, at)}\n${text.slice(at + 1)}`;
}

/** Damages the first placeholder, tag or entity to which this kind of damage applies. */
export function breakKept(text: string, how: SimulatedDamage): string {
  const pieces = cutPieces(text);
  const join = (list: readonly ProtectedPiece[]) => list.map((piece) => piece.text).join('');
  const first = pieces.findIndex((piece) => piece.kept);
  const kept = pieces[first];
  if (kept === undefined) return text;
  const [before, after] = [join(pieces.slice(0, first)), join(pieces.slice(first + 1))];
  switch (how) {
    case 'drop':
      return `${before}${after}`;
    case 'duplicate':
      return `${before}${kept.text}${kept.text}${after}`;
    case 'move':
      return `${before}${after}${kept.text}`;
    case 'eat_space':
      return `${before.trimEnd()}${kept.text}${after.trimStart()}`;
    case 'translate_id':
      return `${before}${translateId(kept.text)}${after}`;
    case 'empty_pair':
      return text.replace(PAIR, '<$1$2></$1>$3');
    case 'unescape':
      return text.replace('&amp;', '&');
  }
}

const PAIR = /<([A-Za-z][\w:-]*)((?:\s[^<>]*)?)>([^<]+)<\/\1>/u;

function translateId(placeholder: string): string {
  return placeholder.replace(/[A-Za-z]+/u, (name) => `${name}ung`);
}
