/** Documents as the converters get them. */
import { parseLanguage } from '../../../src/language.ts';
import type { SourceDocument } from '../../../src/sandbox/documents/document.ts';

export function uploaded(name: string, content: string | Uint8Array): SourceDocument {
  const extension = name.slice(name.lastIndexOf('.') + 1);
  const target = parseLanguage('de');
  if (target === undefined) throw new Error('de is a language');
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return { bytes, name, extension, output: extension, target, dialect: 'document' };
}

/** Words in capitals, tags as they were. */
export function shout(text: string): string {
  return text.replace(/<[^>]*>|[^<]+/g, (part) =>
    /^<\/?g\b/.test(part) ? part : part.toUpperCase(),
  );
}
