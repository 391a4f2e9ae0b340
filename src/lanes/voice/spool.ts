/** The spool of the voice lane: copies of recordings, their conversions by ffmpeg, and the results of the service. */

import { ResultFiles, SpoolFolder } from '../../files/spool-folder.ts';
import type { Hash } from '../../job.ts';
import type { ContentKey } from '../../plan/voice-recipe.ts';
import type { RemoteJob } from './decisions/remote-job.ts';

/** Names one result of a voice job. `index`: its position in `RemoteJob.outputs`. */
export interface ResultPath {
  readonly job: Pick<RemoteJob, 'id'>;
  readonly index: number;
}

/** Which files of the spool are still used. */
export interface Needed {
  /** Whether an upload of the recording is prepared, or not over. */
  source(content: ContentKey): boolean;
  /** Whether the voice job `id` is recorded. */
  results(id: string): boolean;
}

export class VoiceSpool {
  readonly #folder: SpoolFolder;

  /** @param folder `<state>/voice`; created with the first file */
  constructor(folder: string) {
    this.#folder = new SpoolFolder(folder);
  }

  /** The path of the copy of a recording. */
  sourceOf(content: ContentKey): string {
    return this.#folder.path(source(content));
  }

  /** The path of its conversion, which is uploaded when the service does not take the copy. */
  convertedOf(content: ContentKey): string {
    return this.#folder.path(converted(content));
  }

  resultFiles(of: ResultPath): ResultFiles {
    return new ResultFiles(this.#folder, { part: part(of), result: result(of) });
  }

  /** The path of a packed result. */
  packedOf(of: ResultPath): string {
    return this.#folder.path(packed(of));
  }

  /** @returns the copy; undefined when the file does not hold the expected content */
  async takeSource(content: ContentKey, file: string, expected: Hash): Promise<string | undefined> {
    const isWhole = await this.#folder.take(source(content), file, expected);
    return isWhole ? this.sourceOf(content) : undefined;
  }

  async dropSource(content: ContentKey): Promise<void> {
    await this.#folder.remove(source(content), converted(content));
  }

  async putResult(of: ResultPath, content: Uint8Array): Promise<void> {
    await this.#folder.write(result(of), content);
  }

  async has(of: ResultPath): Promise<boolean> {
    return await this.#folder.has(result(of));
  }

  async dropPacked(of: ResultPath): Promise<void> {
    await this.#folder.remove(packed(of));
  }

  /**
   * @param folder the bytes are written into it; absent: the spool
   * @throws JobFailure `disk-full` when they would not fit
   */
  async requireSpace(bytes: number, folder?: string): Promise<void> {
    await this.#folder.requireSpace(bytes, folder);
  }

  /** Like `requireSpace`, for `bytes` in the spool and the same number in `root`, which may be on the same disk. */
  async requireSpaceForCopies(bytes: number, root: string): Promise<void> {
    const isOneDisk = await this.#folder.isBeside(root);
    await this.#folder.requireSpace(isOneDisk ? bytes * 2 : bytes);
    if (!isOneDisk) await this.#folder.requireSpace(bytes, root);
  }

  /**
   * Removes copies that no upload needs, and results older than `until` whose voice job is not recorded.
   * @param until milliseconds since the epoch
   */
  async sweep(needed: Needed, until: number): Promise<void> {
    await this.#folder.sweep((name, written) => {
      const stem = name.slice(0, name.indexOf('.'));
      return isCopy(name)
        ? !needed.source(stem as ContentKey)
        : written < until && !needed.results(stem.slice(0, stem.lastIndexOf('-')));
    });
  }
}

const source = (content: ContentKey) => `${content}.source`;
const converted = (content: ContentKey) => `${content}.flac`;
const result = ({ job, index }: ResultPath) => `${job.id}-${index}.result`;
const part = (of: ResultPath) => `${result(of)}.part`;
const packed = ({ job, index }: ResultPath) => `${job.id}-${index}.packed`;

function isCopy(name: string): boolean {
  return name.endsWith('.source') || name.endsWith('.flac');
}
