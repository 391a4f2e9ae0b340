/** What is checked when the daemons of a tree under torture have ended: the files, the lock, the terms and the bill. */
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { UPLOAD as DOCUMENT_UPLOAD } from '../lanes/document/office.ts';
import { UPLOAD } from '../lanes/voice/voice-rig.ts';
import type { Postgres } from '../postgres.ts';
import { type Member, Team } from '../shared-team.ts';
import { LANGUAGES, RECORDING_SECONDS, ROUTES, type Sources } from './cluster-sources.ts';
import { Broken } from './installation.ts';

export interface Ended {
  readonly postgres: Postgres;
  readonly team: Team;
  readonly tree: Member;
  readonly sources: Sources;
  /** With the state folder of each daemon. */
  readonly folders: string;
  /** What users start. */
  readonly program: string;
  /** Names of documents that a person has bought again. */
  readonly retried: ReadonlySet<string>;
}

/** @returns the bill, in words @throws Broken */
export async function checkAll(ended: Ended): Promise<string> {
  const { sources, folders, tree, team } = ended;
  require('sources are not as people left them', sources.changed);
  require('files are left', sources.leftBehind);
  require('corrections of removed files are lost', sources.lost);
  await requireLock(tree, folders);
  require('terms of the service are not those of the files', await wrongTerms(team, sources));
  await compareOthers(ended);
  return await countStrictly(team, ended.retried);
}

function require(what: string, found: readonly string[]): void {
  if (found.length > 0) throw new Broken(`${what}: ${found.slice(0, 10).join(', ')}`);
}

async function wrongTerms({ sandbox }: Team, { terms }: Sources): Promise<string[]> {
  const ask = async (path: string) => {
    const headers = { authorization: `Service-Auth-Key ${sandbox.key}` };
    return await fetch(new URL(path, sandbox.url), { headers });
  };
  const { glossaries } = (await (await ask('/v3/glossaries')).json()) as {
    glossaries: readonly { glossary_id: string }[];
  };
  const [glossary] = glossaries;
  if (glossary === undefined || glossaries.length > 1) return [`${glossaries.length} glossaries`];
  const wrong: string[] = [];
  for (const [language, expected] of terms) {
    const pair = `source_lang=en&target_lang=${language}`;
    const answer = await ask(`/v3/glossaries/${glossary.glossary_id}/entries?${pair}`);
    const { dictionaries = [] } = (await answer.json()) as {
      dictionaries?: readonly { entries: string }[];
    };
    const found = dictionaries.map(({ entries }) => entries.trim()).join(' and ');
    if (found !== expected) wrong.push(`${language}: "${found}" and not "${expected}"`);
  }
  return wrong;
}

/** @throws Broken where a checkout without state, which has only the files and the lock, says that something is to be done */
async function requireLock(tree: Member, folders: string): Promise<void> {
  // The last recording may be removed: a route whose folder is missing fails.
  mkdirSync(tree.path('spoken'), { recursive: true });
  const state = join(folders, 'none');
  tree.write('alone.yaml', tree.read('dragoman.yaml').replace(/^state:.*$/m, `state: "${state}"`));
  const child = tree.spawn('once', {}, '--frozen', '--config', 'alone.yaml');
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  if (code !== 0)
    throw new Broken(`a checkout without state ended with ${code}: ${stdout}${stderr}`);
}

/** @throws Broken where a target is not as a daemon on its own makes it */
async function compareOthers({ postgres, tree, sources, program }: Ended): Promise<void> {
  const others = sources.pairs.filter(({ source }) => !source.endsWith('.json'));
  await using team = await Team.start(postgres, { members: 1, texts: 0, program, routes: ROUTES });
  const [alone] = team.members as [Member];
  alone.configureAlone({ routes: ROUTES, targets: LANGUAGES });
  for (const { source } of others) alone.write(source, readFileSync(tree.path(source)));
  // The last recording may be removed: a route whose folder is missing fails.
  mkdirSync(alone.path('spoken'), { recursive: true });
  const { code } = await alone.onceApart();
  if (code !== 0) throw new Broken(`a daemon on its own ended with ${code}`);
  const targets = others.flatMap((pair) => pair.targets);
  require('not as they should be', targets.filter(
    (path) => !tree.has(path) || tree.read(path) !== alone.read(path),
  ));
}

/**
 * Texts that were paid twice must be on the books as such. A document is bought twice only by a person: the service counts its name with a
 * hash, not its characters. @throws Broken
 */
async function countStrictly(team: Team, retried: ReadonlySet<string>): Promise<string> {
  const { billed_characters: billed, asked_twice, operations } = team.sandbox.counters();
  const { sure, doubted, reserved, requests, leases, seconds: heard } = await team.account();
  const uploaded = (operations[UPLOAD]?.statuses[204] ?? 0) * RECORDING_SECONDS;
  const texts = asked_twice.filter(({ operation }) => operation !== DOCUMENT_UPLOAD);
  const twice = texts.reduce((sum, { text, times }) => sum + (times - 1) * text.length, 0);
  const documents = asked_twice.filter(({ operation }) => operation === DOCUMENT_UPLOAD);
  const alone = documents.filter(({ text }) => !retried.has(text.replace(/ sha256:.*/s, '')));
  const wrong: string[] = [];
  if (billed < sure || billed > sure + doubted) {
    wrong.push(
      `the service billed ${billed}; the books say ${sure}, and ${doubted} possibly twice`,
    );
  }
  if (uploaded > heard)
    wrong.push(`the service took ${uploaded} s of voice, the books say ${heard}`);
  if (twice > doubted) {
    const which = JSON.stringify(texts.slice(0, 20));
    wrong.push(`${twice} characters bought twice, ${doubted} on the books so: ${which}`);
  }
  if (alone.length > 0) wrong.push(`sent again by nobody's wish: ${JSON.stringify(alone)}`);
  if (reserved + requests + leases > 0) {
    wrong.push(`${reserved} reserved, ${requests} requests and ${leases} texts are under way`);
  }
  if (wrong.length > 0) throw new Broken(wrong.join('\n'));
  return `${billed} billed, ${twice} of them twice, ${doubted} on the books as possibly twice, ${heard} s of voice`;
}
