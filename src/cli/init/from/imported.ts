/** What the config of another tool says, in the words of dragoman. Pure. */
import type { LanguageToken } from '../../../routes/tokens.ts';
import type { RouteSketch } from '../layout-rules.ts';

/** A setting that does not come along, and what a person can do. */
export interface ByHand {
  readonly setting: string;
  readonly reason: string;
}

export interface ImportedRoute {
  /** `{}` stands for the language, in `from` or in `to`. */
  readonly route: RouteSketch;
  /** How the tool spells languages there, most likely first. */
  readonly tokens: readonly LanguageToken[];
  /** Spelling in paths -> language, where the config says it. */
  readonly spellings: ReadonlyMap<string, string>;
  /** Where the route itself names its languages, as a table does. */
  readonly languages?: readonly string[];
}

export interface Imported {
  /** For people: `Crowdin`. */
  readonly tool: string;
  readonly source?: string;
  /** Absent: the config does not say them, the files do. */
  readonly targets?: readonly string[];
  /** Folder of the project, relative to that of the config. */
  readonly root?: string;
  readonly routes: readonly ImportedRoute[];
  /** Settings of the project: formality, model and the like. */
  readonly rules: Readonly<Record<string, unknown>>;
  /** Characters of a run. */
  readonly budget?: number;
  readonly byHand: readonly ByHand[];
}

export type Settings = Readonly<Record<string, unknown>>;

export function settingsIn(value: unknown): Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Settings)
    : {};
}

export function stringIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** One string counts as a list of one. */
export function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  return Array.isArray(value) ? value.flatMap((each) => stringIn(each) ?? []) : [];
}

/** Paths of these tools begin at the root of the repository, whatever they begin with. */
export function plainPath(path: string): string {
  return path.replace(/^(?:\.?\/+)+/, '').replaceAll(/\/{2,}/g, '/');
}

export const TOKENS: readonly LanguageToken[] = [
  'locale',
  'locale_underscore',
  'android',
  'apple',
  'lang',
];

/**
 * Settings that nothing was made of, each with its reason: nothing is dropped in silence.
 * @param taken names of settings that came along, or that mean nothing here
 */
export function leftBy(settings: Settings, { under = '', taken, reasons }: LeftBy): ByHand[] {
  return Object.keys(settings)
    .filter((name) => !taken.includes(name))
    .map((name) => ({
      setting: under === '' ? name : `${under}.${name}`,
      reason: reasons[name] ?? 'dragoman has no such setting',
    }));
}

export interface LeftBy {
  /** Path of the settings in the file. */
  readonly under?: string;
  readonly taken: readonly string[];
  readonly reasons: Readonly<Record<string, string>>;
}

/** The source language in a path, as a folder or a part of a name, taken out for `{}`; undefined: it is not there. */
export function withoutSource(path: string, source: string): string | undefined {
  const spelled = [source, source.replaceAll('-', '_'), source.replaceAll('_', '-')];
  const code = spelled.map((each) => RegExp.escape(each)).join('|');
  const found = new RegExp(`(^|[/._-])(?:${code})(?=$|[/._-])(?!.*[/._-](?:${code})(?=$|[/._-]))`);
  return found.test(path) ? path.replace(found, '$1{}') : undefined;
}
