/** The proposal of `dragoman init`: projects, their routes, and what is left to the person. */
import type { LanguageTag } from '../../language.ts';
import type { RouteSketch } from './known-layouts.ts';

/** A route for files that were found. */
export interface FoundRoute {
  /** `i18next`, `Rails`, `Android` … */
  readonly layout: string;
  readonly route: RouteSketch;
  /** Its sources, relative to the repository. */
  readonly sources: readonly string[];
}

/** A route that is only suggested: nothing shows that a person wants it. */
export interface SuggestedRoute extends FoundRoute {
  /** Why the route is not used. */
  readonly reason: string;
}

export interface ProposedProject {
  readonly name: string;
  readonly source: LanguageTag;
  readonly targets: readonly LanguageTag[];
  /** Languages whose spelling in paths differs from their tag. */
  readonly spellings: ReadonlyMap<LanguageTag, string>;
  readonly routes: readonly FoundRoute[];
  /** Languages that have files and are not targets, with the reason. */
  readonly leftOut: ReadonlyMap<string, string>;
  /** Root of its paths; absent: the folder of the config. */
  readonly root?: string;
  /** Formality, model and other rules, as the config spells them. */
  readonly rules?: Readonly<Record<string, unknown>>;
}

export interface Proposal {
  readonly source: LanguageTag;
  readonly projects: readonly ProposedProject[];
  readonly suggestions: readonly SuggestedRoute[];
  /** Sentences about what is left to the person. */
  readonly notes: readonly string[];
}

export interface Wishes {
  /** Name of the first project. */
  readonly name: string;
  readonly source?: LanguageTag;
  /** Absent: the languages that have files. */
  readonly targets?: readonly LanguageTag[];
  /** Whether the service translates into a language. */
  isSupported(tag: LanguageTag): boolean;
}

/** Targets when nothing says which languages are wanted. */
export const EXAMPLE_TARGETS = ['de', 'fr', 'es'] as readonly string[] as readonly LanguageTag[];
