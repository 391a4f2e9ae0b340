/** The config as the rest of the program sees it: every default filled in, every path absolute, every language a tag. Frozen. */
import type { Lane } from './job.ts';
import type { LanguageTag } from './language.ts';

/** How long what nobody needs at the moment is kept, milliseconds. */
export interface Keep {
  readonly trash: number;
  readonly spool: number;
  readonly undo: number;
  readonly backup: number;
  /** For ever when absent. */
  readonly memory?: number;
}

export interface Config {
  /** Absolute path of the config file. */
  readonly file: string;
  /** Absolute folder of the config file; relative paths of the config start here. */
  readonly base: string;
  /** Absolute path of the state folder. */
  readonly state: string;
  /** The database that a team shares; absent: all state is in the folder. */
  readonly team?: TeamConfig;
  /** Absolute path of the folder with the team's lock; absent: none is kept. */
  readonly lock?: string;
  /** `off`: glossaries and style lists on the service are read, and never written. */
  readonly sync: 'on' | 'off';
  readonly service: ServiceConfig;
  readonly budget: Budget;
  readonly guard?: { readonly files: number; readonly characters: number };
  readonly keep: Keep;
  readonly log: { readonly level: 'debug' | 'info' | 'warn' | 'error' };
  readonly page:
    | { readonly host: string; readonly port: number; readonly allowedHosts: readonly string[] }
    | false;
  readonly on: Readonly<Record<'delivered' | 'held' | 'failed' | 'budget', readonly Hook[]>>;
  readonly projects: readonly Project[];
}

/** Where a secret is; its value is read when it is needed and never kept in the config. */
export type SecretReference =
  | { readonly env: string }
  | { readonly file: string }
  | { readonly credential: string };

export interface TeamConfig {
  /** Where its address is; the address itself where it holds no password. */
  readonly url: SecretReference | string;
  readonly schema: string;
}

export interface ServiceConfig {
  /** Without a trailing slash. */
  readonly url: string;
  readonly key: SecretReference;
  readonly adminKey?: SecretReference;
  /** Token before the key in the Authorization header. */
  readonly scheme: string;
  readonly signatureScheme: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly dialect: 'document' | 'deployed';
  readonly capabilities: readonly ('document_style' | 'instruction_edit')[];
  /** Absolute path. */
  readonly caFile?: string;
  /** Requests at a time. */
  readonly concurrency: number;
  /** Requests per second; absent: the client finds the rate itself. */
  readonly perSecond?: number;
  /** Upload limits in bytes by extension, where they differ from the documented ones. */
  readonly limits: Readonly<Record<string, number>>;
  /** What the service takes of recordings; `jobs` at a time. */
  readonly voice: { readonly maxBytes: number; readonly maxSeconds: number; readonly jobs: number };
  /** Jobs at a time, per lane. */
  readonly lanes: Readonly<Partial<Record<Lane, number>>>;
  /** Milliseconds after which remote glossaries and styles are looked at again. */
  readonly verifyEvery: number;
}

/** Characters (Unicode code points) that may be billed; absent = no limit. */
export interface Budget {
  readonly month?: number;
  readonly run?: number;
  readonly file?: number;
  /** Minutes of audio in a month. */
  readonly voiceMinutes?: number;
  readonly onExceed: 'hold' | 'warn';
}

export type Hook =
  /** `env`: variables that the command gets although their names are those of a secret. */
  | { readonly run: string; readonly env?: readonly string[] }
  | { readonly post: string; readonly secret?: SecretReference };

export interface Project {
  readonly name: string;
  /** Absolute. */
  readonly root: string;
  readonly source: LanguageTag | 'auto';
  readonly detect: boolean;
  readonly targets: readonly LanguageTag[];
  /** Targets that text improvement can convert texts of their own language into. */
  readonly convertible: ReadonlySet<LanguageTag>;
  /** How files and the API spell a language, where it differs from its tag. */
  readonly locales: ReadonlyMap<LanguageTag, { readonly file?: string; readonly api?: string }>;
  readonly budget: Budget;
  readonly rules: Rules;
  readonly policies: Policies;
  readonly routes: readonly Route[];
}

/** What a project asks of every translation. */
export interface Rules {
  readonly formality?: 'default' | 'more' | 'less' | 'prefer_more' | 'prefer_less';
  readonly model?: 'latency_optimized' | 'quality_optimized' | 'prefer_quality_optimized';
  readonly context?: string;
  readonly customInstructions: readonly string[];
  readonly translationMemory?: { readonly id: string; readonly threshold?: number };
  readonly tagHandlingVersion?: 'v1' | 'v2';
  readonly improve?: Improvement;
  readonly glossary?: GlossaryRule;
  readonly styles: ReadonlyMap<LanguageTag, StyleRule>;
}

