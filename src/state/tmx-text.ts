/** Writes translation memories as TMX 1.4b (LISA OSCAR), for other tools. Pure. */
import { encodeXml } from '../files/xml-characters.ts';
import type { Part } from '../format.ts';
import type { LanguageTag } from '../language.ts';

/** One text in two languages. */
export interface TmxUnit {
  readonly source: readonly Part[];
  readonly target: readonly Part[];
  readonly language: LanguageTag;
  /** ISO 8601. */
  readonly at?: string;
}

export interface TmxHead {
  readonly sourceLanguage: LanguageTag | undefined;
  readonly version: string;
}

export function tmxHead({ sourceLanguage, version }: TmxHead): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<tmx version="1.4">
<header creationtool="dragoman" creationtoolversion="${version}" segtype="sentence" o-tmf="dragoman" adminlang="en" srclang="${sourceLanguage ?? '*all*'}" datatype="plaintext"/>
<body>
`;
}

export const TMX_END = '</body>\n</tmx>\n';

export function tmxUnit({ source, target, language, at }: TmxUnit, sourceLanguage: string): string {
  const date = at === undefined ? '' : ` changedate="${compactTime(at)}"`;
  return `<tu${date}><tuv xml:lang="${sourceLanguage}"><seg>${segment(source)}</seg></tuv><tuv xml:lang="${language}"><seg>${segment(target)}</seg></tuv></tu>\n`;
}

// Raw syntax becomes <ph>: other tools show it and do not change it.
function segment(parts: readonly Part[]): string {
  return parts
    .map((part, index) =>
      typeof part === 'string' ? encodeXml(part) : `<ph x="${index}">${encodeXml(part.raw)}</ph>`,
    )
    .join('');
}

function compactTime(at: string): string {
  return `${at.replaceAll(/[-:]|\.\d+/g, '')}`;
}
