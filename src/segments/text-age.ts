/**
 * Whether a translation is older than its source, by the versions of both in the history. It follows branches back to the commit where they
 * were merged. A merge that took the source of one branch and the translation of the other is not a new translation. Pure.
 */

/** The texts of both files at one commit. */
export interface Version {
  readonly commit: string;
  /** The next older versions. */
  readonly parents: readonly string[];
  hasSource(id: string, text: string): boolean;
  hasTarget(id: string, text: string): boolean;
}

export interface AgedText {
  readonly id: string;
  readonly source: string;
  readonly target: string;
}

export interface Versions {
  /** The commits that the files on the disk come from; during a merge there are several. */
  readonly heads: readonly string[];
  /** `unread`: the version was not loaded yet. */
  version(commit: string): Version | 'unread';
}

export type TextAge =
  /** The translation changed with its source or later. `commits`: the oldest with both texts and the newest; empty: it is not committed. */
  | { readonly kind: 'current'; readonly commits: readonly string[] }
  /** The translation is older than the source. `made`: the commit that wrote it; `last`: the newest commit without the source. */
  | { readonly kind: 'older'; readonly made: string; readonly last: string };

/** @returns `unread` when older versions are needed */
export function ageOf(text: AgedText, versions: Versions): TextAge | 'unread' {
  return new AgeSearch(text, versions).below(versions.heads, []);
}

class AgeSearch {
  readonly #text: AgedText;
  readonly #versions: Versions;
  /** Results by commit: branches meet again in older commits. */
  readonly #known = new Map<string, TextAge | 'unread'>();

  constructor(text: AgedText, versions: Versions) {
    this.#text = text;
    this.#versions = versions;
  }

  /** @param after the newest commit with both texts, and the last one that was seen with them */
  below(heads: readonly string[], after: readonly string[]): TextAge | 'unread' {
    const before = this.#read(heads);
    if (before === 'unread') return 'unread';
    const both = before.filter((each) => this.#hasTarget(each) && this.#hasSource(each));
    if (both.length > 0) return this.#belowEach(both, after);
    const [earlier] = before.filter((each) => this.#hasTarget(each));
    if (earlier !== undefined) return this.#olderAt(earlier);
    return { kind: 'current', commits: after.toReversed() };
  }

  /** If the translation belongs to the source on one branch, it also does after the merge. */
  #belowEach(both: readonly Version[], [newest]: readonly string[]): TextAge | 'unread' {
    const ages = both.map(({ commit, parents }) => {
      const after = newest === undefined ? [commit] : [newest, commit];
      const age = this.#known.get(commit) ?? this.below(parents, after);
      this.#known.set(commit, age);
      return age;
    });
    const decided = ages.find((age) => age !== 'unread' && age.kind === 'current');
    return decided ?? (ages.includes('unread') ? 'unread' : (ages[0] ?? 'unread'));
  }

  #olderAt(last: Version): TextAge | 'unread' {
    for (let made = last; ; ) {
      const before = this.#read(made.parents);
      if (before === 'unread') return 'unread';
      const earlier = before.find((each) => this.#hasTarget(each));
      if (earlier === undefined) return { kind: 'older', made: made.commit, last: last.commit };
      made = earlier;
    }
  }

  #read(commits: readonly string[]): Version[] | 'unread' {
    const versions = commits.map((commit) => this.#versions.version(commit));
    return versions.some((version) => version === 'unread') ? 'unread' : (versions as Version[]);
  }

  #hasSource(version: Version): boolean {
    return version.hasSource(this.#text.id, this.#text.source);
  }

  #hasTarget(version: Version): boolean {
    return version.hasTarget(this.#text.id, this.#text.target);
  }
}
