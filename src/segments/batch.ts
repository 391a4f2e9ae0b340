/** Packs texts into as few translation requests as the API's limits allow, in the order in which they come. Pure. */

/** Texts per translation request (docs/design/api.md, "Limits"). */
export const MAX_TEXTS = 50;
/** Bytes of a translation request's body (docs/design/api.md, "Limits": 128 KiB). */
export const MAX_BODY_BYTES = 131_072;

/**
 * Batches that stay open per group. A text that does not fit into the oldest batch may fit into a later one. With only one open batch,
 * texts of a little over half a body would waste the other half.
 */
const OPEN_BATCHES = 4;

export interface Packable {
  /** Texts may share a request only within a group: recipe, language, kind of tag handling, context. */
  readonly group: string;
  /** The text as it is sent. */
  readonly text: string;
  /** Milliseconds of silence before it in a film. A full batch of such texts ends before the longest of its last pauses. */
  readonly pause?: number;
}

/** Texts that go out in one request, in the order in which they came. */
export interface Batch<Item extends Packable> {
  readonly group: string;
  readonly items: readonly Item[];
  /** Bytes of the encoded body. */
  readonly bytes: number;
}

export type PackedBatches<Item extends Packable> =
  | { readonly kind: 'packed'; readonly full: readonly Batch<Item>[] }
  /** The text alone makes a body of `bytes`, more than the limit: it cannot be sent. */
  | { readonly kind: 'too-large'; readonly bytes: number; readonly limit: number };

export interface PackerOptions {
  /** Bytes of a group's encoded body with an empty `text` array. */
  readonly fixedBytes: (group: string) => number;
  readonly maxTexts?: number;
  /** The largest encoded body of a group, in bytes; absent: `MAX_BODY_BYTES`. */
  readonly maxBytes?: (group: string) => number;
}

/** Fills batches as texts come, and returns each batch as soon as nothing more fits. */
export class Packer<Item extends Packable> {
  readonly #groups = new Map<string, BatchGroup<Item>>();
  readonly #fixedBytes: (group: string) => number;
  readonly #maxTexts: number;
  readonly #maxBytes: (group: string) => number;
  #waiting = 0;

  constructor({
    fixedBytes,
    maxTexts = MAX_TEXTS,
    maxBytes = () => MAX_BODY_BYTES,
  }: PackerOptions) {
    this.#fixedBytes = fixedBytes;
    this.#maxTexts = maxTexts;
    this.#maxBytes = maxBytes;
  }

  /** Number of texts that were added and not returned yet. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Packs one text. @returns the batches that are full now, or that were sent to make it fit: to be sent now */
  add(item: Item): PackedBatches<Item> {
    const group = this.#group(item.group);
    const bytes = jsonBytes(item.text);
    const alone = group.fixedBytes + bytes;
    const { limit } = group;
    if (alone > limit) return { kind: 'too-large', bytes: alone, limit };
    const fitting = group.open.find((batch) => batch.bytes + 1 + bytes <= limit);
    if (fitting === undefined) {
      group.open.push({ group: item.group, items: [item], bytes: alone });
    } else {
      fitting.items.push(item);
      fitting.bytes += 1 + bytes; // the comma
    }
    this.#waiting++;
    return { kind: 'packed', full: this.#takeFull(group) };
  }

  /** Returns the open batches, of one group or of all. */
  flush(group?: string): readonly Batch<Item>[] {
    const groups = group === undefined ? [...this.#groups.keys()] : [group];
    return groups.flatMap((key) => {
      const open = this.#groups.get(key)?.open ?? [];
      this.#groups.delete(key);
      return this.#handOut(open);
    });
  }

  #group(key: string): BatchGroup<Item> {
    const known = this.#groups.get(key);
    if (known !== undefined) return known;
    const group = { fixedBytes: this.#fixedBytes(key), limit: this.#maxBytes(key), open: [] };
    this.#groups.set(key, group);
    return group;
  }

  #takeFull(group: BatchGroup<Item>): readonly Batch<Item>[] {
    const excess = group.open.length - OPEN_BATCHES;
    const isFull = (batch: OpenBatch<Item>, index: number) =>
      batch.items.length >= this.#maxTexts || index < excess;
    const full = group.open.filter(isFull);
    if (full.length === 0) return [];
    group.open = group.open.filter((batch) => !full.includes(batch));
    return this.#handOut(full.map((batch) => this.#endAtPause(batch, group)));
  }

  /** The texts behind the longest pause start the next batch. */
  #endAtPause(batch: OpenBatch<Item>, group: BatchGroup<Item>): OpenBatch<Item> {
    const end = longestPause(batch.items);
    if (end === undefined) return batch;
    const [head, tail] = [batch.items.slice(0, end), batch.items.slice(end)];
    const bytes = tail.reduce((sum, { text }) => sum + 1 + jsonBytes(text), group.fixedBytes - 1);
    group.open.push({ group: batch.group, items: tail, bytes });
    return { group: batch.group, items: head, bytes: batch.bytes - (bytes - group.fixedBytes) - 1 };
  }

  #handOut(batches: readonly OpenBatch<Item>[]): readonly Batch<Item>[] {
    for (const batch of batches) this.#waiting -= batch.items.length;
    return batches;
  }
}

interface OpenBatch<Item extends Packable> extends Batch<Item> {
  readonly items: Item[];
  bytes: number;
}

interface BatchGroup<Item extends Packable> {
  readonly fixedBytes: number;
  readonly limit: number;
  open: OpenBatch<Item>[];
}

/** The longest pause is looked for among so many texts at the end of a full batch. More would cost requests. */
const LAST = 8;

function longestPause(items: readonly Packable[]): number | undefined {
  let end: number | undefined;
  for (let at = Math.max(1, items.length - LAST); at < items.length; at++) {
    const pause = items[at]?.pause;
    if (pause === undefined) return undefined;
    if (end === undefined || pause >= (items[end]?.pause ?? 0)) end = at;
  }
  return end;
}

/** UTF-8 bytes of a value as JSON in a request's body. */
export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/**
 * Halves a batch whose body the service found too large (413), keeping the order.
 * @returns undefined for a single text, which cannot be made smaller
 */
export function halve<Item>(
  items: readonly Item[],
): readonly [readonly Item[], readonly Item[]] | undefined {
  if (items.length < 2) return undefined;
  const middle = Math.ceil(items.length / 2);
  return [items.slice(0, middle), items.slice(middle)];
}
