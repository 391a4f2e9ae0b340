/** Which translation the service has for a language. A film whose language only document translation supports goes as a document. */

import { type Clock, OnwardTime } from '../clock.ts';
import type { Config } from '../config.ts';
import { type TargetPaths, targetList } from '../job.ts';
import { type LanguageTag, sameLanguage, sourceCode, targetCode } from '../language.ts';
import type { Project } from '../project.ts';
import { extensionOf } from '../routes/extensions.ts';
import type { Service } from '../service/client.ts';
import { type Capabilities, capabilitiesOf, type TranslatingLane } from './capabilities.ts';
import {
  type DemandingJob,
  type KnownSupport,
  type LackingLanguage,
  lackingLanguages,
  lackOfJob,
} from './language-checks.ts';
import { keptCapabilities } from './load-languages.ts';
import { askSupport } from './load-service-languages.ts';

export interface LanguageSupportOptions {
  readonly config: Config;
  readonly service: Pick<Service, 'languages'>;
  readonly clock: Clock;
}

/** A subtitle file and the target language. */
export interface FilmWanted {
  readonly project: Pick<Project, 'source' | 'locales'>;
  /** Relative to the project's root. */
  readonly source: string;
  readonly targets: TargetPaths;
  readonly language: LanguageTag;
}

type ProjectLanguage = Pick<FilmWanted, 'project' | 'language'>;

/** Milliseconds for which an answer counts as current: a service gets new languages rarely. */
const FRESH_MS = 60 * 60_000;

export class LanguageSupport {
  readonly #options: LanguageSupportOptions;
  /** From the last answer of the service, of this run or an earlier one. */
  #capabilities: Capabilities;
  readonly #time: OnwardTime;
  #asked = Number.NEGATIVE_INFINITY;

  constructor(options: LanguageSupportOptions) {
    const { service, state } = options.config;
    this.#options = options;
    this.#time = new OnwardTime(options.clock);
    this.#capabilities = keptCapabilities({ url: service.url, state });
  }

  get capabilities(): Capabilities {
    return this.#capabilities;
  }

  /** Whether a film has to go as a document: text translation lacks the languages, document translation has them. */
  needsDocument({ source, targets, ...pair }: FilmWanted): boolean {
    if (!isSubRip({ source, targets })) return false;
    const spoken = pair.project.source;
    // Variants of the source go to text improvement.
    if (spoken !== 'auto' && sameLanguage(spoken, pair.language)) return false;
    return this.#knows('text', pair) === false && this.#knows('document', pair) === true;
  }

  /** Whether the service takes no tags in texts of this language pair. */
  isUntagged({ project, language }: ProjectLanguage): boolean {
    const { tagged } = this.#capabilities;
    if (tagged === undefined) return false;
    const { from, into } = codesOf(project, language);
    return [from, into].some((code) => code !== undefined && !hasCode(tagged, code));
  }

  /** What the service lacks for a job; undefined: nothing, or it was not asked. */
  lack(job: DemandingJob, hasTerms: KnownSupport['hasTerms']): LackingLanguage | undefined {
    return lackOfJob(job, this.#known(hasTerms));
  }

  /** The target languages of a project for which the service lacks something. */
  lackingIn(project: Project, hasTerms: KnownSupport['hasTerms']): LackingLanguage[] {
    return lackingLanguages(project, this.#known(hasTerms));
  }

  #known(hasTerms: KnownSupport['hasTerms']): KnownSupport {
    const deployment = this.#options.config.service.capabilities;
    return { capabilities: this.#capabilities, deployment, ...(hasTerms && { hasTerms }) };
  }

  /** Takes the answer that another part of the process got from the service meanwhile. */
  reread(): void {
    const { service, state } = this.#options.config;
    this.#capabilities = keptCapabilities({ url: service.url, state });
  }

  /** Asks the service for its languages, unless its last answer is current. */
  async learn(): Promise<void> {
    const { config, service, clock } = this.#options;
    if (this.#time.now() - this.#asked < FRESH_MS) return;
    const { resources } = await askSupport(service, { config, clock });
    this.#capabilities = capabilitiesOf(resources);
    this.#asked = this.#time.now();
  }

  /** Undefined where the service was not asked. */
  #knows(
    translation: TranslatingLane,
    { project, language }: ProjectLanguage,
  ): boolean | undefined {
    const known = this.#capabilities.translations[translation];
    if (known === undefined) return undefined;
    const { from, into } = codesOf(project, language);
    return (
      (from === undefined || known.sources.has(from.toLowerCase())) &&
      known.targets.has(into.toLowerCase())
    );
  }
}

/** The codes of a pair as the API spells them; `from` is undefined for `auto`. */
function codesOf({ source, locales }: ProjectLanguage['project'], language: LanguageTag) {
  return {
    from: source === 'auto' ? undefined : (locales.get(source)?.api ?? sourceCode(source)),
    into: locales.get(language)?.api ?? targetCode(language),
  };
}

/** Whether the code itself or its base language is known. */
function hasCode(known: Pick<ReadonlySet<string>, 'has'>, code: string): boolean {
  const [base = ''] = code.toLowerCase().split('-');
  return known.has(code.toLowerCase()) || known.has(base);
}

/** Whether a film can go as a document: SubRip is the one subtitle format that the service takes and returns (docs/design/api.md, "Documents"). */
export function isSubRip({ source, targets }: Pick<FilmWanted, 'source' | 'targets'>): boolean {
  const paths = [source, ...targetList(targets)];
  return paths.every((path) => extensionOf(path).toLowerCase() === 'srt');
}
