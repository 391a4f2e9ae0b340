/** How many of something, as people say it. Pure. */

/** @param noun in the singular; those that we count take an -s */
export function plural(amount: number, noun: string): string {
  return `${amount.toLocaleString('en-US')} ${noun}${amount === 1 ? '' : 's'}`;
}
