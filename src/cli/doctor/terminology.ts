/** Checks of the glossary and style files that the config names. */
import { type Fault, faultLine } from '../../config/fault.ts';
import type { Config } from '../../config.ts';
import { plural } from '../../language.ts';
import { loadTerminology } from '../../terminology/load-project-terms.ts';
import { terminologyFiles } from '../../terminology/project-terms.ts';
import { type DoctorFinding, fail, ok } from './finding.ts';

const ABOUT = 'terminology';
const FIX =
  'correct the file: no daemon starts with it, and those that run work with what they read before';

/** @returns nothing where the config names no such file; of a file with faults its first one, and their number */
export async function examineTerminology(config: Config): Promise<DoctorFinding[]> {
  const terminology = await loadTerminology(config);
  const faults = Map.groupBy(terminology.faults, ({ file }) => file);
  if (faults.size > 0) {
    return [...faults.values()].map((ofFile) => fail(ABOUT, faultsLine(ofFile, config.base), FIX));
  }
  const files = terminologyFiles(terminology).length;
  return files === 0 ? [] : [ok(ABOUT, `${plural(files, 'file')}, without a fault`)];
}

function faultsLine([first, ...more]: readonly Fault[], base: string): string {
  const line = first === undefined ? '' : faultLine(first, base);
  return more.length === 0 ? line : `${line} (and ${more.length} more)`;
}
