/** Finds the ids of a recipe's glossary and style list on the service, and makes both equal to their files first. */
import type { Clock } from '../clock.ts';
import type { LanguageSupport } from '../config/load-language-support.ts';
import type { Events } from '../event.ts';
import { type Failure, failureOf, JobFailure } from '../failure.ts';
import { apiCode, sourceCode, targetCode } from '../language.ts';
import type { Ledger } from '../ledger.ts';
import type { InForce } from '../plan/in-force.ts';
import type { Recipe, RemoteIds } from '../plan/recipe.ts';
import type { Project } from '../project.ts';
import type { Team } from '../state/team.ts';
import type { Tree } from '../state/tree.ts';
import type { FilesInForce } from '../terminology/project-terms.ts';
import { glossaryKeyOf, glossaryVersion, RemoteGlossaries } from './glossaries.ts';
import type { GlossaryService } from './glossary-lookup.ts';
import { type Need, Needs } from './need.ts';
import { type SyncKey, type SyncRecord, SyncRecords, syncKeyName } from './records.ts';
import type { StyleService } from './style-sync.ts';
import { RemoteStyles, styleKeyOf, styleReadVersion } from './styles.ts';

export interface RemoteOptions {
  readonly service: GlossaryService & StyleService;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly events: Events;
  /** Absent: there is no team. */
  readonly team?: Pick<Team, 'leases'>;
  /** Absent: no other daemon uses the tree. */
  readonly tree?: Pick<Tree, 'isInAgreement'>;
  readonly inForce: Pick<InForce, 'config'>;
  /** What the service has for each language. */
  readonly languageSupport: Pick<LanguageSupport, 'capabilities'>;
  readonly terminology: FilesInForce;
}

/** A file of a glossary or style list without faults, and the projects that use it. */
export interface TerminologyFile {
  readonly key: SyncKey;
  /** The version of the file in its record. */
  readonly version: string;
  /** The version in its record where the service is only read. */
  readonly readVersion: string;
  /** Absolute path; of a glossary in several files, the first one. */
  readonly file: string | undefined;
  readonly projects: readonly string[];
}

/** Such a file that has something for the service. */
export interface TerminologyNeed extends TerminologyFile {
  readonly need: Need;
}

export class Remote {
  readonly records: SyncRecords;
  readonly glossaries: RemoteGlossaries;
  readonly styles: RemoteStyles;
  readonly #options: RemoteOptions;
  readonly #needs: Needs;
  /** The failures of `makeEqual`, by record. */
  readonly #failures = new Map<string, Failure>();

  constructor(options: RemoteOptions) {
    this.#options = options;
    this.records = new SyncRecords(options);
    this.#needs = new Needs({ ...options, records: this.records });
    this.glossaries = new RemoteGlossaries({ ...options, records: this.records });
    this.styles = new RemoteStyles({ ...options, records: this.records });
  }

  /**
   * Ids and language codes for a request. Asks the service at most once per `verify_every`, unless a file changed.
   * @throws JobFailure `malformed` for a file with faults, `unsupported` for two objects with one name, and failures of the service
   */
  async idsFor(recipe: Recipe): Promise<RemoteIds> {
    const project = this.#project(recipe);
    const { glossary, style } = this.needsOf(recipe);
    const [glossary_id, style_id] = await Promise.all([this.#idOf(glossary), this.#idOf(style)]);
    const rule = project.rules.styles.get(recipe.target);
    const named = rule !== undefined && 'id' in rule ? rule.id : style_id;
    return {
      ...spellings(project, recipe),
      ...(glossary_id === undefined ? {} : { glossary_id }),
      ...(named === undefined ? {} : { style_id: named }),
    };
  }

  /** Resolves when requests of the recipe can be sent; undefined: they can be sent now. */
  ready(recipe: Recipe): Promise<void> | undefined {
    const { glossary, style } = this.needsOf(recipe);
    const open = [glossary, style].filter((need) => need !== undefined && need.fresh === undefined);
    if (open.length === 0) return undefined;
    return this.idsFor(recipe).then(() => undefined);
  }

  /** The files without faults that have something for the service. */
  needs(): TerminologyNeed[] {
    return this.#files().flatMap(({ need: needOf, ...rule }) => {
      const need = needOf();
      return need === undefined ? [] : { ...rule, need };
    });
  }

