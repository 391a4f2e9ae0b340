/** `explain`: the route, lane and rules of a file; for a target also what it was made from, and what it cost. */
import { join, relative } from 'node:path';
import { isBoughtByText } from '../config/lane-languages.ts';
import { describeFailure } from '../failure.ts';
import { parseStat, statOf } from '../files/disk.ts';
import { keyName, partsText } from '../format.ts';
import { readSourceTexts } from '../intake/source-texts.ts';
import { describeHold, targetList } from '../job.ts';
import { outputLanguage } from '../lanes/voice/voice-case.ts';
import type { LanguageTag } from '../language.ts';
import type { Charge, JobRecord } from '../ledger.ts';
import type { Setup } from '../plan/planner.ts';
import type { Recipe } from '../plan/recipe.ts';
import type { Project } from '../project.ts';
import { nearestWord } from '../routes/suggest.ts';
import type { Extent } from '../state/tree.ts';
import { glossaryKeyOf } from '../sync/glossaries.ts';
import { styleKeyOf } from '../sync/styles.ts';
import type { TerminologyInForce } from '../sync/terminology-in-force.ts';
import { projectTerms, styleFor } from '../terminology/project-terms.ts';
import type { ExplainedJob, ExplainedSegment, ExplainReport } from './explain-report.ts';
import { findText, type LineToExplain } from './explain-text.ts';
import type { LocalControlOptions } from './options.ts';
import { pairsIn, readPair } from './review/files.ts';
import { inScope } from './scope.ts';
import { filmReport } from './subtitles.ts';

/** A key, or the line of a text. */
type KeyOrLine = string | { readonly line: number };

/** The records of a shared tree that `explain` needs. The text at a line is found after a scan, which needs all of them. */
export function recordsFor(setup: Setup, file: string, at?: KeyOrLine): Extent {
  if (typeof at === 'object') return { of: 'everything' };
  const place = projectMatch(setup, file);
  return place === undefined
    ? { of: 'books' }
    : { of: 'file', project: place.project.name, path: place.path };
}

/**
 * Several projects may have the same root, or a root inside another one. The file belongs to the first project that has a route for it,
 * else to the innermost.
 * @returns undefined for a file in no project
 */
function projectMatch({ config: { projects }, router }: Setup, file: string) {
  const places = projects
    .filter(({ root }) => !relative(root, file).startsWith('..'))
    .toSorted((a, b) => b.root.length - a.root.length)
    .map((project) => {
      const path = relative(project.root, file).normalize('NFC');
      return { project, path, match: router.match(project.name, path) };
    });
  return places.find(({ match }) => match.kind !== 'skipped') ?? places[0];
}

export async function explainFile(
  options: LocalControlOptions,
  file: string,
  at?: KeyOrLine,
): Promise<ExplainReport> {
  const place = projectMatch(options.inForce, file);
  if (place === undefined) {
    return { file, kind: 'skipped', reason: 'it is in no project' };
  }
  const { project, path, match } = place;
  if (match.kind === 'skipped') {
    return { file, kind: 'skipped', project: project.name, reason: match.reason };
  }
  const scope = { projects: [project.name], languages: [], paths: [file] };
  const jobs = [...options.ledger.all('jobs')].filter((job) =>
    inScope(scope, job, () => project.root),
  );
  const about =
    at === undefined
      ? {}
      : typeof at === 'string'
        ? ((await explainSegment(options, jobs, at)) ??
          (await explainKey(options, { project, path, key: at })))
        : await explainText(options, { project, file, path, line: at.line });
  return {
    file,
    kind: match.kind,
    project: project.name,
    route: `routes[${match.route.index}]: ${match.route.from}`,
    ...(match.kind === 'source' ? { lane: match.lane } : {}),
    jobs: await explainJobs(options, jobs),
    ...rulesOf(options, jobs[0]),
    ...about,
  };
}

