/** The files of a document in the spool: the copy that is sent, its minified form, the download, and the result. */
import type { Clock } from '../../clock.ts';
import { ResultFiles, type SpooledFile, SpoolFolder } from '../../files/spool-folder.ts';
import type { Hash } from '../../job.ts';
import type { PurchaseKey } from '../../state/document-purchase.ts';

export class Spool {
  readonly #folder: SpoolFolder;

  /** @param folder `<state>/spool`, made for the first file */
  constructor(folder: string) {
    this.#folder = new SpoolFolder(folder);
  }

  sourceOf(key: PurchaseKey): string {
    return this.#folder.path(source(key));
  }

  /** The file that is uploaded instead of the source when the media were removed. */
  minifiedOf(key: PurchaseKey): string {
    return this.#folder.path(minified(key));
  }

  resultFiles(key: PurchaseKey): ResultFiles {
    return new ResultFiles(this.#folder, { part: part(key), result: result(key) });
  }

  /** @returns false, and keeps no copy, when the source has other content */
  async takeSource(key: PurchaseKey, file: string, expected: Hash): Promise<boolean> {
    return await this.#folder.take(source(key), file, expected);
  }

  /** @returns the copy of a source that is not translated; undefined when the source has other content */
  async copySource(
    key: PurchaseKey,
    file: string,
    expected: Hash,
  ): Promise<SpooledFile | undefined> {
    if (!(await this.takeSource(key, file, expected))) return undefined;
    return await this.#folder.find(source(key));
  }

  async putMinified(key: PurchaseKey, content: Uint8Array): Promise<void> {
    await this.#folder.write(minified(key), content);
  }

  /** Bytes of the copy that was sent; undefined when it is removed. */
  async sourceSize(key: PurchaseKey): Promise<number | undefined> {
    return await this.#folder.size(source(key));
  }

  /** Makes these bytes the result, instead of the downloaded ones. */
  async acceptResult(key: PurchaseKey, content: Uint8Array): Promise<SpooledFile> {
    const kept = await this.#folder.write(result(key), content);
    await this.#folder.remove(part(key));
    return kept;
  }

  /** Removes what was sent; the result stays. */
  async dropSource(key: PurchaseKey): Promise<void> {
    await this.#folder.remove(source(key), minified(key));
  }

  async drop(key: PurchaseKey): Promise<void> {
    await this.#folder.remove(source(key), minified(key), part(key), result(key));
  }

  /** @throws JobFailure `disk-full` when so many bytes are not free */
  async requireSpace(bytes: number): Promise<void> {
    await this.#folder.requireSpace(bytes);
  }

  /**
   * Removes files that are older than `keepMs` milliseconds.
   * @param isNeeded whether a purchase still needs its files
   */
  async sweep(
    { keepMs, clock }: { keepMs: number; clock: Clock },
    isNeeded: (key: PurchaseKey) => boolean,
  ): Promise<void> {
    await this.#folder.sweep((name, written) => {
      const key = name.slice(0, name.indexOf('.')) as PurchaseKey;
      return clock.now() - written > keepMs && !isNeeded(key);
    });
  }
}

const source = (key: PurchaseKey) => `${key}.source`;
const minified = (key: PurchaseKey) => `${key}.minified`;
const part = (key: PurchaseKey) => `${key}.part`;
const result = (key: PurchaseKey) => `${key}.result`;
