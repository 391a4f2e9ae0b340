/** Translation memories as TMX 1.4b (LISA OSCAR): written for, and read from, the tools that people already have. Pure. */

import { decodeXml, encodeXml } from '../files/xml-tokens.ts';
import type { Part } from '../format.ts';
import { childElements, parseXml, type XmlElement } from '../formats/grammar/xml-tree.ts';
import { type LanguageTag, parseLanguage } from '../language.ts';

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

// Host syntax travels as <ph>: other tools show it and leave it alone.
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

/**
 * Reads a TMX of any version.
 * @param sourceLanguage units without it are left out
 * @throws JobFailure `malformed` with line and column
 */
export function readTmx(text: string, file: string, sourceLanguage: LanguageTag): TmxUnit[] {
  const [body] = childElements(parseXml(text, file), 'body');
  if (body === undefined) return [];
  return childElements(body, 'tu').flatMap((unit) => unitsOf(unit, text, sourceLanguage));
}

function unitsOf(unit: XmlElement, text: string, sourceLanguage: LanguageTag): TmxUnit[] {
  const variants = childElements(unit, 'tuv').flatMap((variant) => {
    const code = variant.attributes.get('xml:lang') ?? variant.attributes.get('lang');
    const language = code === undefined ? undefined : parseLanguage(code);
    const [content] = childElements(variant, 'seg');
    return language === undefined || content === undefined
      ? []
      : [{ language, parts: partsOf(content, text) }];
  });
  const source =
    variants.find(({ language }) => language === sourceLanguage) ??
    variants.find(({ language }) => language.startsWith(`${sourceLanguage}-`));
  if (source === undefined) return [];
  return variants
    .filter((variant) => variant !== source && variant.parts.length > 0)
    .map(({ language, parts }) => ({ source: source.parts, target: parts, language }));
}

function partsOf({ children }: XmlElement, text: string): Part[] {
  return children.flatMap((child): Part[] => {
    const raw = text.slice(child.start, child.end);
    if (child.kind === 'text') return [decodeXml(raw)];
    if (child.kind === 'cdata') return [raw.slice('<![CDATA['.length, -']]>'.length)];
    if (child.kind !== 'element') return [];
    return [{ raw: decodeXml(text.slice(child.openEnd, child.closeStart)) }];
  });
}
