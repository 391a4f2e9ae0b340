/** The glossaries that requests name: a glossary with a file is made equal to it, a glossary with an id is only read. */
import type { Clock } from '../clock.ts';
import { supportsFeature } from '../config/capabilities.ts';
import type { LanguageSupport } from '../config/load-language-support.ts';
import type { Config } from '../config.ts';
import type { Events } from '../event.ts';
import { JobFailure } from '../failure.ts';
import { baseLanguage } from '../language.ts';
import type { Recipe } from '../plan/recipe.ts';
import type { Project } from '../project.ts';
import { pairName } from '../segments/dictionary.ts';
import type { CallOptions } from '../service/call.ts';
import type { Glossary } from '../service/glossaries.ts';
import type { LoadedGlossary } from '../terminology/load-glossaries.ts';
import type { FilesInForce } from '../terminology/project-terms.ts';
import { type GlossaryService, languageTagOf } from './glossary-lookup.ts';
import {
  type GlossarySync,
  pairsOutOfStep,
  requireGlossary,
  type Synced,
  syncGlossary,
} from './glossary-sync.ts';
import { ifThere } from './lookup.ts';
import { type Need, requireSound } from './need.ts';
import type { SyncKey, SyncRecord, SyncRecords } from './records.ts';

export interface RemoteGlossariesOptions {
  readonly service: GlossaryService;
  readonly records: SyncRecords;
  readonly clock: Clock;
  readonly events: Events;
  readonly inForce: { readonly config: Pick<Config, 'sync'> };
  readonly languageSupport: Pick<LanguageSupport, 'capabilities'>;
  readonly terminology: FilesInForce;
}

/** A pair of a glossary, and whether it was different on the service when it was last compared. */
export interface ComparedPair {
  readonly project: string;
  /** As in en-de. */
  readonly pair: string;
  readonly differs: boolean;
}

export class RemoteGlossaries {
  readonly #options: RemoteGlossariesOptions;
  /** Whether each pair differs, from the last comparison, by the file of the glossary. */
  readonly #compared = new Map<string, ReadonlyMap<string, boolean>>();

  constructor(options: RemoteGlossariesOptions) {
    this.#options = options;
  }

