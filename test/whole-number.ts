/** Numbers of the command line of tools for contributors. */

/** @throws RangeError that names the option */
export function wholeNumber(option: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) {
    throw new RangeError(`--${option} ${text} is no whole number from 0 to 999999999`);
  }
  return Number(text);
}
