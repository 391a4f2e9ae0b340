/** A file becomes a damaged one: cut off, repeated, mixed with another, with signs of syntax where none belong. Archives are also damaged inside and zipped again. */
import { createZip, openZip, unpackEntry } from '../../src/files/zip.ts';
import type { Seeded } from '../seeded.ts';

/** Bytes of one input: more says nothing new, and takes the time of many small ones. */
const MAX_BYTES = 120_000;
const MAX_REPEATS = 4000;

type Mutation = (bytes: Buffer, random: Seeded, other: Buffer) => Buffer;

const SIGNS = [
  ...['{', '}', '[', ']', '(', ')', '<', '>', '</', '/>', '<!--', '-->', '<![CDATA[', ']]>'],
  ...['"', "'", '`', '\\', '\\x', '\\u', '\\u{', '&', '&#', '&amp;', '%', '%1$s', '%(', '{{', '}}'],
  ...[`\${`, '{0}', '{n, plural, one {', '#{', '$t(', '*', '_', '**', '_*', '~~', '|', '>', '- '],
  ...['#', '##', '---', '...', '+++', '```', ':', '::', '=', ',', ';', '\t', '\r', '\n', '\r\n'],
  ...['\0', '\ufeff', '\u2028', '\u00a0', '\ud83d\ude00', '\u0301', '\u202e', '&anchor', '*alias'],
  ...['<<: *x', '!!map ', '__proto__', 'constructor', '-->', ' --> ', '00:00:00,000', 'WEBVTT'],
  ...[
    'msgid ""',
    'msgstr[99999999]',
    '<?xml',
    '<!DOCTYPE a [<!ENTITY b "c">]>',
    '99999999999',
    '1e999',
  ],
].map((sign) => Buffer.from(sign));

const MUTATIONS: readonly Mutation[] = [
  // cut off, as a write in progress leaves it
  (bytes, random) => bytes.subarray(0, random.below(bytes.length + 1)),
  (bytes, random) => bytes.subarray(random.below(bytes.length + 1)),
  (bytes, random) => {
    const [from, to] = range(bytes, random);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
  },
  (bytes, random) => {
    const changed = Buffer.from(bytes);
    for (let n = random.below(8); n >= 0 && changed.length > 0; n--) {
      changed[random.below(changed.length)] = random.below(256);
    }
    return changed;
  },
  (bytes, random) => insert(bytes, random, random.pick(SIGNS)),
  (bytes, random) => insert(bytes, random, random.pick(SIGNS)),
  (bytes, random) => {
    const many = Array.from({ length: 1 + random.below(6) }, () => random.pick(SIGNS));
    return insert(bytes, random, Buffer.concat(many));
  },
  // a part that takes more than linear time is found when it is repeated very often
  (bytes, random) => insert(bytes, random, repeated(random.pick(SIGNS), random)),
  (bytes, random) => {
    const pair = Buffer.concat([random.pick(SIGNS), random.pick(SIGNS)]);
    return insert(bytes, random, repeated(pair, random));
  },
  (bytes, random) => {
    const [from, to] = range(bytes, random, 200);
    return insert(bytes, random, repeated(bytes.subarray(from, to), random));
  },
  (bytes, random, other) => {
    const [from, to] = range(other, random);
    return insert(bytes, random, other.subarray(from, to));
  },
  (bytes, random) => {
    const lines = bytes.toString('latin1').split('\n');
    const [one, two] = [random.below(lines.length), random.below(lines.length)];
    [lines[one], lines[two]] = [lines[two] ?? '', lines[one] ?? ''];
    return Buffer.from(lines.join('\n'), 'latin1');
  },
  (bytes, random) => {
    const end = random.pick(['\r\n', '\r', '\n\n', '\u2028', '']);
    return Buffer.from(bytes.toString('utf8').replaceAll('\n', end));
  },
  (bytes, random) => Buffer.from(bytes.toString('utf8'), random.pick(['utf16le', 'latin1'])),
];

/** @param other of the same kind */
export function mutate(bytes: Uint8Array, random: Seeded, other: Uint8Array): Uint8Array {
  let mutated = Buffer.from(bytes.subarray(0, MAX_BYTES));
  const rest = Buffer.from(other.subarray(0, MAX_BYTES));
  for (let times = 1 + random.below(3); times > 0; times--) {
    mutated = Buffer.from(random.pick(MUTATIONS)(mutated, random, rest).subarray(0, MAX_BYTES));
  }
  return mutated;
}

/** Outside as any file, or one of its entries, which gets the length and the sum that it has now. */
export function mutateArchive(bytes: Uint8Array, random: Seeded, other: Uint8Array): Uint8Array {
  const contents = random.isOneIn(3) ? undefined : contentsOf(bytes);
  if (contents === undefined || contents.size === 0) return damageArchive(bytes, random, other);
  const names = [...contents.keys()];
  const texts = names.filter((name) => /\.(?:xml|rels)$/.test(name));
  for (let times = 1 + random.below(2); times > 0; times--) {
    const name = random.pick(texts.length > 0 && !random.isOneIn(6) ? texts : names);
    const another = contents.get(random.pick(names)) ?? Buffer.of();
    if (random.isOneIn(12)) contents.delete(name);
    else contents.set(name, mutate(contents.get(name) ?? Buffer.of(), random, another));
  }
  return createZip(contents);
}

function damageArchive(bytes: Uint8Array, random: Seeded, other: Uint8Array): Uint8Array {
  if (random.isOneIn(2)) return mutate(bytes, random, other);
  // The directory is at the end, and wrong values there have the most effect.
  const damaged = Buffer.from(bytes);
  const reach = Math.min(damaged.length, 400);
  for (let times = 1 + random.below(4); times > 0 && reach > 0; times--) {
    damaged[damaged.length - 1 - random.below(reach)] = random.pick([0, 1, 0x7f, 0x80, 0xff]);
  }
  return damaged;
}

/** Undefined for a file that is not an archive. */
function contentsOf(bytes: Uint8Array): Map<string, Uint8Array> | undefined {
  try {
    const zip = openZip(bytes, 'archive');
    return new Map(zip.entries.map((entry) => [entry.name, unpackEntry(zip, entry)]));
  } catch {
    return undefined;
  }
}

function insert(bytes: Buffer, random: Seeded, piece: Buffer): Buffer {
  const at = random.below(bytes.length + 1);
  return Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)]);
}

/**
 * Every magnitude comes, small ones more often: a long input takes the time of many small ones, also if the reader needs linear time. What
 * takes more than linear time is slow with some hundreds, too.
 */
function repeated(piece: Buffer, random: Seeded): Buffer {
  const fits = Math.floor(MAX_BYTES / 2 / Math.max(1, piece.length));
  const most = Math.max(1, Math.min(fits, MAX_REPEATS));
  const times = Math.ceil(most ** (1 - Math.sqrt(1 - random.next())));
  return Buffer.concat(Array(times).fill(piece));
}

function range(bytes: Buffer, random: Seeded, longest = bytes.length): [number, number] {
  const from = random.below(bytes.length + 1);
  return [from, Math.min(bytes.length, from + random.below(longest + 1))];
}
