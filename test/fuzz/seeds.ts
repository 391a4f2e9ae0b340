/** The sound files that inputs are made from: files of the repository, earlier findings, and the corpus if it is there. */

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { FORMATS } from '../../src/formats/all.ts';
import { REQUEST, soundRequests } from './requests.ts';
import { soundFiles } from './sound-files.ts';

export interface SeedFile {
  /** With the extension that tells what it is. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** `text json`, `config`, `archive docx`, `server page` …: the reader of the files of a kind. */
export type Kind = string;

const ROOT = resolve(import.meta.dirname, '..', '..');
const FOUND = join(import.meta.dirname, 'found');
const OFFICE = ['docx', 'pptx', 'xlsx'];
const TEXTS = new Set(FORMATS.flatMap(({ extensions }) => extensions));
/** Longer ones are many times the same. */
const MAX_BYTES = 60_000;

/** Files that come back from translators are found by these names. */
const EXCHANGE = /\.exchange\.(csv|po|xlf|xlsx)$/;
/** The configs of other tools that `init --from` reads, and those that were found. */
const TOOL =
  /(?:^|[/.])(?:crowdin|deepl-sync|phrase|tolgeerc|i18n(?:-tasks)?|tool)(?:\.ya?ml|\.json)?$/;

/** @param corpus a folder of more files, which need not be there @param only the kinds whose names begin so; all for '' */
export function seedFiles(corpus: string, only = ''): Map<Kind, SeedFile[]> {
  const seeds = new Map(
    [...soundRequests(), ...soundFiles()].map(([kind, files]) => [kind, [...files]]),
  );
  // Not the documentation: every edit there would make other inputs.
  const folders = [
    join(ROOT, 'examples'),
    join(ROOT, 'test', 'upgrade', 'sources'),
    join(ROOT, 'test', 'fixtures', 'arriving'),
  ];
  for (const folder of [...folders, FOUND]) addFolder(seeds, folder);
  if (existsSync(corpus)) addFolder(seeds, corpus);
  const resx = seeds.get('text resx') ?? [];
  const resw = resx.map(({ name, bytes }) => ({ name: name.replace(/resx$/, 'resw'), bytes }));
  seeds.set('text resw', [...(seeds.get('text resw') ?? []), ...resw]);
  const kinds = [...seeds].filter(([kind]) => kind.startsWith(only));
  return new Map(kinds.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Who reads a file of that path. */
export function kindsOf(path: string): Kind[] {
  const extension = extname(path).slice(1).toLowerCase();
  const server = REQUEST.exec(path)?.[1];
  if (server !== undefined) return [`server ${server}`];
  const exchange = EXCHANGE.exec(path)?.[1];
  if (exchange !== undefined) return [`exchange ${exchange === 'xlf' ? 'xliff' : exchange}`];
  if (extension === 'tmx') return ['memory'];
  if (extension === 'lock') return ['lock'];
  if (TOOL.test(path)) return ['tool'];
  if (OFFICE.includes(extension)) return [`archive ${extension}`];
  if (extension === 'srt' || extension === 'vtt') return ['subtitle'];
  if (extension === 'tbx') return ['glossary'];
  if (extension === 'pattern') return ['pattern'];
  if (/(?:^|\/)(?:dragoman|config)[^/]*\.ya?ml$/.test(path)) return ['config'];
  if (/style[^/]*\.ya?ml$/.test(path)) return ['style'];
  if (/\.(?:csv|tsv)$/.test(path)) return ['glossary', `text ${extension}`];
  return TEXTS.has(extension) ? [`text ${extension}`] : [];
}

function addFolder(seeds: Map<Kind, SeedFile[]>, folder: string): void {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const name of names.filter((each) => !each.includes('node_modules')).sort()) {
    const path = join(folder, name);
    const kinds = kindsOf(path);
    if (kinds.length === 0 || !statSync(path).isFile() || statSync(path).size > MAX_BYTES) continue;
    for (const kind of kinds) {
      const files = kind === 'pattern' ? linesOf(path) : [readFileSync(path)];
      const added = files.map((bytes) => ({ name, bytes }));
      seeds.set(kind, [...(seeds.get(kind) ?? []), ...added]);
    }
  }
}

/** Each pattern makes configs of its own: a file of them takes the time of many inputs. */
function linesOf(path: string): Buffer[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => Buffer.from(line));
}
