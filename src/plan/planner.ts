/** Makes the plan from config, router and ledger: finds the route, the languages and the fingerprints of every source. */
import { join } from 'node:path';
import { allSteps, type StepwiseWork, stepsInTurns, turnsOf } from '../clock.ts';
import { isBoughtByText, laneLanguages, languagesOfLanes } from '../config/lane-languages.ts';
import type { LackingLanguage } from '../config/language-checks.ts';
import type { LanguageSupport } from '../config/load-language-support.ts';
import type { Config } from '../config.ts';
import { type Fingerprint, type Job, jobId, type Lane, sourceId } from '../job.ts';
import type { LanguageTag } from '../language.ts';
import type { JobRecord, LedgerView, SourceRecord, Written } from '../ledger.ts';
import type { Project, Route } from '../project.ts';
import type { Collision } from '../routes/collisions.ts';
import type { PathMatch } from '../routes/compiled.ts';
import type { Router } from '../routes/router.ts';
import {
  type ProjectTerms,
  projectTerms,
  type Terminology,
  termsDigest,
  watchesTerms,
} from '../terminology/project-terms.ts';
import { asksFor, countsByLanguage, mayBeFetched, type Standing, standingOf } from './asked.ts';
import { editionFor } from './edition.ts';
import {
  makePlan,
  type Plan,
  type PlanInput,
  type PlannedJob,
  type RoutedSource,
  type TargetState,
} from './plan.ts';
import { readerVersionOf } from './reader-version.ts';
import { fingerprint, notesDigest, type Recipe, recipeFor } from './recipe.ts';
import { voiceRecipe } from './voice-recipe.ts';

/** A config and its router. A reload replaces both. */
export interface Setup {
  /** The text of the config file, as it was read. */
  readonly text: string;
  readonly config: Config;
  readonly router: Router;
}

/** The differences between the disk and the ledger. */
export interface SeenOnDisk {
  /** How a target deviates from what dragoman left; undefined: it does not. @param path relative to the project's root */
  deviation(project: string, path: string): Exclude<TargetState, 'as-left'> | undefined;
  /** True for a source on record that has moved or is gone: in a dry run, which does not change its record. */
  isLeaving(source: SourceRecord): boolean;
  /** Where such a source has moved; undefined: it is gone. */
  movedTo(source: SourceRecord): string | undefined;
}

export interface PlannerOptions {
  readonly setup: Setup;
  readonly ledger: LedgerView;
  /** Compares the disk with the ledger. Another config has another intake. */
  readonly monitor: { readonly intake: SeenOnDisk };
  /** Which languages the service supports. */
  readonly languageSupport: Pick<
    LanguageSupport,
    'needsDocument' | 'isUntagged' | 'lack' | 'lackingIn'
  >;
  /** The glossaries and style lists in force. */
  readonly terminology: { readonly files: Terminology };
  /** The digest of the connection and the key that requests are sent with; see `serviceDigest`. */
  readonly serviceDigest: string;
}

/** A plan of 50,000 sources blocked the event loop for 0.3 s. */
const TURN_MS = 8;

export class Planner {
  readonly #options: PlannerOptions;
  readonly #projects: ReadonlyMap<string, Project>;
  readonly #recipes = new Map<string, Recipe>();
  /**
   * Cache of `emptyRoutes` by project, valid for one number of sources on record. A walk over all sources takes long, and the page asks
   * twice a second.
   */
  readonly #empty = new Map<string, { sources: number; routes: readonly Route[] }>();
  /** Cache of `projectOf`, by project name and detected language. */
  readonly #inDetectedLanguage = new Map<string, Project>();

  constructor(options: PlannerOptions) {
    this.#options = options;
    this.#projects = new Map(options.setup.config.projects.map((each) => [each.name, each]));
  }

