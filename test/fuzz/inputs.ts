/** The inputs of a run: number and seed give the same input again. */
import { Seeded } from '../seeded.ts';
import { mutate, mutateArchive } from './mutate.ts';
import { mutateRequest } from './mutate-request.ts';
import type { Kind, SeedFile } from './seeds.ts';

export interface Input {
  readonly kind: Kind;
  readonly file: SeedFile;
  /** The file that it was made from. */
  readonly from: string;
}

export interface Run {
  readonly seed: number;
  readonly seeds: ReadonlyMap<Kind, readonly SeedFile[]>;
}

/** The first choice of an input, which costs nothing. */
export function kindOf({ seed, seeds }: Run, number: number): Kind {
  return new Seeded(seed, number).pick([...seeds.keys()]);
}

export function inputOf({ seed, seeds }: Run, number: number): Input {
  const random = new Seeded(seed, number);
  const kind = random.pick([...seeds.keys()]);
  const files = seeds.get(kind) ?? [];
  const from = oftenSmall(files, random);
  const bytes = mutationOf(kind)(from.bytes, random, oftenSmall(files, random).bytes);
  return { kind, from: from.name, file: { name: from.name, bytes } };
}

/** The smallest of three: small ones hold as much syntax in less time, and a sign that does not belong there hits more of it. */
function oftenSmall(files: readonly SeedFile[], random: Seeded): SeedFile {
  const some = [random.pick(files), random.pick(files), random.pick(files)];
  return some.reduce((one, two) => (one.bytes.byteLength < two.bytes.byteLength ? one : two));
}

function mutationOf(kind: Kind): typeof mutate {
  if (kind.startsWith('archive') || kind === 'exchange xlsx') return mutateArchive;
  return kind.startsWith('server') ? mutateRequest : mutate;
}