async function explainText(
  options: LocalControlOptions,
  asked: LineToExplain,
): Promise<Pick<ExplainReport, 'segment' | 'also_there' | 'missing_text'>> {
  const found = await findText(options, asked);
  switch (found.kind) {
    case 'unknown':
      return { missing_text: { nearest: null } };
    case 'no text':
      return { missing_text: { nearest: found.nearest } };
    case 'text': {
      const { pair, id, segment, others } = found;
      const job = options.ledger.get('jobs', pair.id);
      const known =
        segment.language === '' || job === undefined
          ? undefined
          : await explainSegment(options, [job], id);
      return {
        segment: { ...(known?.segment ?? segment), key: segment.key },
        ...(others.length === 0 ? {} : { also_there: others }),
      };
    }
  }
}

interface AskedKey {
  readonly project: Project;
  /** Path of the source or target, relative to the root. */
  readonly path: string;
  readonly key: string;
}

/** The source's current text for a key that no target has yet. */
async function explainKey(
  { inForce: { router } }: LocalControlOptions,
  { project, path, key }: AskedKey,
): Promise<Pick<ExplainReport, 'segment' | 'missing_key'>> {
  const asked = router.match(project.name, path);
  const source = asked.kind === 'target' ? (asked.source() ?? path) : path;
  const match = router.match(project.name, source);
  if (match.kind !== 'source') return {};
  const stat = await statOf(join(project.root, source));
  const size = stat === undefined ? 0 : Number(parseStat(stat).size);
  const texts = await readSourceTexts({ project }, { source: { raw: source, size }, match });
  // A file that cannot be read says nothing about its keys; a file that is translated whole has none.
  if (texts.length === 0 && isBoughtByText(match.lane)) return {};
  const found = texts.find(({ id }) => isKey(id, key));
  if (found !== undefined) {
    const segment = { key, language: '', source: found.source, target: null } as const;
    return { segment: { ...segment, origin: 'none', state: 'not translated yet' } };
  }
  return {
    missing_key: {
      nearest:
        nearestWord(
          key,
          texts.map(({ id }) => keyName(id)),
        ) ?? null,
    },
  };
}

/** Whether an id is the key that a person wrote, as it is in the file. */
function isKey(id: string, key: string): boolean {
  return id === key || keyName(id) === key;
}

function rulesOf(
  { inForce, terminology }: LocalControlOptions,
  job: JobRecord | undefined,
): Pick<ExplainReport, 'rules'> {
  const project = job && inForce.planner.project(job.project);
  if (job === undefined || project === undefined) return {};
  const recipe = describeRecipe(inForce.planner.recipe(project, job.language));
  return { rules: { ...recipe, ...ruleVersions(terminology, project, job.language) } };
}

/** These fields identify a recipe and are not rules. */
const NAMES = new Set(['key', 'project', 'options', 'target', 'polish']);

