/** The style lists that requests name: a list with a file is made equal to it first. */
import { supportsFeature } from '../config/capabilities.ts';
import type { LanguageSupport } from '../config/load-language-support.ts';
import type { Config } from '../config.ts';
import type { Events } from '../event.ts';
import { JobFailure } from '../failure.ts';
import { type LanguageTag, parseLanguage } from '../language.ts';
import type { Project } from '../project.ts';
import type { CallOptions } from '../service/call.ts';
import type { LoadedStyle } from '../terminology/load-styles.ts';
import { type FilesInForce, styleFor } from '../terminology/project-terms.ts';
import type { StyleContent } from '../terminology/style-read.ts';
import { describeStyleDiff } from '../terminology/style-steps.ts';
import { type Need, requireSound } from './need.ts';
import type { SyncKey, SyncRecord, SyncRecords } from './records.ts';
import { findStyle, type StyleService, type SyncedStyle, syncStyle } from './style-sync.ts';

export interface RemoteStylesOptions {
  readonly service: StyleService;
  readonly records: SyncRecords;
  readonly events: Events;
  readonly inForce: { readonly config: Pick<Config, 'sync'> };
  readonly languageSupport: Pick<LanguageSupport, 'capabilities'>;
  readonly terminology: FilesInForce;
}

export class RemoteStyles {
  readonly #options: RemoteStylesOptions;
  /** Whether each list differs, from the last comparison, by its file. */
  readonly #compared = new Map<string, boolean>();

  constructor(options: RemoteStylesOptions) {
    this.#options = options;
  }

  /** @throws JobFailure `malformed` for a file with faults */
  need(project: Project, target: LanguageTag): Need | undefined {
    const style = styleFor(this.#options.terminology.files, project, target);
    return style && this.needOf(style);
  }

  /**
   * @returns undefined also for a language without style rules: the service would refuse the list
   * @throws JobFailure `malformed` for a file with faults
   */
  needOf(style: LoadedStyle): Need | undefined {
    requireSound(style);
    const { content, version } = style;
    if (content === undefined || !this.isSupported(content)) return undefined;
    const { records } = this.#options;
    const key = styleKeyOf(style);
    if (this.#options.inForce.config.sync === 'off') return this.#onlyRead(style, content);
    return {
      key,
      fresh: records.fresh(key, version),
      isBehind: records.isBehind(key, version),
      pick: ({ id }) => id,
      makeEqual: async () => {
        const record = records.about(key, version);
        if (record !== undefined && (await this.#holds(record.id, content))) {
          this.report(style, 'equal');
          return await records.confirm(key, record);
        }
        return (await this.sync(style, content)).record;
      },
    };
  }

  /** Whether the service has style rules for the language of a list. */
  isSupported({ language }: Pick<StyleContent, 'language'>): boolean {
    const tag = parseLanguage(language);
    const { capabilities } = this.#options.languageSupport;
    return tag === undefined || supportsFeature(capabilities, 'style', tag);
  }

  /** The list as it is on the service, which may differ from the file: for `sync: off`. */
  #onlyRead(style: LoadedStyle, content: StyleContent): Need {
    const { records, service } = this.#options;
    const key = styleKeyOf(style);
    const version = styleReadVersion(style);
    const find = async (options?: CallOptions) => {
      const found = await findStyle(service, { content, id: records.read(key)?.id }, options);
      if (found === undefined) throw notThere(content);
      return found;
    };
    return {
      key,
      fresh: records.fresh(key, version),
      isBehind: false,
      pick: ({ id }) => id,
      look: async (options) => {
        await find(options);
      },
      makeEqual: async () => {
        const current = await find();
        const isEqual = describeStyleDiff(content, current).length === 0;
        this.report(style, isEqual ? 'equal' : 'different');
        return await records.conclude(key, { id: current.id, version, pairs: [] });
      },
    };
  }

  /** Reads, compares and writes, also when that was done a short time ago. */
  async sync(
    style: LoadedStyle,
    content: StyleContent,
  ): Promise<SyncedStyle & { readonly record: SyncRecord }> {
    const { service, records, events } = this.#options;
    const key = styleKeyOf(style);
    const synced = await syncStyle({ service, log: records.log(key) }, content);
    const calls = synced.steps.length;
    if (calls > 0) events.emit({ kind: 'rules-synced', what: 'style', name: content.name, calls });
    const { version } = style;
    this.report(style, 'equal');
    const record = await records.conclude(key, { id: synced.id, version, pairs: [] });
    return { ...synced, record };
  }

  /** @param path relative to the folder of the config */
  isDifferent(path: string): boolean | undefined {
    return this.#compared.get(path);
  }

  /** Keeps the result of a comparison, and emits it. */
  report({ path }: LoadedStyle, found: 'equal' | 'different'): void {
    const differs = found === 'different';
    this.#compared.set(path, differs);
    this.#options.events.emit({ kind: 'style-compared', file: path, differs });
  }

  async #holds(id: string, content: StyleContent): Promise<boolean> {
    const current = await findStyle(this.#options.service, { content, id });
    return current?.id === id && describeStyleDiff(content, current).length === 0;
  }
}

function notThere({ name, language }: StyleContent): JobFailure {
  return new JobFailure({
    kind: 'unsupported',
    what: `there is no style list "${name}" for ${language} on the service, and sync: off makes none`,
    advice: 'Run "dragoman style push" where sync is on.',
  });
}

/** The version of a style list in its record while it is only read. */
export function styleReadVersion({ version }: LoadedStyle): string {
  return `read ${version}`;
}

export function styleKeyOf({ path }: LoadedStyle): SyncKey {
  return { kind: 'style', file: path };
}
