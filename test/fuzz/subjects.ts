/** The treatment of an input, and the law: it is read, or refused with its name. Anything else is a finding. */
import { extname } from 'node:path';
import { allSteps } from '../../src/clock.ts';
import { parseConfig } from '../../src/config/parse.ts';
import { JobFailure } from '../../src/failure.ts';
import type { Format, FormatOptions, Part } from '../../src/format.ts';
import { sourceParts } from '../../src/format.ts';
import { chooseFormat } from '../../src/formats/all.ts';
import { decodeSubtitles, encodeSubtitles } from '../../src/formats/captions/decode.ts';
import { filmOf } from '../../src/formats/captions/film.ts';
import { fitCue } from '../../src/formats/captions/fit.ts';
import { sentenceGroups } from '../../src/formats/captions/group.ts';
import type { CaptionLimits } from '../../src/formats/captions/limits.ts';
import { parseSubtitles } from '../../src/formats/captions/read.ts';
import { compose } from '../../src/formats/text/compose.ts';
import type { SegmentPlacement } from '../../src/formats/text/composition.ts';
import { expectedSegments } from '../../src/formats/text/expect.ts';
import { openFile } from '../../src/formats/text/open.ts';
import { hasLetters } from '../../src/formats/text/parts.ts';
import { refusedSegments } from '../../src/formats/text/verify.ts';
import { withoutMedia } from '../../src/lanes/document/minify.ts';
import { isWordless, officeTexts } from '../../src/lanes/document/office-text.ts';
import { parseLanguage } from '../../src/language.ts';
import { limitFor } from '../../src/parsing/thread-call.ts';
import { TookTooLong, within } from '../../src/parsing/within.ts';
import type { Columns } from '../../src/project.ts';
import { matchesKey } from '../../src/segments/key-pattern.ts';
import { styleCatalogue } from '../../src/terminology/load-styles.ts';
import { readGlossary } from '../../src/terminology/read.ts';
import { readStyle } from '../../src/terminology/style-read.ts';
import { readExchange, readLock, readMemory, readTool } from './returned-subjects.ts';
import type { Kind, SeedFile } from './seeds.ts';
import { tryRequest } from './servers.ts';

/**
 * `unwritable`: read, but a translation would not have been read back, so that nothing was written.
 * `too-long`: a text that the product's time limit ends; it is refused by name.
 */
export const VERDICTS = ['read', 'refused', 'unwritable', 'too-long'] as const;
export type Verdict = (typeof VERDICTS)[number];

const catalogue = await styleCatalogue();
const EN = parseLanguage('en');
const DE = parseLanguage('de') ?? unknownLanguage();

function unknownLanguage(): never {
  throw new TypeError('de');
}

/** Ends work on foreign content, as `within` does. */
export type Limit = typeof within;

/** Throws what is neither an answer nor a refusal. */
export async function tryInput(
  kind: Kind,
  input: SeedFile,
  limit: Limit = within,
): Promise<Verdict> {
  try {
    return await subjectOf(kind)(input, limit);
  } catch (error) {
    if (refusedSegments(error).length > 0) return 'unwritable';
    if (error instanceof TookTooLong) return 'too-long';
    if (!isRefusal(error)) throw error;
    return 'refused';
  }
}

function isRefusal(error: unknown): boolean {
  if (!(error instanceof JobFailure)) return false;
  const { kind } = error.failure;
  return kind === 'malformed' || kind === 'unsupported';
}

type Subject = (input: SeedFile, limit: Limit) => Verdict | Promise<Verdict>;

const RETURNED: Readonly<Record<string, Subject>> = {
  exchange: readExchange,
  memory: readMemory,
  lock: readLock,
  tool: readTool,
};

function subjectOf(kind: Kind): Subject {
  const [family] = kind.split(' ');
  const returned = RETURNED[family ?? ''];
  if (returned !== undefined) return returned;
  if (family === 'server') return ({ bytes }) => tryRequest(kind, bytes);
  if (family === 'archive') return readArchive;
  if (family === 'config') return readConfig;
  if (family === 'glossary') return readTerms;
  if (family === 'style') return readRules;
  if (family === 'subtitle') return readFilm;
  if (family === 'pattern') return readPatterns;
  return readText;
}

/** Reads it as a target, which keeps every byte, and as a source of a new file. */
async function readText({ name, bytes }: SeedFile, limit: Limit): Promise<Verdict> {
  const format = await chooseFormat(name, bytes);
  if (format === undefined) return 'refused';
  const columns = COLUMNS[extname(name)];
  const options = {
    ...({ file: name, sourceLanguage: EN, language: EN, role: 'target' } as const),
    ...(columns === undefined ? {} : { columns }),
  };
  limit(limitFor(bytes.byteLength), () => {
    keepBytes({ format, options }, bytes);
    makeNewFile({ format, options: { ...options, role: 'source' } }, bytes);
  });
  return 'read';
}

/** The columns of a route: without them, tables are refused. */
const COLUMNS: Readonly<Record<string, Columns>> = {
  '.csv': { key: '1', source: '2', delimiter: ',', header: false, targets: new Map() },
  '.tsv': { key: '1', source: '2', delimiter: '\t', header: false, targets: new Map() },
};

interface Reading {
  readonly format: Format;
  readonly options: FormatOptions;
}

function keepBytes({ format, options }: Reading, bytes: Uint8Array): void {
  const neutral = format.shape === 'sequence' ? { ...options, language: undefined } : options;
  const { text, doc, encode } = openFile(bytes, format, neutral);
  const seen = new Set<string>();
  for (const { id, start, end, parts, encode: encodeParts } of doc.segments) {
    if (seen.has(id)) throw new Error(`two texts have the key ${id}`);
    seen.add(id);
    if (encodeParts(structuredClone(parts)) !== text.slice(start, end)) {
      throw new Error(`${id} is spelled differently when nothing changed`);
    }
  }
  if (Buffer.compare(encode(text), bytes) !== 0) throw new Error('the bytes do not come back');
}

