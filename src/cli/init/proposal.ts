/** What `dragoman init` proposes: projects, their routes, and what it leaves to the person. */
import type { LanguageTag } from '../../language.ts';
import type { RouteSketch } from './layout-rules.ts';

/** A route that a repository seems to ask for. */
export interface FoundRoute {
  /** `i18next`, `Rails`, `Android` … */
  readonly layout: string;
  readonly route: RouteSketch;
  /** What it would translate, relative to the repository. */
  readonly sources: readonly string[];
}

/** A route that nothing shows to be meant. */
export interface OfferedRoute extends FoundRoute {
  /** Why it is not taken. */
  readonly reason: string;
}

export interface ProposedProject {
  readonly name: string;
  readonly source: LanguageTag;
  readonly targets: readonly LanguageTag[];
  /** Languages that `{locale}` spells otherwise than their tag. */
  readonly spellings: ReadonlyMap<LanguageTag, string>;
  readonly routes: readonly FoundRoute[];
  /** Languages that are there and are not taken, with the reason. */
  readonly leftOut: ReadonlyMap<string, string>;
  /** Folder of its paths; absent: that of the config. */
  readonly root?: string;
  /** Formality, model and the like, as the config has them. */
  readonly rules?: Readonly<Record<string, unknown>>;
}

export interface Proposal {
  readonly source: LanguageTag;
  readonly projects: readonly ProposedProject[];
  readonly offers: readonly OfferedRoute[];
  /** What is left to the person, in sentences. */
  readonly notes: readonly string[];
}

export interface Wishes {
  /** Of the first project. */
  readonly name: string;
  readonly source?: LanguageTag;
  /** Absent: those that are there. */
  readonly targets?: readonly LanguageTag[];
  /** Whether the service translates into a language. */
  isSupported(tag: LanguageTag): boolean;
}

/** Where nothing tells which languages are wanted. */
export const EXAMPLE_TARGETS = ['de', 'fr', 'es'] as readonly string[] as readonly LanguageTag[];
