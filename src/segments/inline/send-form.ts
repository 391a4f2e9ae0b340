/** The form in which a text is sent, and the next one when the answer could not be used. Pure. */

/** How a segment is sent. */
export interface SendForm {
  /** `literal`: plain text that contains the tokens; the answer must have them letter by letter. */
  readonly form: 'plain' | 'xml' | 'literal';
  /** `tag_handling_version`, where the form is `xml`. */
  readonly version: 'v1' | 'v2';
  /** Alone in its request: another text of the request may have damaged the answer. */
  readonly alone: boolean;
}

/**
 * The next form, in this order: xml v2, xml v2 alone, xml v1 alone, literal alone, give up. Plain text is tried again alone. It is sent
 * with tags only when it holds line breaks, which tags keep apart. A text that is read leniently is not tried again: the caller decides what to
 * send instead.
 */
export function nextSendForm(
  previous: SendForm,
  sent: { readonly tokens: readonly unknown[]; readonly lenient?: true; readonly untagged?: true },
): SendForm | undefined {
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
