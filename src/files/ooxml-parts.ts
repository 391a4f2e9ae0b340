/** Finds the entries of an Office Open XML container with text to translate, by its content types (ECMA-376 part 2, 7.2.3). Pure. */
import { decodeXml } from './xml-characters.ts';
import { rawAttribute, xmlTokens } from './xml-tokens.ts';
import { decodeXstring } from './xstring.ts';

export type OfficeKind = 'docx' | 'pptx' | 'xlsx';

/** The entry with the content types; every package has it. */
export const CONTENT_TYPES = '[Content_Types].xml';

/** Entry name of each part -> its content type. */
export type ContentTypes = ReadonlyMap<string, string>;

/** @throws JobFailure `malformed` for XML that is not well-formed or has a DOCTYPE */
export function readContentTypes(xml: string, names: readonly string[]): ContentTypes {
  const byExtension = new Map<string, string>();
  const byName = new Map<string, string>();
  for (const token of xmlTokens(xml, CONTENT_TYPES)) {
    if (token.kind !== 'open' && token.kind !== 'empty') continue;
    const attribute = (name: string) =>
      decodeXml(rawAttribute(xml.slice(token.start, token.end), name) ?? '');
    const type = attribute('ContentType');
    if (token.name.endsWith('Default')) byExtension.set(attribute('Extension').toLowerCase(), type);
    if (token.name.endsWith('Override')) byName.set(foldedName(attribute('PartName')), type);
  }
  const typed = names.map((name) => {
    const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
    return [name, byName.get(foldedName(name)) ?? byExtension.get(extension) ?? ''] as const;
  });
  return new Map(typed);
}

/** Part names begin with a slash, entry names do not. Both are compared without regard to case. */
function foldedName(name: string): string {
  return name.replace(/^\//, '').toLowerCase();
}

const MAIN: Readonly<Record<OfficeKind, RegExp>> = {
  docx: /wordprocessingml\.(?:document|template)\.main\+xml$|ms-word\.\w+\.macroEnabledTemplate|ms-word\.document\.macroEnabled\.main\+xml$/,
  pptx: /presentationml\.(?:presentation|template|slideshow)\.main\+xml$|ms-powerpoint\.\w+\.macroEnabled\.main\+xml$/,
  xlsx: /spreadsheetml\.(?:sheet|template)\.main\+xml$|ms-excel\.\w+\.macroEnabled\.main\+xml$/,
};

/** The kind of a package by its main part, not by its file name; undefined when it is none of the three. */
export function officeKind(types: ContentTypes): OfficeKind | undefined {
  const all = [...types.values()];
  return (['docx', 'pptx', 'xlsx'] as const).find((kind) =>
    all.some((type) => MAIN[kind].test(type)),
  );
}

/**
 * Content types of parts with text. Masters and layouts are not among them: no reader sees their prompts.
 * Names of authors, formulas, names of sheets and everything that formulas refer to are not translated either.
 */
const WORD_PARTS =
  /wordprocessingml\.(?:document\.main|template\.main|document\.glossary|header|footer|footnotes|endnotes|comments)\+xml$|ms-word\.document\.macroEnabled\.main\+xml$|presentationml\.(?:slide|notesSlide)\+xml$|spreadsheetml\.(?:sharedStrings|worksheet|comments)\+xml$|drawingml\.(?:chart|chartshapes|diagramData)\+xml$|officedocument\.drawing\+xml$|ms-office\.drawingml\.diagramDrawing\+xml$|ms-powerpoint\.comments\+xml$/;

/** Names of the entries with text, in the order of the container. */
export function partsWithWords(types: ContentTypes): readonly string[] {
  return [...types].filter(([, type]) => WORD_PARTS.test(type)).map(([name]) => name);
}

/** Names of the entries that refer to heading cells by their text: tables and pivot tables of a workbook. */
export function headingParts(types: ContentTypes): readonly string[] {
  return [...types]
    .filter(([, type]) => /spreadsheetml\.(?:table|pivotCacheDefinition)\+xml$/.test(type))
    .map(([name]) => name);
}

/** Column names of a table. When a heading cell differs from the name of its column, Excel repairs the file. */
export function headings(xml: string, part: string): readonly string[] {
  const names: string[] = [];
  for (const token of xmlTokens(xml, part)) {
    if (token.kind !== 'open' && token.kind !== 'empty') continue;
    if (!/^(?:\w+:)?(?:tableColumn|cacheField)$/.test(token.name)) continue;
    const name = rawAttribute(xml.slice(token.start, token.end), 'name') ?? '';
    names.push(decodeXstring(decodeXml(name)));
  }
  return names;
}
