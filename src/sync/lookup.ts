/** How glossaries and style lists are found on the service: an id may be gone, and a name must be unique. */
import { JobFailure } from '../failure.ts';

/** @returns undefined when the service answers 404 */
export async function ifThere<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof JobFailure && error.failure.kind === 'not-found') return undefined;
    throw error;
  }
}

/** An object on the service that was found by its name. */
export interface NamedResource<T> {
  readonly id: string;
  readonly found: T;
}

export interface Search {
  /** `glossaries`, `style lists for de`. */
  readonly what: string;
  readonly name: string;
  /** The form in which the config names an object by its id. */
  readonly setting: string;
}

/**
 * @returns the only object with the name; undefined when there is none
 * @throws JobFailure `unsupported` when there are two: a person must say which one is meant
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
