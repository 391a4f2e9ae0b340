/** The retry ladder of one segment: in which form it is sent next when its answer was not fit to be written. Pure. */

/** How a segment is sent. */
export interface Attempt {
  /** `literal`: plain text with the tokens in it, verified letter by letter. */
  readonly form: 'plain' | 'xml' | 'literal';
  /** `tag_handling_version`, where the form is `xml`. */
  readonly version: 'v1' | 'v2';
  /** Alone in its request: what broke it may have been a neighbour. */
  readonly alone: boolean;
}

/**
 * The next rung: xml v2, xml v2 alone, xml v1 alone, literal alone, give up. Plain text is tried
 * again alone, and climbs on only when it holds line breaks that tags could keep apart. What is read leniently is not
 * repeated: whoever asked knows better what to send instead.
 */
export function nextAttempt(
  previous: Attempt,
  sent: { readonly tokens: readonly unknown[]; readonly lenient?: true; readonly untagged?: true },
): Attempt | undefined {
  if (sent.lenient) return undefined;
  if (!previous.alone) return { ...previous, alone: true };
  switch (previous.form) {
    case 'plain':
      return sent.tokens.length > 0 && !sent.untagged ? { ...previous, form: 'xml' } : undefined;
    case 'xml':
      return previous.version === 'v2'
        ? { ...previous, version: 'v1' }
        : { ...previous, form: 'literal' };
    case 'literal':
      return undefined;
  }
}