  /** @param sources the sources to look at; absent: all of the ledger */
  plan(retries: PlanInput['retries'], sources?: Iterable<SourceRecord>): Plan {
    return allSteps(this.#plan(retries, sources));
  }

  /** Like `plan`; other work runs meanwhile. */
  async planInTurns(...asked: Parameters<Planner['plan']>): Promise<Plan> {
    return await stepsInTurns(this.#plan(...asked), turnsOf(TURN_MS));
  }

  *#plan(...[retries, sources]: Parameters<Planner['plan']>): StepwiseWork<Plan> {
    const { ledger } = this.#options;
    const plan = yield* makePlan({
      sources: this.#routed(sources ?? ledger.all('sources')),
      job: ({ project, path }, language) => ledger.get('jobs', jobId(project, language, path)),
      targetState: (project, written) => this.#targetState(project, written),
      retries,
      service: this.#options.serviceDigest,
    });
    if (sources !== undefined) return plan;
    const [work, held] = [[...plan.work], [...plan.held]];
    for (const job of ledger.all('jobs')) {
      if (this.#isUnclaimed(job)) work.push(toFetch(job));
      if (this.#isKept(job)) held.push(job);
      yield;
    }
    return { ...plan, work, held };
  }

  /** Which of these jobs must be done now. */
  workOn(jobs: readonly JobRecord[]): PlannedJob[] {
    const ids = new Set(jobs.map(({ id }) => id));
    const sources = new Set(jobs.map(({ project, source }) => sourceId(project, source)));
    const present = [...sources].flatMap((id) => this.#options.ledger.get('sources', id) ?? []);
    const { work } = this.plan('none', present);
    const unclaimed = jobs.filter((job) => this.#isUnclaimed(job)).map(toFetch);
    return [...work, ...unclaimed].filter(({ job }) => ids.has(job.id));
  }

  /** Whether the translation of a job is still wanted: its source is on record, and the config has its language and route. */
  wants(job: Job): boolean {
    const { project, source } = job;
    return (
      this.#options.ledger.get('sources', sourceId(project, source)) !== undefined && this.asks(job)
    );
  }

  /** Whether the config has the language and the route of a job. */
  asks(job: Job): boolean {
    return asksFor(this.#options.setup, job);
  }

  /**
   * The route of a delivered file that an earlier version or earlier settings read: it may have more texts now. Undefined: no
   * such file.
   */
  routeToReread({ project, source, lane, state, reading, release }: JobRecord): Route | undefined {
    const isOver = lane === 'text' && state.kind === 'done' && release === undefined;
    if (!isOver) return undefined;
    const route = this.routeOf(project, source);
    return route === undefined || readerVersionOf(source, route) === reading ? undefined : route;
  }

  /** Whether a job is shown to people. A job whose target language is that of its source is not. */
  isReported(job: JobRecord): boolean {
    const counts = countsByLanguage(job, this.hasLanguage(job)) || this.standing(job).counts;
    return counts && !this.isIntoItself(job);
  }

  /** Whether the config has a project with this target language. */
  hasLanguage({ project, language }: Pick<Job, 'project' | 'language'>): boolean {
    return this.#projects.get(project)?.targets.includes(language) === true;
  }

  /** Whether `approve` and `retry` may release a job. They release none that `status` does not show: nobody saw its price. */
  mayBeReleased(job: JobRecord): boolean {
    return this.standing(job).mayBeReleased && !this.isIntoItself(job);
  }

  /** What may happen to a job, by the config in force and the records. */
  standing(job: JobRecord): Standing {
    const source = this.#options.ledger.get('sources', sourceId(job.project, job.source));
    const asked = { hasLanguage: this.hasLanguage(job), isAsked: this.asks(job) };
    if (source === undefined) return standingOf(job, { ...asked, source: 'gone' });
    return standingOf(job, { ...asked, source: source.vanished === true ? 'vanished' : 'there' });
  }

  /** Whether the detected language of the source is the target language of the job. */
  isIntoItself({ project, source: path, language, lane }: Job): boolean {
    if (this.#projects.get(project)?.detect !== true) return false;
    const source = this.#options.ledger.get('sources', sourceId(project, path));
    const detected = source?.language?.kind === 'detected' ? this.projectOf(source) : undefined;
    return detected !== undefined && !laneLanguages(detected, lane).includes(language);
  }

  project(name: string): Project | undefined {
    return this.#projects.get(name);
  }

  /** The names of the other projects that translate into a language. */
  othersWith(language: LanguageTag, name: string): string[] {
    const all = [...this.#projects.values()].filter(({ targets }) => targets.includes(language));
    return all.map((project) => project.name).filter((other) => other !== name);
  }

  /** The project of a source. If the service detected the language of the source, the returned project has that language. */
  projectOf({ project: name, language }: SourceRecord): Project | undefined {
    const project = this.#projects.get(name);
    if (project?.detect !== true || language?.kind !== 'detected') return project;
    const key = `${name}\n${language.tag}`;
    const known = this.#inDetectedLanguage.get(key);
    if (known !== undefined) return known;
    const detected = { ...project, source: language.tag };
    this.#inDetectedLanguage.set(key, detected);
    return detected;
  }

  recipe(project: Project, language: LanguageTag): Recipe {
    const isUntagged = this.#options.languageSupport.isUntagged({ project, language });
    const key = `${project.name}\n${project.source}\n${language}\n${isUntagged}`;
    const known = this.#recipes.get(key);
    if (known !== undefined) return known;
    const plain = recipeFor(project, language);
    const recipe: Recipe = isUntagged ? { ...plain, untagged: true } : plain;
    this.#recipes.set(key, recipe);
    return recipe;
  }

  /** Terms and style of a project in a language, by the files in force. */
  terms(project: Project, language: LanguageTag): ProjectTerms {
    return projectTerms(this.#options.terminology.files, project, language);
  }

  /** The fingerprint of a source with the present recipe; undefined when no route matches the source any more. */
  fingerprint(source: SourceRecord, language: LanguageTag): Fingerprint | undefined {
    const [routed] = this.#routed([source]);
    return routed?.fingerprint(language);
  }

  /** The route that matches a source now; undefined: none does. */
  routeOf(project: string, path: string): Route | undefined {
    if (!this.#projects.has(project)) return undefined;
    const match = this.#options.setup.router.match(project, path);
    return match.kind === 'source' ? match.route : undefined;
  }

  /** Whether the service translates subtitles into the job's language only as a document. */
  isFilmForDocuments(
    source: SourceRecord,
    { language, targets }: Pick<Job, 'language' | 'targets'>,
  ): boolean {
    const project = this.projectOf(source);
    const film = { source: source.path, targets, language };
    return (
      project !== undefined && this.#options.languageSupport.needsDocument({ ...film, project })
    );
  }

  /** The target languages of a project for which the service lacks something. */
  lackingIn(project: Project): LackingLanguage[] {
    return this.#options.languageSupport.lackingIn(project, this.#hasTerms(project));
  }

  /** What the service lacks for a job; undefined: nothing that is known. */
  lackOf({ project: name, source: path, language, lane }: Job): LackingLanguage | undefined {
    const source = this.#options.ledger.get('sources', sourceId(name, path));
    const project = source === undefined ? this.#projects.get(name) : this.projectOf(source);
    if (project === undefined) return undefined;
    const job = { project, language, lane };
    return this.#options.languageSupport.lack(job, this.#hasTerms(project));
  }

  #hasTerms(project: Project): (language: LanguageTag) => boolean {
    return (language) => this.terms(project, language).terms !== undefined;
  }

  /** Sources of a project that would write the same target: none of them is translated until a person renames one. */
  collisions(project: string): Collision[] {
    const paths: string[] = [];
    for (const source of this.#options.ledger.all('sources')) {
      if (source.project === project) paths.push(source.path);
    }
    return this.#options.setup.router.collisions(project, paths);
  }

  /** Routes of a project that match no source on record. */
  emptyRoutes({ name, routes }: Project): readonly Route[] {
    const { ledger, monitor } = this.#options;
    const sources = ledger.size('sources');
    const known = this.#empty.get(name);
    if (known?.sources === sources) return known.routes;
    const open = new Set(routes);
    for (const source of ledger.all('sources')) {
      if (open.size === 0) break;
      if (source.project !== name) continue;
      const { intake } = monitor;
      const path = intake.isLeaving(source) ? intake.movedTo(source) : source.path;
      const route = path === undefined ? undefined : this.routeOf(name, path);
      if (route !== undefined) open.delete(route);
    }
    this.#empty.set(name, { sources, routes: [...open] });
    return [...open];
  }

  /**
   * Projects with documents or recordings and a target that is a variant of the source language: only texts can be converted
   * into that.
   */
  *onlyForTexts(): Generator<{ readonly project: Project; readonly languages: LanguageTag[] }> {
    for (const project of this.#projects.values()) {
      const { text, others } = languagesOfLanes(project);
      const variants = text.filter((language) => !others.includes(language));
      if (variants.length > 0 && this.#hasMoreThanTexts(project)) {
        yield { project, languages: variants };
      }
    }
  }

  #hasMoreThanTexts({ name }: Project): boolean {
    const { ledger, setup } = this.#options;
    for (const source of ledger.all('sources')) {
      if (source.project !== name || this.#options.monitor.intake.isLeaving(source)) continue;
      const match = setup.router.match(name, source.path);
      if (match.kind === 'source' && !isBoughtByText(laneNow(source, match))) return true;
    }
    return false;
  }

  /** Whether the source or the route of a document is gone while it was being bought: a paid result is still fetched. */
  #isUnclaimed(job: JobRecord): boolean {
    return mayBeFetched(job) && this.standing(job).offer === 'fetch';
  }

  /** Whether nothing asks for a held job any more, and a person still has to decide about what was paid for it. */
  #isKept(job: JobRecord): boolean {
    const isHeld = job.state.kind === 'held' && job.release === undefined;
    return isHeld && !this.wants(job) && this.standing(job).counts;
  }

  *#routed(sources: Iterable<SourceRecord>): Generator<RoutedSource> {
    const colliding = new Map<string, ReadonlySet<string>>();
    for (const source of sources) {
      const project = this.projectOf(source);
      if (project === undefined || this.#options.monitor.intake.isLeaving(source)) continue;
      const refused = colliding.get(project.name) ?? this.#colliding(project.name);
      colliding.set(project.name, refused);
      if (refused.has(source.path)) continue;
      const match = this.#options.setup.router.match(source.project, source.path);
      if (match.kind !== 'source') continue;
      const routed = laneNow(source, match);
      const lane = (language: LanguageTag) =>
        routed === 'subtitle' &&
        this.isFilmForDocuments(source, { language, targets: match.targets(language) })
          ? 'document'
          : routed;
      yield {
        source,
        languages: laneLanguages(project, routed).filter(
          (language) => match.languages?.includes(language) ?? true,
        ),
        lane,
        targets: match.targets,
        fingerprint: (language) => {
          if (routed === 'voice') {
            return fingerprint(source.hash, voiceRecipe(project, match.route));
          }
          const { key } = this.recipe(project, language);
          if (lane(language) !== routed) return fingerprint(source.hash, key, 'document');
          const terms = this.#termsDigest(project, { source, language, route: match.route });
          const content = editionFor(source, () => match.targets(language));
          return fingerprint(content, key, `${terms}${notesDigest(match.route)}`);
        },
      };
    }
  }

  /** A change of terms plans the job again. The lane then decides which texts to buy again, by the terms that they contain. */
  #termsDigest(
    project: Project,
    { source, language, route: { policies } }: RoutedLanguage,
  ): string {
    if (!watchesTerms(policies)) return '';
    const before = this.#options.ledger.get('jobs', jobId(project.name, language, source.path));
    return termsDigest(this.terms(project, language), policies, before?.fingerprint);
  }

  #colliding(project: string): ReadonlySet<string> {
    return new Set(this.collisions(project).flatMap(({ sources }) => sources));
  }

  #targetState(project: string, written: readonly Written[]): TargetState {
    const states = written.map(({ path }) => this.#options.monitor.intake.deviation(project, path));
    if (states.includes('missing')) return 'missing';
    return states.includes('edited') ? 'edited' : 'as-left';
  }
}

function toFetch(job: JobRecord): PlannedJob {
  return { job, reason: job.state.kind === 'held' ? 'released' : 'interrupted' };
}

interface RoutedLanguage {
  readonly source: SourceRecord;
  readonly language: LanguageTag;
  readonly route: Route;
}

/** The lane of a source: by its route, or by its content where that decides. */
export function laneNow(
  source: Pick<SourceRecord, 'lane'>,
  match: Extract<PathMatch, { kind: 'source' }>,
): Lane {
  return match.contentDecides ? (source.lane ?? match.lane) : match.lane;
}

/** Absolute path of a source, as it is spelled on disk. */
export function sourcePath(project: Project, source: SourceRecord): string {
  return join(project.root, source.raw ?? source.path);
}
