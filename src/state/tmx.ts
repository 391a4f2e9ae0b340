/** Reads translation memories as TMX of any version. Pure. */
import { decodeXml } from '../files/xml-characters.ts';
import type { Part } from '../format.ts';
import { childElements, parseXml, type XmlElement } from '../formats/grammar/xml-tree.ts';
import { type LanguageTag, parseLanguage } from '../language.ts';

import type { TmxUnit } from './tmx-text.ts';

/**
 * Reads a TMX of any version.
 * @param sourceLanguage units without this language are left out
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
      : [{ language, parts: tmxParts(content, text) }];
  });
  const source =
    variants.find(({ language }) => language === sourceLanguage) ??
    variants.find(({ language }) => language.startsWith(`${sourceLanguage}-`));
  if (source === undefined) return [];
  return variants
    .filter((variant) => variant !== source && variant.parts.length > 0)
    .map(({ language, parts }) => ({ source: source.parts, target: parts, language }));
}

function tmxParts({ children }: XmlElement, text: string): Part[] {
  return children.flatMap((child): Part[] => {
    const raw = text.slice(child.start, child.end);
    if (child.kind === 'text') return [decodeXml(raw)];
    if (child.kind === 'cdata') return [raw.slice('<![CDATA['.length, -']]>'.length)];
    if (child.kind !== 'element') return [];
    return [{ raw: decodeXml(text.slice(child.openEnd, child.closeStart)) }];
  });
}
