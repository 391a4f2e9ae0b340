/** Which folders are worth entering: those that some pattern can still reach a file below. */
import type { GlobPath, Segment } from './glob.ts';
import { PathPattern } from './path-pattern.ts';

/** @param folder relative to the root, '' for the root itself */
export type FolderTest = (folder: string) => boolean;

/** One name, or any number of folders. */
type Step = PathPattern | 'deep';

export function folderTest(paths: readonly GlobPath[]): FolderTest {
  const ways = new Map<string, readonly Step[]>();
  for (const path of paths) {
    const folders = path.slice(0, -1);
    const key = JSON.stringify(folders);
    if (!ways.has(key)) ways.set(key, folders.map(step));
  }
  const all = [...ways.values()];
  return (folder) => {
    const names = folder === '' ? [] : folder.split('/');
    return all.some((steps) => leadsOn(steps, names));
  };
}

function step(segment: Segment): Step {
  return segment === 'deep' ? 'deep' : new PathPattern([segment]);
}

// A folder is on the way when the pattern has a step for each of its names and is not used up by them.
function leadsOn(steps: readonly Step[], names: readonly string[]): boolean {
  for (const [index, name] of names.entries()) {
    const current = steps[index];
    if (current === undefined) return false;
    // Whatever follows `**`, it may follow below this folder too.
    if (current === 'deep') return names.slice(index).every((each) => isVisible(each, steps));
    if (!current.matches(name)) return false;
  }
  return true;
}

// `**` walks into no hidden folder; one that is spelled out after it is meant.
function isVisible(name: string, steps: readonly Step[]): boolean {
  return !name.startsWith('.') || steps.some((each) => each !== 'deep' && each.matches(name));
}
