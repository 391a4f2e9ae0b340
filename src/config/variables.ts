/** `${VAR}` inside the strings of a config: never in keys, and never anything but a name. */

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Puts the variables' values in place of `${VAR}`; `$${VAR}` stands for itself.
 * The value is inserted as it is and not looked through again.
 * @param fault hears of every variable that is not set and of every `${…}` that holds no name
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
