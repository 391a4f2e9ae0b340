/** Both files of a job at one commit. Pure. */
import { type Part, partsText } from '../format.ts';
import type { TranslationElsewhere } from '../segments/decision.ts';
import {
  type SourceHash,
  type Statement,
  sourceHash,
  type TargetHash,
  targetHash,
} from '../segments/statements.ts';
import type { Version } from '../segments/text-age.ts';

/** One text of an earlier version of a file. */
export interface PastText {
  readonly id: string;
  readonly parts: readonly Part[];
}

interface PastTexts {
  readonly commit: string;
  readonly parents: readonly string[];
  readonly isKeyed: boolean;
  readonly texts: Readonly<Record<'source' | 'target', readonly PastText[]>>;
}

/** The texts of both files at one commit, identified by their ids or by their contents. */
export class PastVersion implements Version {
  readonly commit: string;
  readonly parents: readonly string[];
  readonly #isKeyed: boolean;
  readonly #texts: PastTexts['texts'];
  readonly #sources: ReadonlyMap<string, string>;
  readonly #targets: ReadonlyMap<string, readonly Part[]>;
  readonly #allSources: ReadonlyMap<SourceHash, string>;
  readonly #allTargets: ReadonlyMap<TargetHash, readonly Part[]>;

  constructor({ commit, parents, isKeyed, texts: pair }: PastTexts) {
    const { source, target } = pair;
    this.#texts = pair;
    this.commit = commit;
    this.parents = parents;
    this.#isKeyed = isKeyed;
    const texts = source.map(({ id, parts }) => [id, partsText(parts)] as const);
    this.#sources = new Map(texts);
    this.#targets = new Map(target.map(({ id, parts }) => [id, parts]));
    this.#allSources = new Map(texts.map(([, text]) => [sourceHash(text), text]));
    this.#allTargets = new Map(target.map(({ parts }) => [targetHash(partsText(parts)), parts]));
  }

  hasSource(id: string, text: string): boolean {
    return this.#isKeyed ? this.#sources.get(id) === text : this.#allSources.has(sourceHash(text));
  }

  hasTarget(id: string, text: string): boolean {
    const parts = this.#targets.get(id);
    return this.#isKeyed
      ? parts !== undefined && partsText(parts) === text
      : this.#allTargets.has(targetHash(text));
  }

  /** Whether the target had these texts and no others. @param texts in the order of the file */
  isTarget(texts: readonly string[]): boolean {
    const { target } = this.#texts;
    return (
      target.length === texts.length &&
      target.every(({ parts }, at) => partsText(parts) === texts[at])
    );
  }

  /** @param stated the stated sources of the translation: with the translation itself, they identify texts without ids */
  source(
    id: string,
    { stated, target }: { readonly stated: ReadonlySet<SourceHash>; readonly target: string },
  ): string | undefined {
    if (this.#isKeyed) return this.#sources.get(id);
    const known = [...stated].find((hash) => this.#allSources.has(hash));
    return known === undefined ? this.#sourceBeside(target) : this.#allSources.get(known);
  }

  /** For a translation that a person wrote and no lock states: the source text at the same position, if both files have as many texts. */
  #sourceBeside(target: string): string | undefined {
    const { source, target: translations } = this.#texts;
    if (source.length !== translations.length) return undefined;
    const places = translations.flatMap(({ parts }, at) =>
      partsText(parts) === target ? [at] : [],
    );
    const [place] = places;
    if (place === undefined || places.length > 1) return undefined;
    return partsText(source[place]?.parts ?? []);
  }

  target(
    id: string,
    stated: readonly Statement[],
    hashOf: (text: string) => TargetHash,
  ): TranslationElsewhere | undefined {
    for (const { target, mark } of stated) {
      const parts = this.#isKeyed ? this.#targets.get(id) : this.#allTargets.get(target);
      if (mark === 'held' || parts === undefined) continue;
      if (hashOf(partsText(parts)) === target) return { parts, origin: mark };
    }
    return undefined;
  }
}
