/** Compares the config file on disk with the config in force. It counts as read only if its whole text is the one that was read. */
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { readConfigText } from './load.ts';

export interface ConfigOnDiskOptions {
  /** A reload replaces the content. */
  readonly inForce: { readonly config: Pick<Config, 'file'>; readonly text: string };
  readonly clock: Clock;
}

/** Milliseconds between two looks. */
const LOOK_MS = 1000;

export class ConfigOnDisk {
  readonly #options: ConfigOnDiskOptions;
  #differs = false;

  constructor(options: ConfigOnDiskOptions) {
    this.#options = options;
  }

  /** At the last look. */
  get differs(): boolean {
    return this.#differs;
  }

  /** A file that is gone or cannot be read differs, too. */
  async check(): Promise<void> {
    const { inForce } = this.#options;
    const text = await readConfigText(inForce.config.file).catch(() => undefined);
    this.#differs = text !== inForce.text;
  }

  /** Until the signal. */
  async watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.check();
      await this.#options.clock.sleep(LOOK_MS, signal).catch(() => {});
    }
  }
}