  /**
   * @returns undefined when there is no glossary, or no dictionary for the pair: the service would refuse a request with the glossary
   * @throws JobFailure `malformed` for a file with faults
   */
  need({ rules }: Project, { source, target }: Recipe): Need | undefined {
    const rule = rules.glossary;
    if (rule === undefined || source === undefined) return undefined;
    const pair = pairName({ source: baseLanguage(source), target: baseLanguage(target) });
    const pick = ({ id, pairs }: SyncRecord) => (pairs.includes(pair) ? id : undefined);
    if ('id' in rule) return { ...this.#foreign(rule.id), pick };
    const glossary = this.#options.terminology.files.glossaries.get(rule.name);
    if (glossary === undefined) return undefined;
    const own = this.needOf(glossary);
    const { dictionaries, mode } = this.meant(glossary);
    const hasPair = dictionaries.some((dictionary) => pairName(dictionary) === pair);
    if (own === undefined || !hasPair) return undefined;
    // The service may support the language since the last comparison: the pair was not sent yet.
    const isSent = mode === 'check' || own.fresh?.pairs.includes(pair) === true;
    return { ...own, pick, fresh: isSent ? own.fresh : undefined };
  }

  /**
   * @returns undefined for a glossary without terms that was never sent: the service has no empty glossaries. One that has lost its
   * last term is synced like any other
   * @throws JobFailure `malformed` for a file with faults
   */
  needOf(glossary: LoadedGlossary): Need | undefined {
    requireSound(glossary);
    const isSent = this.#options.records.wasSent(glossaryKeyOf(glossary));
    const meant = this.meant(glossary);
    if (meant.dictionaries.length === 0 && !isSent) return undefined;
    return { ...this.#own(meant), pick: ({ id }) => id };
  }

  /** Whether the service got another version of the file after this moment. @param moment milliseconds since the epoch */
  changedSince(glossary: LoadedGlossary, moment: number): boolean {
    const sent = this.#options.records.read(glossaryKeyOf(glossary))?.sent;
    return (
      sent === undefined ||
      sent.version !== glossaryVersion(this.meant(glossary)) ||
      sent.at > moment
    );
  }

  /** Reads, compares and writes, also when that was done a short time ago. @param agreed see `GlossarySync.mayEmpty` */
  async sync(
    loaded: LoadedGlossary,
    agreed: Pick<GlossarySync, 'mayEmpty'> = {},
  ): Promise<Synced & { readonly record: SyncRecord }> {
    const { service, records, clock, events } = this.#options;
    const glossary = this.meant(loaded);
    const key = glossaryKeyOf(glossary);
    const synced = await syncGlossary(
      { service, clock, log: records.log(key), ...agreed },
      glossary,
    );
    const { id, pairs, differing } = synced;
    const calls = synced.steps.length;
    if (calls > 0) {
      events.emit({ kind: 'rules-synced', what: 'glossary', name: glossary.name, calls });
    }
    this.#report(glossary, differing);
    const record = await records.conclude(key, {
      id,
      version: glossaryVersion(glossary),
      pairs: [...pairs],
    });
    return { ...synced, record };
  }

  /** The glossary as it is sent. With `sync: off`, the service is only read. It refuses pairs of a language that it has no glossaries for. */
  meant(glossary: LoadedGlossary): LoadedGlossary {
    const { inForce, languageSupport } = this.#options;
    const dictionaries = glossary.dictionaries.filter(({ source, target }) =>
      [source, target].every((language) =>
        supportsFeature(languageSupport.capabilities, 'glossary', language),
      ),
    );
    const meant = { ...glossary, dictionaries };
    return inForce.config.sync === 'off' ? { ...meant, mode: 'check' } : meant;
  }

  #own(glossary: LoadedGlossary): Omit<Need, 'pick'> {
    const { records, service } = this.#options;
    const key = glossaryKeyOf(glossary);
    const version = glossaryVersion(glossary);
    const { name, mode } = glossary;
    return {
      key,
      ...(mode === 'check' && {
        look: async (options: CallOptions) => {
          await requireGlossary(service, { name, id: records.read(key)?.id }, options);
        },
      }),
      fresh: records.fresh(key, version),
      isBehind: this.#options.inForce.config.sync === 'on' && records.isBehind(key, version),
      makeEqual: async () => {
        const record = records.about(key, version);
        if (record !== undefined && !records.wantsSurvey(record)) {
          const differing = await pairsOutOfStep({ service }, glossary, record.id);
          const isWhole = glossary.dictionaries.every((each) =>
            record.pairs.includes(pairName(each)),
          );
          if (differing.length === 0 && isWhole) {
            this.#report(glossary, []);
            return await records.confirm(key, record);
          }
        }
        return (await this.sync(glossary)).record;
      },
    };
  }

  /** The pairs of each glossary in force, as of its last comparison since the start. */
  get compared(): readonly ComparedPair[] {
    const { glossaries } = this.#options.terminology.files;
    return [...glossaries.values()].flatMap((glossary) => this.#comparedOf(glossary));
  }

  isDifferent(csv: string): boolean | undefined {
    const pairs = this.#compared.get(csv);
    return pairs && [...pairs.values()].includes(true);
  }

  #comparedOf({ projects, csv, dictionaries }: LoadedGlossary): ComparedPair[] {
    const wanted = new Set(dictionaries.map(pairName));
    const pairs = [...(this.#compared.get(csv) ?? [])].filter(([pair]) => wanted.has(pair));
    return projects.flatMap((project) => {
      return pairs.map(([pair, differs]) => ({ project, pair, differs }));
    });
  }

  #report(glossary: LoadedGlossary, differing: readonly string[]): void {
    const pairs = glossary.dictionaries.map(pairName);
    this.#compared.set(
      glossary.csv,
      new Map(pairs.map((pair) => [pair, differing.includes(pair)])),
    );
    for (const compared of this.#comparedOf(glossary)) {
      this.#options.events.emit({ kind: 'glossary-compared', ...compared });
    }
  }

  /** A glossary that others maintain: reads which pairs it has. */
  #foreign(id: string): Omit<Need, 'pick'> {
    const { records } = this.#options;
    const key: SyncKey = { kind: 'glossary', file: id };
    return {
      key,
      fresh: records.fresh(key, id),
      isBehind: false,
      look: async (options) => {
        await this.#requireForeign(id, options);
      },
      makeEqual: async () => {
        const { dictionaries } = await this.#requireForeign(id);
        const pairs = dictionaries.map(({ source_lang, target_lang }) =>
          pairName({ source: languageTagOf(source_lang), target: languageTagOf(target_lang) }),
        );
        return await records.conclude(key, { id, version: id, pairs });
      },
    };
  }

  async #requireForeign(id: string, options?: CallOptions): Promise<Glossary> {
    const found = await ifThere(() => this.#options.service.glossaries.get(id, options));
    if (found === undefined) throw missing(id);
    return found;
  }
}

function missing(id: string): JobFailure {
  return new JobFailure({
    kind: 'unsupported',
    what: `there is no glossary ${id} on the service`,
    advice: 'Correct the id in the config, or name a file: glossary: { name: …, csv: … }.',
  });
}

/** The version of a glossary in its record. */
export function glossaryVersion({ mode, name, version }: LoadedGlossary): string {
  return `${mode} ${name} ${version}`;
}

export function glossaryKeyOf({ csv }: LoadedGlossary): SyncKey {
  return { kind: 'glossary', file: csv };
}
