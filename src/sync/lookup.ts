/** What glossaries and style lists share in being found on the service: ids that may be gone, names that must be the only ones. */
import { JobFailure } from '../failure.ts';

/** Undefined instead of a 404. */
export async function ifThere<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof JobFailure && error.failure.kind === 'not-found') return undefined;
    throw error;
  }
}

/** Something on the service that was looked for by its name. */
export interface NamedResource<T> {
  readonly id: string;
  readonly found: T;
}

export interface Search {
  /** `glossaries`, `style lists for de`. */
  readonly what: string;
  readonly name: string;
  /** How config names one of them by its id. */
  readonly setting: string;
}

/**
 * The only one of its name; undefined when there is none.
 * @throws JobFailure `unsupported` that names both when there are two: which one is meant, only a person can say
 */
export function onlyOne<T>(
  all: readonly NamedResource<T>[],
  { what, name, setting }: Search,
): T | undefined {
  const [first, second] = all;
  if (first === undefined || second === undefined) return first?.found;
  throw new JobFailure({
    kind: 'unsupported',
    what: `two ${what} on the service are named "${name}": ${first.id} and ${second.id}`,
    advice: `Delete or rename one of them, or name the id in the config: ${setting}.`,
  });
}
