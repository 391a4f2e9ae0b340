/**
 * Why the service would refuse what a plan buys: it does not have a glossary, style list or translation memory, or forbids style lists. It is
 * asked only about jobs that buy, and about each object once.
 */
import { type Job, sourceId } from '../job.ts';
import type { Estimate } from '../lane.ts';
import type { CallOptions } from '../service/call.ts';
import { type LookedUp, lookUp, lookUpMemory, lookUpStyle } from '../sync/named-ids.ts';
import { syncKeyName } from '../sync/records.ts';
import { askBriefly } from './ask-briefly.ts';
import { describeBlocker } from './blocker-words.ts';
import type { Blocker } from './blockers.ts';
import type { LocalControlOptions } from './options.ts';
import type { TerminologyDrift } from './terminology-drift.ts';

type RefusalSources = Pick<
  LocalControlOptions,
  'inForce' | 'ledger' | 'terminology' | 'service' | 'clock'
>;

/** An object on the service that requests of a job name. */
interface NeededObject {
  readonly name: string;
  look(options: CallOptions): Promise<LookedUp<unknown> | { readonly unknown: string }>;
}

/** What requests of a lane name: recordings have no glossary, and documents have style lists and memories only on some deployments. */
type NamedObjects = 'everything' | 'glossary' | 'nothing';

type KnownDrift = Pick<TerminologyDrift, 'blockers' | 'unanswered'>;

export class PlanRefusals {
  readonly #sources: RefusalSources;
  readonly #drift: KnownDrift;
  /** Why jobs that name an object would fail, by its name; null: they would not. */
  readonly #reasons = new Map<string, string | null>();
  #unanswered: string | undefined;

  /** @param drift its blockers say whether the key may use style lists */
  constructor(sources: RefusalSources, drift: KnownDrift) {
    this.#sources = sources;
    this.#drift = drift;
  }

  /** @returns the reason, in words; undefined: none is known */
  async of({ job, characters }: Estimate): Promise<string | undefined> {
    const named = this.#namedBy(job);
    if (characters === 0 || named === 'nothing') return undefined;
    const forbidden = this.#drift.blockers.find((blocker) => isForbidden(blocker, job));
    if (forbidden !== undefined && named === 'everything') return describeBlocker(forbidden).reason;
    for (const object of this.#objectsOf(job, named)) {
      const reason = await this.#reasonOf(object);
      if (reason !== null) return reason;
    }
    return undefined;
  }

  get notes(): readonly string[] {
    if (this.#unanswered === undefined) return [];
    return [`it is not known whether the service has what the config names: ${this.#unanswered}`];
  }

  #namedBy({ lane }: Job): NamedObjects {
    const { inForce } = this.#sources;
    switch (lane) {
      case 'text':
      case 'subtitle':
        return 'everything';
      case 'document':
        return inForce.config.service.capabilities.includes('document_style')
          ? 'everything'
          : 'glossary';
      case 'voice':
        return 'nothing';
    }
  }

  #objectsOf({ project: name, source, language }: Job, named: NamedObjects): NeededObject[] {
    const { ledger, inForce, terminology, service } = this.#sources;
    const record = ledger.get('sources', sourceId(name, source));
    const project = record && inForce.planner.projectOf(record);
    if (project === undefined) return [];
    const recipe = inForce.planner.recipe(project, language);
    if (recipe.conversion !== undefined) return [];
    const { glossary, style } = terminology.remote.needsOf(recipe);
    const files = named === 'everything' ? [glossary, style] : [glossary];
    const looks = files.flatMap((need): NeededObject[] => {
      const look = need?.look;
      if (need === undefined || look === undefined) return [];
      return [{ name: syncKeyName(need.key), look: (options) => lookUp(() => look(options)) }];
    });
    if (named === 'glossary') return looks;
    const rule = project.rules.styles.get(language);
    const list = rule !== undefined && 'id' in rule ? rule.id : undefined;
    const memory = recipe.translationMemory?.id;
    return [
      ...looks,
      ...objectWith(list, `list for ${language}`, (id, options) =>
        lookUpStyle({ service, options }, id, [language]),
      ),
      ...objectWith(memory, 'memory', (id, options) => lookUpMemory({ service, options }, id)),
    ];
  }

  async #reasonOf({ name, look }: NeededObject): Promise<string | null> {
    const known = this.#reasons.get(name);
    if (known !== undefined) return known;
    // A service that gave no answer is not waited for again.
    if ((this.#unanswered ?? this.#drift.unanswered) !== undefined) return null;
    const asked = await askBriefly(this.#sources.clock, look);
    if ('unanswered' in asked) this.#unanswered = asked.unanswered;
    const reason = 'answer' in asked && 'problem' in asked.answer ? asked.answer.problem : null;
    this.#reasons.set(name, reason);
    return reason;
  }
}

function objectWith(
  id: string | undefined,
  kind: string,
  look: (id: string, options: CallOptions) => ReturnType<NeededObject['look']>,
): NeededObject[] {
  if (id === undefined) return [];
  return [{ name: `${kind} ${id}`, look: (options) => look(id, options) }];
}

/** Whether a run would use a style list that this key may not use. */
function isForbidden(blocker: Blocker, { project, language }: Job): boolean {
  if (blocker.kind !== 'styles-forbidden') return false;
  return blocker.projects.includes(project) && blocker.languages.some((each) => each === language);
}
