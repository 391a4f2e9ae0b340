/** Reads the lock of another tool. It says which source text each translation was made from. Pure. */
import { hash } from 'node:crypto';
import { type LanguageTag, parseLanguage } from '../../../language.ts';
import { type Assertion, type SourceHash, sourceHash } from '../../../segments/statements.ts';
import { pathWithoutSource, type Settings, settingsIn, stringIn } from './imported.ts';

/** A text of a target. */
export interface LockedText {
  /** Path of the source, relative to the folder of the tool's config. */
  readonly path: string;
  /** The key as people write it. */
  readonly key: string;
  readonly language: LanguageTag;
  /** The present source text. */
  readonly text: string;
}

/** @returns the assertion about a text; undefined when the lock does not know the text */
export type ToolLock = (current: LockedText) => Omit<Assertion, 'target'> | undefined;

/** A value of the team's lock: the translation was made from another, unknown text. */
const OTHER_TEXT = '--------' as SourceHash;

/** The name of the lock file beside a config, and its reader. */
export interface LockOfTool {
  readonly file: string;
  read(content: unknown, source: string): ToolLock;
}

export const LOCKS: ReadonlyMap<string, LockOfTool> = new Map(
  Object.entries<LockOfTool>({
    'DeepL sync': { file: '.deepl-sync.lock', read: (content) => deeplLock(settingsIn(content)) },
    'lingo.dev': {
      file: 'i18n.lock',
      read: (content, source) => lingoLock(settingsIn(content), source),
    },
  }),
);

/** `entries[path][key]` has the last seen source text, and for each language the hash of the text that it was translated from. */
function deeplLock(content: Settings): ToolLock {
  const entries = settingsIn(content['entries']);
  return ({ path, key, language }) => {
    const entry = settingsIn(settingsIn(entries[path])[key]);
    const made = Object.entries(settingsIn(entry['translations'])).find(
      ([code]) => parseLanguage(code) === language,
    );
    const translation = settingsIn(made?.[1]);
    if (made === undefined || translation['status'] === 'failed') return undefined;
    const text = stringIn(entry['source_text']);
    const isLatest = text !== undefined && translation['hash'] === entry['source_hash'];
    const isReviewed = Object.values(translation).includes('human_reviewed');
    return {
      source: isLatest ? sourceHash(text) : OTHER_TEXT,
      mark: 'machine',
      ...(isReviewed ? { review: 'reviewed' } : {}),
    };
  };
}

/**
 * `checksums[hash of the path's pattern][key]` is the hash of the text that the translations were made from. It does not say
 * who made them. Keys of groups are joined by slashes, each part URL-encoded.
 */
function lingoLock(content: Settings, source: string): ToolLock {
  const sections = settingsIn(content['checksums']);
  const read = new Map<string, Map<string, unknown>>();
  const sectionOf = (path: string) => {
    const known = read.get(path);
    if (known !== undefined) return known;
    const pattern = (pathWithoutSource(path, source) ?? path).replace('{}', '[locale]');
    const sums = Object.entries(settingsIn(sections[lingoHash(pattern)]));
    const section = new Map(sums.map(([key, sum]) => [plainKey(key), sum]));
    read.set(path, section);
    return section;
  };
  return ({ path, key, text }) => {
    const sum = sectionOf(path).get(key);
    if (sum === undefined) return undefined;
    return { source: sum === lingoHash(text) ? sourceHash(text) : OTHER_TEXT, mark: 'adopted' };
  };
}

/** The hash of a string by the package object-hash, as lingo.dev uses it. */
function lingoHash(text: string): string {
  return hash('md5', `string:${text.length}:${text}`);
}

function plainKey(key: string): string {
  return key.split('/').map(decoded).join('.');
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