  /** All files without faults. */
  files(): TerminologyFile[] {
    return this.#files().map(({ need: _, ...rule }) => rule);
  }

  #files(): (TerminologyFile & { need(): Need | undefined })[] {
    const { inForce, terminology } = this.#options;
    const { glossaries, styles } = terminology.files;
    const { projects } = inForce.config;
    const isSound = ({ faults }: { readonly faults: readonly unknown[] }) => faults.length === 0;
    return [
      ...[...glossaries.values()].filter(isSound).map((glossary) => ({
        need: () => this.glossaries.needOf(glossary),
        key: glossaryKeyOf(glossary),
        version: glossaryVersion(glossary),
        readVersion: glossaryVersion({ ...glossary, mode: 'check' }),
        file: glossary.found[0],
        projects: glossary.projects,
      })),
      ...[...styles.values()].filter(isSound).map((style) => ({
        need: () => this.styles.needOf(style),
        key: styleKeyOf(style),
        version: style.version,
        readVersion: styleReadVersion(style),
        file: style.file,
        projects: projectsWith(style.file, projects),
      })),
    ];
  }

  /** Makes the service equal to a file. @throws JobFailure of the service */
  async makeEqual(need: Need): Promise<void> {
    try {
      await this.#sync(need);
    } catch (error) {
      this.#failures.set(syncKeyName(need.key), failureOf(error));
      throw error;
    }
  }

  /** The last failure of `makeEqual` for a file; undefined: none since the last reload, or a sync succeeded since. */
  failureOf(key: SyncKey): Failure | undefined {
    return this.#failures.get(syncKeyName(key));
  }

  forgetFailures(): void {
    this.#failures.clear();
  }

  /** Whether a file was different on the service when they were last compared; undefined: they were not compared since the start. */
  isDifferent({ kind, file }: SyncKey): boolean | undefined {
    return kind === 'style' ? this.styles.isDifferent(file) : this.glossaries.isDifferent(file);
  }

  /** The service did not know an id: the next call of `rules` asks it again, and creates what is missing. */
  doubt(recipe: Recipe): void {
    const { glossary, style } = this.needsOf(recipe);
    for (const need of [glossary, style]) if (need !== undefined) this.records.doubt(need.key);
  }

  /** The glossary and the style list that requests of the recipe name. @throws JobFailure `malformed` for a file with faults */
  needsOf(recipe: Recipe): Record<'glossary' | 'style', Need | undefined> {
    // Text improvement uses no glossary and no style list.
    if (recipe.conversion !== undefined) return { glossary: undefined, style: undefined };
    const project = this.#project(recipe);
    return {
      glossary: this.glossaries.need(project, recipe),
      style: this.styles.need(project, recipe.target),
    };
  }

  async #idOf(need: Need | undefined): Promise<string | undefined> {
    return need === undefined ? undefined : need.pick(await this.#sync(need));
  }

  async #sync(need: Need): Promise<SyncRecord> {
    const record = await this.#needs.sync(need);
    this.#failures.delete(syncKeyName(need.key));
    return record;
  }

  #project({ project: name }: Recipe): Project {
    const project = this.#options.inForce.config.projects.find((each) => each.name === name);
    if (project !== undefined) return project;
    throw new JobFailure({
      kind: 'unsupported',
      what: `the project ${name} is not in the config any more`,
      advice: 'Nothing to do, unless it was taken out by mistake.',
    });
  }
}

function spellings(
  { locales }: Project,
  { source, target }: Recipe,
): Pick<RemoteIds, 'source_lang' | 'target_lang'> {
  const from = source && (locales.get(source)?.api ?? apiCode(sourceCode(source), 'v2'));
  return {
    target_lang: locales.get(target)?.api ?? apiCode(targetCode(target), 'v2'),
    ...(from === undefined ? {} : { source_lang: from }),
  };
}

/** Names of the projects that use a style file. */
export function projectsWith(file: string, projects: readonly Project[]): string[] {
  return projects.flatMap(({ name, rules }) =>
    [...rules.styles.values()].some((rule) => 'file' in rule && rule.file === file) ? [name] : [],
  );
}
