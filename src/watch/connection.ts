/** Whether a root is there. A folder that is missing or on another device than before is offline: then no file in it counts as gone. */
import { statsAt } from '../files/disk.ts';
import { findRoot } from '../files/scan.ts';

export type Connecting =
  | { readonly kind: 'same' }
  /** The root is there and was not before, or is at another place: all of it must be listed. */
  | { readonly kind: 'online'; readonly absolute: string; readonly isBack: boolean }
  | { readonly kind: 'offline'; readonly reason: string }
  | { readonly kind: 'still-offline' };

/** When none of so many known files is there, the disk is another one. */
const SAMPLED_FILES = 20;

export class Connection {
  readonly #root: string;
  readonly #known: () => Iterable<string>;
  #online: { readonly absolute: string; readonly device: bigint } | undefined;
  #device: bigint | undefined;
  #reason: string | undefined;

  /** @param known paths of files that were there, relative to the root */
  constructor(root: string, known: () => Iterable<string>) {
    this.#root = root;
    this.#known = known;
  }

  /** Why the root is not there; undefined while it is. */
  get offline(): string | undefined {
    return this.#reason;
  }

  check(): Connecting {
    const found = findRoot(this.#root);
    if (found.kind === 'offline') return this.#goOffline(found.reason);
    const { absolute, device } = found;
    if (this.#online?.absolute === absolute && this.#online.device === device)
      return { kind: 'same' };
    // The empty folder of an unmounted disk is on another device. A disk that is mounted again may have a new device number.
    const isOtherDevice = this.#device !== undefined && this.#device !== device;
    if (isOtherDevice && !this.#hasKnownFile(absolute)) {
      return this.#goOffline('another device is mounted there, without the files that were known');
    }
    const isBack = this.#reason !== undefined;
    this.#online = { absolute, device };
    this.#device = device;
    this.#reason = undefined;
    return { kind: 'online', absolute, isBack };
  }

  #goOffline(reason: string): Connecting {
    const isNews = this.#reason !== reason;
    this.#online = undefined;
    this.#reason = reason;
    return isNews ? { kind: 'offline', reason } : { kind: 'still-offline' };
  }

  #hasKnownFile(absolute: string): boolean {
    let looked = 0;
    for (const path of this.#known()) {
      if (isThere(`${absolute}/${path}`)) return true;
      looked += 1;
      if (looked === SAMPLED_FILES) return false;
    }
    return looked === 0;
  }
}

function isThere(absolute: string): boolean {
  try {
    return statsAt(absolute) !== undefined;
  } catch {
    return false;
  }
}