/** `code`: how text improvement spells the source language; absent: it is told from the text. */
export type Improvement = ({ readonly writingStyle: string } | { readonly tone: string }) & {
  readonly code?: string;
};

export type GlossaryRule =
  | { readonly id: string }
  | {
      readonly name: string;
      /** Pattern relative to the config's folder; may hold `{source}` and `{locale}`. */
      readonly csv: string;
      readonly mode: 'mirror' | 'merge' | 'check';
    };

/** `file` is absolute. */
export type StyleRule = { readonly id: string } | { readonly file: string };

export interface Policies {
  /** Milliseconds that a file must stop changing before it costs money; lanes with large files use at least 10 s unless set. */
  readonly settleMs: number;
  readonly settleIsExplicit: boolean;
  readonly existing: 'adopt' | 'overwrite';
  readonly humanEdits: 'conflict' | 'keep' | 'overwrite';
  readonly deletedSource: 'trash' | 'keep' | 'delete';
  readonly retranslateOn: ReadonlySet<'source' | 'glossary' | 'style' | 'options' | 'notes'>;
  readonly checks: Readonly<
    Record<'placeholders' | 'tags' | 'length' | 'untranslated', 'hold' | 'warn' | 'off'>
  >;
  readonly review: ReviewPolicy;
}

/** Which texts a person is to look at. */
export interface ReviewPolicy {
  /** Whose texts ask for it by themselves; empty: only those that somebody marks. */
  readonly want: ReadonlySet<'machine' | 'adopted' | 'human'>;
  /** Absent: all languages. */
  readonly languages?: readonly LanguageTag[];
  /** What becomes of a run or a check that leaves texts unreviewed. */
  readonly unreviewed: 'hold' | 'warn' | 'off';
}

export interface Route {
  /** Index in the project's list, for messages. */
  readonly index: number;
  /** Where the route stands in the config file. */
  readonly line: number;
  readonly column: number;
  /** Pattern relative to the project's root. */
  readonly from: string;
  readonly exclude: readonly string[];
  /** Target template; the templates of the outputs for voice; absent when `{locale}` is inside `from`. */
  readonly to?: string | VoiceTargets;
  /** The files of `from` are in the target languages and hold their source texts: each is its own source. */
  readonly embeddedSource: boolean;
  /** Overrides the lane of the extension. */
  readonly lane?: Lane;
  readonly keys: {
    readonly ignore: readonly string[];
    readonly lock: readonly string[];
    /** Key pattern -> characters. */
    readonly maxLength: ReadonlyMap<string, number>;
    /** Key pattern -> what a translator is to know of its texts. */
    readonly notes: ReadonlyMap<string, string>;
  };
  readonly columns?: Columns;
  /** MDX: attributes of elements that readers see; absent: the usual ones. */
  readonly attributes?: readonly string[];
  /** Markdown and MDX: keys of the front matter that readers see. */
  readonly frontMatter?: readonly string[];
  readonly encoding?: string;
  readonly approveOver?: number;
  readonly pdfTo?: 'docx';
  readonly minify: boolean;
  readonly subtitles: SubtitleRules;
  readonly voice: {
    readonly recreateOnLoss: boolean;
    readonly speechFormat: 'wav' | 'opus' | 'mp3';
  };
  /** Overrides the project's policies where the route sets them. */
  readonly policies: Policies;
}

export interface VoiceTargets {
  readonly transcript?: string;
  readonly subtitles?: string;
  readonly speech?: string;
}

/** How a CSV or TSV file is laid out; columns by header name, or by 1-based number without a header. */
export interface Columns {
  readonly key?: string;
  readonly source: string;
  readonly delimiter: string;
  readonly header: boolean;
  /** Language -> column. */
  readonly targets: ReadonlyMap<LanguageTag, string>;
}

export interface SubtitleRules {
  readonly lineLength?: number;
  readonly lines: number;
  /** Characters per second above which a cue is reported. */
  readonly cps?: number;
  readonly sdh: 'translate' | 'keep';
  /** Whether sentences are joined over cues before they are translated. */
  readonly group: boolean;
  readonly fallbackEncoding: string;
  /** Writes a report beside the target. */
  readonly report: boolean;
}

/** A place in a config: setting names and list indexes, outermost first. */
export type SettingPath = readonly (string | number)[];
