/** `${VAR}` in the string values of a config, never in keys. Inside the braces there is only a name. */

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Replaces each `${VAR}` by the value of the variable; `$${VAR}` becomes the text `${VAR}`.
 * A `${…}` inside a value is not replaced.
 * @param fault gets a message for each variable that is not set and each `${…}` that holds no name
 */
export function substituteVariables(
  text: string,
  { env, fault }: { env: Environment; fault: (message: string) => void },
): string {
  return text.replaceAll(/(\$?)\$\{([^}]*)\}/g, (whole, dollar: string, name: string) => {
    if (dollar !== '') return whole.slice(1);
    if (!/^[A-Za-z_]\w*$/.test(name)) {
      fault(`\${${name}} holds no name of a variable: write \${NAME}, or $\${ for the text itself`);
      return whole;
    }
    const value = env[name];
    if (value === undefined) fault(`the variable ${name} is not set`);
    return value ?? '';
  });
}
