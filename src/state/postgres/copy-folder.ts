/** Copies texts and charges between a state folder and the database of a team. Existing records stay, so a copy may be repeated. */
import type { LanguageTag } from '../../language.ts';
import type { Charge, Ledger } from '../../ledger.ts';
import type { FolderMemories } from '../memories/folder.ts';
import { textsLacking } from '../memory.ts';
import type { Database } from './database.ts';
import { unbooked } from './folded-charges.ts';
import type { Letter } from './outbox.ts';
import { TeamBooks } from './team-books.ts';
import { keyed, TeamMemories } from './team-memory.ts';

/** Charges that are sent at a time. */
const PORTION = 1000;
const EVER = '1970-01-01T00:00:00.000Z';

export interface Folder {
  readonly ledger: Ledger;
  readonly memories: FolderMemories;
  /** Projects and languages for which the folder has translations. */
  readonly scopes: readonly { readonly project: string; readonly language: LanguageTag }[];
  /** The letters of this folder to a team's database, as far as they are kept. */
  letters(): AsyncIterable<Letter>;
}

/** How much was copied, or would be in a dry run. */
export interface Copied {
  readonly texts: number;
  readonly charges: number;
}

/** Copies texts and charges that the database does not have from a folder. */
export async function pushFolder(
  database: Database,
  folder: Folder,
  run: 'dry' | 'real',
): Promise<Copied> {
  const team = allTexts(database, 'push');
  const texts = new Set<string>();
  for (const scope of folder.scopes) {
    const { project, language } = scope;
    const [from, to] = [
      await folder.memories.open(project, language),
      await team.open(project, language),
    ];
    for await (const fresh of textsLacking(from, to)) {
      for (const { recipe, source: parts } of fresh) texts.add(keyed(scope, { recipe, parts }).key);
      if (run === 'real') await to.remember(fresh);
    }
  }
  const known = await chargeIds(database);
  const unknown = [...folder.ledger.all('charges')].filter(({ id }) => !known.has(id));
  const fresh = await unbooked(database, unknown);
  for (let from = 0; run === 'real' && from < fresh.length; from += PORTION) {
    const portion = fresh.slice(from, from + PORTION);
    await database.call('book', 'push', JSON.stringify(portion));
  }
  const charges = await tellAgain(database, folder, { known, run, texts });
  return { texts: texts.size, charges: fresh.length + charges };
}

/**
 * Sends letters again whose charges the database lacks: it was restored from a backup. Charges are never deleted otherwise, so
 * texts that were deleted on purpose are not sent again.
 * @returns how many charges the ledger of the folder does not have
 */
async function tellAgain(
  database: Database,
  folder: Folder,
  { known, run, texts }: ChargeCopy,
): Promise<number> {
  const own = new Set([...folder.ledger.all('charges')].map(({ id }) => id));
  const told = new Set<string>();
  let charges = 0;
  for await (const letter of folder.letters()) {
    const { ids, keys } = contentOf(letter);
    if (told.has(letter.id) || ids.every((id) => known.has(id))) continue;
    told.add(letter.id);
    for (const key of keys) texts.add(key);
    charges += ids.filter((id) => !known.has(id) && !own.has(id)).length;
    if (run === 'real') await database.call(letter.call, ...letter.values);
  }
  return charges;
}

/** Copies texts and charges that a folder does not have from the database, so that the folder can be used alone. */
export async function pullFolder(
  database: Database,
  { ledger, memories }: Folder,
): Promise<Copied> {
  const team = allTexts(database, 'pull');
  let texts = 0;
  const places = await database.rows<{ project: string; language: LanguageTag }>(
    'select distinct project, language from @.memory',
  );
  for (const { project, language } of places) {
    const [from, to] = [await team.open(project, language), await memories.open(project, language)];
    for await (const fresh of textsLacking(from, to)) {
      texts += fresh.length;
      await to.remember(fresh);
    }
  }
  const charges = [...(await new TeamBooks(database).charges())];
  const fresh = charges.filter(({ id }) => !hasCharge(ledger, id));
  for (let from = 0; from < fresh.length; from += PORTION) {
    await ledger.commit(
      fresh.slice(from, from + PORTION).map((put) => ({ table: 'charges', put }) as const),
    );
  }
  return { texts, charges: fresh.length };
}

/** The memories with all texts, however old. @param name of the runner; stored with each translation */
export function allTexts(database: Database, name: string): TeamMemories {
  return new TeamMemories({ database, name, since: EVER });
}

async function chargeIds(database: Database): Promise<ReadonlySet<string>> {
  const rows = await database.rows<{ id: string }>('select id from @.charges');
  return new Set(rows.map(({ id }) => id));
}

interface ChargeCopy {
  /** Ids of the charges that the database has. */
  readonly known: ReadonlySet<string>;
  readonly run: 'dry' | 'real';
  /** Receives the keys of the texts that are sent. */
  readonly texts: Set<string>;
}

/** The ids of the charges and the keys of the texts of a letter. */
function contentOf({ call, values }: Letter): { ids: readonly string[]; keys: readonly string[] } {
  const body: unknown = JSON.parse(values.at(-1) ?? '[]');
  const { charges, entries } =
    call === 'book'
      ? { charges: body as readonly Charge[], entries: [] }
      : (body as { charges: readonly Charge[]; entries: readonly { key: string }[] });
  return { ids: charges.map(({ id }) => id), keys: entries.map(({ key }) => key) };
}

function hasCharge(ledger: Ledger, id: Charge['id']): boolean {
  return ledger.get('charges', id) !== undefined;
}
