/** Runs something without the rights of root: root can read every file. */

export const NOBODY = 65_534;

/** Skips the switch when the tests do not run as root: permissions count then anyway. */
export async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return await work();
  process.seteuid?.(NOBODY);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}
