/** The building blocks of the settings in `dragoman.yaml`: groups, durations, sizes, references to secrets, addresses. */
import * as z from 'zod';

type CamelCase<Name> = Name extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<CamelCase<Rest>>}`
  : Name;

type Frozen<Value> = Value extends readonly (infer Item)[] ? readonly Item[] : Value;

/** A group of settings as the program has it: `max_length` is `maxLength`, and a setting that was not given is absent. */
export type NamedSettings<Group> = {
  readonly [Name in keyof Group as CamelCase<Name>]: Frozen<Exclude<Group[Name], undefined>>;
};

/** `maxLength` -> `max_length`: the name in the file. */
export function settingName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The schema of a group of settings; a name that it does not list is a fault. */
export function group<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject(shape).transform((read) => {
    const given = Object.entries(read).filter(([, value]) => value !== undefined);
    return Object.fromEntries(
      given.map(([name, value]) => [camelCase(name), value]),
    ) as NamedSettings<typeof read>;
  });
}

const MILLISECONDS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** `30d`, `1h`, `90s` -> milliseconds. */
export const Duration = z
  .string({ error: 'expected a duration such as 30d, 12h or 90s' })
  .regex(/^\d{1,9}(ms|s|m|h|d)$/, 'expected a duration such as 30d, 12h or 90s')
  .transform((text) => measure(text, MILLISECONDS));

// KB, MB and GB are decimal, as providers announce their limits; KiB, MiB and GiB are binary.
const BYTES: Readonly<Record<string, number>> = {
  B: 1,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
};

/** `30MB`, `512KiB` -> bytes, rounded down. */
export const Size = z
  .string({ error: 'expected a size such as 30MB or 512KB' })
  .regex(/^\d{1,9}(\.\d{1,3})?(B|KB|MB|GB|KiB|MiB|GiB)$/, 'expected a size such as 30MB or 512KB')
  .transform((text) => Math.floor(measure(text, BYTES)));

function measure(text: string, units: Readonly<Record<string, number>>): number {
  const unit = text.replace(/^[\d.]+/, '');
  return Number(text.slice(0, -unit.length)) * (units[unit] ?? Number.NaN);
}

/** A whole number; of characters (Unicode code points) in most settings. */
export const Count = z.int().min(0);
export const PositiveCount = z.int().min(1);

/** A string that is not empty. */
export const Text = z.string().min(1, 'must not be empty');

/**
 * Any language code, as the config spells it. Whether the language exists is checked later, where the fault can propose another code
 * ("did you mean"). A type of its own: `pt_BR` in the file is never equal to the tag `pt-BR`, so read it by `readLanguage` first.
 */
export const LanguageCode = Text.meta({
  // Editors propose these; other codes are allowed.
  examples: (
    'ar bg cs da de de-CH el en en-GB en-US es es-419 et fi fr fr-CA he hu id it ja ko lt lv nb nl pl pt-BR pt-PT ro ru sk sl sv th ' +
    'tr uk vi zh-Hans zh-Hant'
  ).split(' '),
}).brand<'LanguageCode'>();
export type LanguageCode = z.output<typeof LanguageCode>;

/** The entries of a setting that names languages. `Object.entries` would forget that its keys are codes and not tags. */
export function entriesByCode<T>(setting: Readonly<Record<LanguageCode, T>>): [LanguageCode, T][] {
  return Object.entries(setting) as [LanguageCode, T][];
}

export const BY_REFERENCE =
  'a secret is never written in the config: use { env: NAME }, { file: PATH } or { credential: NAME }';

/** A reference to a secret. The error message never repeats the value that was written: it may be the secret itself. */
export const Secret = z
  .union(
    [
      z.strictObject({ env: Text.meta({ description: 'Name of an environment variable' }) }),
      z.strictObject({ file: Text.meta({ description: 'File that holds the secret' }) }),
      z.strictObject({
        credential: Text.meta({ description: 'Name of a systemd credential (LoadCredential=)' }),
      }),
    ],
    { error: BY_REFERENCE },
  )
  .meta({ description: 'Where the secret is; the secret itself is never written in the config' });

/** An http or https address without credentials. */
export const HttpAddress = z
  .url({ protocol: /^https?$/, error: 'expected an address such as https://api.example.com' })
  .refine((address) => !/^https?:\/\/[^/]*@/i.test(address), BY_REFERENCE);

export type SecretReference = z.output<typeof Secret>;

/** A place in a config: names of settings and indexes of lists, the outermost first. */
export type SettingPath = readonly (string | number)[];
