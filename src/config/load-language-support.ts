/** How far text translation reaches: films in languages that only document translation knows go as documents. */
import { type Capabilities, capabilitiesOf, type Translation } from '../capabilities.ts';
import type { Clock } from '../clock.ts';
import type { Config, Project } from '../config.ts';
import { type TargetPaths, targetList } from '../job.ts';
import { type LanguageTag, sameLanguage, sourceCode, targetCode } from '../language.ts';
import { extensionOf } from '../routes/extensions.ts';
import type { Service } from '../service/client.ts';
import { keptCapabilities } from './load-languages.ts';
import { askSupport } from './load-service-languages.ts';

export interface LanguageSupportOptions {
  readonly config: Config;
  readonly service: Pick<Service, 'languages'>;
  readonly clock: Clock;
}

/** A film and the language that it is wanted in. */
export interface FilmWanted {
  readonly project: Pick<Project, 'source' | 'locales'>;
  /** Relative to the project's root. */
  readonly source: string;
  readonly targets: TargetPaths;
  readonly language: LanguageTag;
}

/** Milliseconds for which an answer holds: a service does not learn languages by the hour. */
const FRESH_MS = 60 * 60_000;

export class LanguageSupport {
  readonly #options: LanguageSupportOptions;
  /** As the service said it last, before this run or in it. */
  #capabilities: Capabilities;
  #asked = Number.NEGATIVE_INFINITY;

  constructor(options: LanguageSupportOptions) {
    const { service, state } = options.config;
    this.#options = options;
    this.#capabilities = keptCapabilities({ url: service.url, state });
  }

  /** Whether a film has to go as a document. */
  needsDocument({ source, targets, ...pair }: FilmWanted): boolean {
    if (!isSubRip({ source, targets })) return false;
    const spoken = pair.project.source;
    // Variants of the source go to text improvement.
    if (spoken !== 'auto' && sameLanguage(spoken, pair.language)) return false;
    return this.#knows('text', pair) === false && this.#knows('document', pair) === true;
  }

  /** Asks the service which languages it knows, unless it said so just now. */
  async learn(): Promise<void> {
    const { config, service, clock } = this.#options;
    if (clock.now() - this.#asked < FRESH_MS) return;
    const { resources } = await askSupport(service, { config, clock });
    this.#capabilities = capabilitiesOf(resources);
    this.#asked = clock.now();
  }

  /** Undefined where the service was not asked. */
  #knows(
    translation: Translation,
    { project, language }: Pick<FilmWanted, 'project' | 'language'>,
  ): boolean | undefined {
    const known = this.#capabilities.translations[translation];
    if (known === undefined) return undefined;
    const { source, locales } = project;
    const from = source === 'auto' ? undefined : (locales.get(source)?.api ?? sourceCode(source));
    const into = locales.get(language)?.api ?? targetCode(language);
    return (
      (from === undefined || known.sources.has(from.toLowerCase())) &&
      known.targets.has(into.toLowerCase())
    );
  }
}

/** Whether a film can go as a document: SubRip is what the service takes, and gives back (API document, "Document translation"). */
export function isSubRip({ source, targets }: Pick<FilmWanted, 'source' | 'targets'>): boolean {
  const paths = [source, ...targetList(targets)];
  return paths.every((path) => extensionOf(path).toLowerCase() === 'srt');
}
