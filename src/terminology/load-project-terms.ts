/** Reads the glossary and style files of a config. */
import type { Config } from '../config.ts';
import { loadGlossaries } from './load-glossaries.ts';
import { loadStyles } from './load-styles.ts';
import type { Terminology } from './project-terms.ts';

/** Reads all files. Never throws for their content: it returns faults. */
export async function loadTerminology(config: Config): Promise<Terminology> {
  const [glossaries, styles] = await Promise.all([loadGlossaries(config), loadStyles(config)]);
  const all = [...glossaries, ...styles];
  return {
    glossaries: new Map(glossaries.map((glossary) => [glossary.name, glossary])),
    styles: new Map(styles.map((style) => [style.file, style])),
    faults: all.flatMap(({ faults }) => faults),
    warnings: styles.flatMap(({ warnings }) => warnings),
    notes: glossaries.flatMap(({ notes }) => notes),
    version: all.map(({ version }) => version).join(' '),
  };
}