/** `compose` refuses a text that cannot be written back, and never writes it. */
function makeNewFile({ format, options }: Reading, bytes: Uint8Array): void {
  const source = openFile(bytes, format, options);
  const expected = expectedSegments(format, source, { language: DE });
  const placements = new Map<string, SegmentPlacement>();
  for (const segment of expected) {
    const parts = sourceParts(segment);
    if (segment.state === 'do-not-translate' || !hasLetters(parts)) continue;
    placements.set(segment.id, { kind: 'write', parts: parts.map(translated) });
  }
  const target = { ...options, language: DE, role: 'target' } as const;
  compose({ format, options: target, source, expected, placements });
}

function translated(part: Part): Part {
  return typeof part === 'string' ? part.replaceAll(/[a-z]/g, 'ö') : part;
}

/** Of the sound configs, so that they are read. */
const ENV = { DRAGOMAN_URL: 'https://api.example.com', DRAGOMAN_KEY: 'secret' };

function readConfig({ name, bytes }: SeedFile): Verdict {
  const text = Buffer.from(bytes).toString('utf8');
  const { faults } = parseConfig(text, { file: `/repo/${name}`, env: ENV });
  const lines = text.split(/\r\n|\r|\n/).length;
  for (const { line, message } of faults ?? []) {
    if (line < 1 || line > lines) throw new Error(`a fault on line ${line} of ${lines}`);
    if (message === '') throw new Error('a fault without a message');
  }
  return faults === undefined ? 'read' : 'refused';
}

/** Names that make a pattern with many stars try much, where it tries at all. */
const LONG_PATHS = ['a'.repeat(300), `${'a/'.repeat(60)}${'a'.repeat(200)}.json`];

/** Of one input: each makes two configs, the time of many other inputs. */
const MOST_PATTERNS = 4;

/** Each line as a pattern of routes, of exclusions and of keys. */
function readPatterns({ bytes }: SeedFile): Verdict {
  const lines = Buffer.from(bytes)
    .toString('utf8')
    .split(/\r\n|\r|\n/)
    .filter((_, nth, all) => nth % Math.ceil(all.length / MOST_PATTERNS) === 0);
  const verdicts = lines.map(readPattern);
  return verdicts.includes('read') ? 'read' : 'refused';
}

function readPattern(pattern: string): Verdict {
  for (const path of LONG_PATHS) matchesKey([pattern], path);
  const json = { from: '{locale}/**/*.json', exclude: [pattern], keys: { ignore: [pattern] } };
  const own = { from: pattern, to: 'own/{locale}/{dir}/{name}.{ext}' };
  // An exclusion may have patterns that no route may have.
  return readRoutes([own, json]) === 'read' ? 'read' : readRoutes([json]);
}

function readRoutes(routes: readonly object[]): Verdict {
  const service = { url: ENV.DRAGOMAN_URL, key: { env: 'DRAGOMAN_KEY' } };
  const text = JSON.stringify({
    version: 1,
    service,
    projects: { app: { source: 'en', targets: ['de'], routes } },
  });
  const parsed = parseConfig(text, { file: '/repo/dragoman.yaml', env: ENV });
  if (parsed.faults !== undefined) return 'refused';
  for (const path of LONG_PATHS) parsed.router.match('app', path);
  return 'read';
}

function readTerms({ name, bytes }: SeedFile): Verdict {
  if (EN === undefined || DE === undefined) throw new TypeError('en, de');
  const expected = { source: EN, targets: [DE] };
  const { faults } = readGlossary([{ file: name, bytes, expected }]);
  return faults.length === 0 ? 'read' : 'refused';
}

function readRules({ name, bytes }: SeedFile): Verdict {
  const { content, faults } = readStyle(Buffer.from(bytes).toString('utf8'), name, catalogue);
  if (content === undefined && faults.length === 0) throw new Error('neither a list nor a fault');
  return content === undefined ? 'refused' : 'read';
}

/** More lines than a screen has: the layout of a text tries more. */
const SCREEN: CaptionLimits = { lineLength: 42, lines: 4, fast: 17, unreadable: 21 };

function readFilm({ name, bytes }: SeedFile): Verdict {
  const decoded = decodeSubtitles(bytes, { file: name, fallback: 'windows-1252' });
  const file = parseSubtitles(decoded, name);
  allSteps(encodeSubtitles([decoded.text], decoded));
  // The lane does this on its event loop, a cue at a time, so it gets no time limit here either.
  for (const format of ['srt', 'vtt'] as const) {
    const { cues } = filmOf(file, format, { sdh: 'translate' });
    sentenceGroups(cues, { joins: true });
    const screen = { format, language: DE, limits: SCREEN };
    for (const { apart } of cues) {
      fitCue(
        apart,
        apart.turns.map(({ speech }) => speech),
        screen,
      );
    }
  }
  return 'read';
}

function readArchive({ name, bytes }: SeedFile): Verdict {
  const extension = extname(name).slice(1);
  const texts = officeTexts(bytes, { extension, file: name });
  isWordless(bytes, name);
  if (extension !== 'xlsx') {
    const without = withoutMedia(bytes, name);
    const kept = officeTexts(without, { extension, file: name });
    if (kept.join('\n') !== texts.join('\n')) throw new Error('texts changed with the media');
  }
  return 'read';
}
