/** The treatment of files that come back from others: exchange files, translation memories, the lock after a merge, configs of other tools. */
import { readToolConfig } from '../../src/cli/init/from/thread-work.ts';
import { withoutAddedEscapes } from '../../src/formats/exchange/added-escapes.ts';
import { recognise } from '../../src/formats/exchange/all.ts';
import { type LanguageTag, parseLanguage } from '../../src/language.ts';
import { limitFor } from '../../src/parsing/thread-call.ts';
import { decideByProject } from '../../src/segments/import-projects.ts';
import { union } from '../../src/segments/statements.ts';
import {
  formatLock,
  formatStatement,
  type LockText,
  parseLock,
} from '../../src/state/lock-text.ts';
import { readTmx } from '../../src/state/tmx.ts';
import { TMX_END, tmxHead, tmxUnit } from '../../src/state/tmx-text.ts';
import type { SeedFile } from './seeds.ts';
import { EXCHANGED } from './sound-files.ts';
import type { Limit } from './subjects.ts';

type Answer = 'read' | 'refused';

const EN = parseLanguage('en') as LanguageTag;

/** Each row of an exchange file gets a decision. */
export function readExchange({ name, bytes }: SeedFile, limit: Limit): Answer {
  return limit(limitFor(bytes.byteLength), () => {
    const format = recognise(bytes, name);
    if (format === undefined) return 'refused';
    const { rows, refused } = withoutAddedEscapes(format.read(bytes, name));
    for (const { line } of [...rows, ...refused]) {
      if (!(line >= 1)) throw new Error(`a text of line ${line}`);
    }
    const asked = rows.map((row) => ({ ...row, from: name }));
    const decided = decideByProject(asked, EXCHANGED);
    if (decided.length !== rows.length) {
      throw new Error(`${decided.length} decisions about ${rows.length} rows`);
    }
    return rows.length > 0 ? 'read' : 'refused';
  });
}

/** What is read is exported as it was read. */
export function readMemory({ name, bytes }: SeedFile, limit: Limit): Answer {
  return limit(limitFor(bytes.byteLength), () => {
    const units = readTmx(Buffer.from(bytes).toString('utf8'), name, EN);
    const head = tmxHead({ sourceLanguage: EN, version: '0' });
    const written = `${head}${units.map((unit) => tmxUnit(unit, EN)).join('')}${TMX_END}`;
    const again = readTmx(written, name, EN);
    if (again.length !== units.length) {
      throw new Error(`${units.length} entries become ${again.length}`);
    }
    return units.length > 0 ? 'read' : 'refused';
  });
}

/** What is read is written so that it says the same. */
export function readLock({ bytes }: SeedFile): Answer {
  const lock = parseLock(Buffer.from(bytes).toString('utf8'));
  const written = formatLock(lock.sections);
  const again = parseLock(written);
  if (again.unreadable !== undefined) throw new Error(`line ${again.unreadable} of: ${written}`);
  if (saidBy(again) !== saidBy(lock)) throw new Error(`says something else: ${written}`);
  return lock.unreadable === undefined ? 'read' : 'refused';
}

/** Without the paths: a merge may have put a statement under another one. */
function saidBy({ sections }: LockText): string {
  const lines = union(...sections.values()).map(formatStatement);
  return lines.sort((a, b) => (a < b ? -1 : 1)).join('\n');
}

export async function readTool({ name, bytes }: SeedFile, limit: Limit): Promise<Answer> {
  const text = Buffer.from(bytes).toString('utf8');
  const read = await readToolConfig({ text, file: name });
  limit(limitFor(bytes.byteLength), read);
  return 'read';
}
