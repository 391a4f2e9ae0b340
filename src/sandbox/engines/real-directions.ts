/** The directions that apertium has installed, and the route from one language to another, through a third one if needed. */
import { readdir } from 'node:fs/promises';

export interface Direction {
  readonly from: string;
  /** A language, or a variant of one: `pt-BR`. */
  readonly to: string;
  /** Path of the mode file. */
  readonly mode: string;
}

const MODES = '/usr/share/apertium/modes';
const MODE_NAME = /^([a-z]{2,3})-([a-z]{2,3})(_BR)?\.mode$/;
/** Mode names mix two- and three-letter codes of ISO 639. */
const TWO_LETTERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    eng: 'en',
    spa: 'es',
    cat: 'ca',
    ita: 'it',
    fra: 'fr',
    por: 'pt',
  }),
);

/** Empty when apertium is not installed. */
export async function findDirections(folder = MODES): Promise<readonly Direction[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.flatMap((name) => {
    const [, from = '', to = '', variant = ''] = MODE_NAME.exec(name) ?? [];
    if (from === '') return [];
    const target = (TWO_LETTERS.get(to) ?? to) + variant.replace('_', '-');
    return [{ from: TWO_LETTERS.get(from) ?? from, to: target, mode: `${folder}/${name}` }];
  });
}

/** One direction, or two through another language; undefined when there is no route. */
export function routeBetween(
  directions: readonly Direction[],
  from: string,
  to: string,
): readonly Direction[] | undefined {
  const arriving = directions.filter((direction) => direction.to === to);
  const direct = arriving.find((direction) => direction.from === from);
  if (direct) return [direct];
  for (const last of arriving) {
    const first = directions.find((each) => each.from === from && each.to === last.from);
    if (first) return [first, last];
  }
  return undefined;
}