function describeRecipe(recipe: Recipe): Record<string, string> {
  return Object.fromEntries(
    Object.entries(recipe)
      .filter(([name, value]) => !NAMES.has(name) && (!Array.isArray(value) || value.length > 0))
      .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}

async function explainJobs(
  options: LocalControlOptions,
  jobs: readonly JobRecord[],
): Promise<ExplainedJob[]> {
  if (jobs.length === 0) return [];
  const charges = await options.books.charges(new Set(jobs.map(({ id }) => id)));
  const ofJobs = Map.groupBy(charges, ({ job }) => job);
  return await Promise.all(jobs.map((job) => explainJob(options, job, ofJobs.get(job.id) ?? [])));
}

async function explainJob(
  options: LocalControlOptions,
  job: JobRecord,
  charges: readonly Charge[],
): Promise<ExplainedJob> {
  const { inForce } = options;
  const project = inForce.planner.project(job.project);
  const root = project?.root ?? '';
  const subtitles = await filmReport(options, job);
  const spoken = project === undefined ? job.language : outputLanguage(project, job.language);
  const buyers = await options.team?.buyersOf(job, spoken);
  let billed = 0;
  let seconds = 0;
  for (const charge of charges) {
    if (charge.kind === 'possibly-twice') continue;
    billed += charge.characters ?? 0;
    seconds += charge.seconds ?? 0;
  }
  return {
    source: join(root, job.source),
    target: join(root, targetList(job.targets)[0] ?? job.source),
    language: job.language,
    state: describeState(job),
    delivered_at: job.state.kind === 'done' ? job.state.at : null,
    recipe: job.fingerprint.slice(job.fingerprint.indexOf('.') + 1),
    billed_characters: billed,
    ...(job.lane === 'voice' ? { voice_seconds: seconds } : {}),
    ...(subtitles === undefined ? {} : { subtitles }),
    ...(buyers === undefined ? {} : { bought_by: buyers }),
  };
}

function describeState({ state }: JobRecord): string {
  switch (state.kind) {
    case 'held':
      return `held: ${describeHold(state.hold)}`;
    case 'failed':
      return `failed: ${describeFailure(state.failure)}`;
    case 'queued':
    case 'running':
    case 'done':
      return state.kind;
  }
}

async function explainSegment(
  options: LocalControlOptions,
  jobs: readonly JobRecord[],
  key: string,
): Promise<{ readonly segment: ExplainedSegment } | undefined> {
  for (const job of jobs) {
    const [wrote] = job.wrote;
    const base = options.baselines.of(
      { project: job.project, language: job.language, path: job.source },
      wrote?.hash,
    );
    const records = await base.read(wrote?.hash ?? null);
    const record = records.get(key) ?? records.values().find(({ id }) => isKey(id, key));
    if (record === undefined) continue;
    const isMachines = record.target !== null && record.origin === 'machine';
    const buyer =
      record.target === null || !isMachines
        ? undefined
        : await options.team?.whoBought({
            ...{ project: job.project, language: job.language },
            ...{ source: record.source, translation: record.target },
          });
    const segment: ExplainedSegment = {
      key,
      language: job.language,
      source: record.source,
      target: record.target === null ? null : partsText(record.target),
      origin: record.target === null ? 'none' : record.origin,
      state: record.problem === undefined ? record.state : `${record.state}: ${record.problem}`,
      ...(buyer === undefined ? {} : { bought_by: buyer }),
    };
    return { segment: await presentSegment(options, { job, id: record.id, segment }) };
  }
  return undefined;
}

interface ExplainedText {
  readonly job: JobRecord;
  readonly id: string;
  readonly segment: ExplainedSegment;
}

/** A person may have changed the text since the last job inspected it. */
async function presentSegment(
  options: LocalControlOptions,
  { job, id, segment }: ExplainedText,
): Promise<ExplainedSegment> {
  const { project, language, source } = job;
  const scope = { projects: [project], languages: [language], paths: [] };
  const pair = [...pairsIn(options, scope)].find((each) => each.source.path === source);
  const read = pair && (await readPair(options, pair));
  const text = typeof read === 'object' ? read.texts.find((each) => each.id === id) : undefined;
  if (text === undefined) return segment;
  const { target_hash: targetHash, target, mark } = text;
  const edited = await options.edits.of({ project, language, path: source, id, targetHash });
  const isOther = target !== null && target !== segment.target;
  const origin = mark === 'held' ? segment.origin : mark;
  return {
    ...segment,
    ...(isOther ? { target, origin, state: text.state } : {}),
    ...(edited === undefined ? {} : { edited: { by: edited.by, at: edited.at, how: edited.how } }),
  };
}

function ruleVersions(
  terminology: TerminologyInForce,
  project: Project,
  language: LanguageTag,
): Record<string, string> {
  return {
    ...glossaryOf(terminology, project, language),
    ...styleOf(terminology, project, language),
  };
}

function glossaryOf(
  { files, remote }: TerminologyInForce,
  project: Project,
  language: LanguageTag,
): Record<string, string> {
  const rule = project.rules.glossary;
  const loaded = rule === undefined || 'id' in rule ? undefined : files.glossaries.get(rule.name);
  if (loaded === undefined) return {};
  const { terms } = projectTerms(files, project, language);
  const id = remote.records.read(glossaryKeyOf(loaded))?.id ?? 'not on the service yet';
  const version = terms === undefined ? 'no terms for this language' : `version ${terms.version}`;
  return { glossary: `${loaded.name} (${id}, ${version})` };
}

function styleOf(
  { files, remote }: TerminologyInForce,
  project: Project,
  language: LanguageTag,
): Record<string, string> {
  const style = styleFor(files, project, language);
  if (style === undefined) return {};
  const id = remote.records.read(styleKeyOf(style))?.id ?? 'not on the service yet';
  return { style: `${style.path} (${id}, version ${style.version})` };
}
