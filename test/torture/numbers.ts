/** Which source a translation of the sandbox is of. */

/** The sandbox keeps numbers, and each text of ours has one of its own. */
export function hasItsNumbers(text: string, source: string): boolean {
  return String(text.match(/\d+/g)) === String(source.match(/\d+/g));
}
