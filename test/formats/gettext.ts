/** gettext-parser, which comes without types: an independent reader of PO files. */
// @ts-expect-error it has no declarations
import { po } from 'gettext-parser';

interface GettextFile {
  readonly headers: Readonly<Record<string, string>>;
  /** Context -> msgid -> entry. */
  readonly translations: Readonly<
    Record<string, Readonly<Record<string, { readonly msgstr: readonly string[] }>>>
  >;
}

export const gettext: { parse(text: string): GettextFile } = po;
