/** The config of another tool, as settings of dragoman. Pure. */
import type { LanguageToken } from '../../../routes/tokens.ts';
import type { RouteSketch } from '../known-layouts.ts';

/** A setting that is not taken over, and what a person can do. */
export interface ByHand {
  readonly setting: string;
  readonly reason: string;
}

export interface ImportedRoute {
  /** `{}` stands for the language, in `from` or in `to`. */
  readonly route: RouteSketch;
  /** The tokens that may spell the languages, most likely first. */
  readonly tokens: readonly LanguageToken[];
  /** Spelling in paths -> language code, as far as the config names them. */
  readonly spellings: ReadonlyMap<string, string>;
  /** The languages, when the route itself names them, as for a table. */
  readonly languages?: readonly string[];
}

export interface Imported {
  /** For people: `Crowdin`. */
  readonly tool: string;
  readonly source?: string;
  /** Absent: the config does not name them; they follow from the files. */
  readonly targets?: readonly string[];
  /** Root of the project, relative to the folder of the config. */
  readonly root?: string;
  readonly routes: readonly ImportedRoute[];
  /** Rules of the project, such as formality and model. */
  readonly rules: Readonly<Record<string, unknown>>;
  /** Characters that a run may bill. */
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

/** A list of strings; one string counts as a list of one. */
export function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  return Array.isArray(value) ? value.flatMap((each) => stringIn(each) ?? []) : [];
}

/** The path without `./` or `/` at its beginning: paths of these tools always start at the root. */
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
 * The settings that are not taken over, each with its reason, so that a person learns of all of them.
 * @param taken names of settings that are taken over, or have no meaning here
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

/** The path with `{}` in place of the source language, which is a folder or a part of a name. Undefined: the path does not have it. */
export function pathWithoutSource(path: string, source: string): string | undefined {
  const spelled = [source, source.replaceAll('-', '_'), source.replaceAll('_', '-')];
  const code = spelled.map((each) => RegExp.escape(each)).join('|');
  const found = new RegExp(`(^|[/._-])(?:${code})(?=$|[/._-])(?!.*[/._-](?:${code})(?=$|[/._-]))`);
  return found.test(path) ? path.replace(found, '$1{}') : undefined;
}
