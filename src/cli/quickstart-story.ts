/** The steps of the quickstart after its first run: a person's edit stays, a conflict waits for a choice. Each step shows its price. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunReport } from '../control/run-report.ts';
import { readText } from '../files/read-file.ts';
import { plural } from '../language.ts';

export interface StoryStage {
  readonly folder: string;
  say(line: string): void;
  /** Brings every target up to date, as `dragoman once` does. */
  work(): Promise<RunReport>;
  /** Keeps the person's text at this place, as `dragoman resolve FILE KEY --human` does, and brings every target up to date. */
  keepHuman(place: { file: string; key: string }): Promise<RunReport>;
}

const SOURCE = 'locales/en/app.json';
const TARGET = 'locales/de/app.json';
const KEY = 'cart.checkout';
const HAND = 'Jetzt Platz sichern';

/** Runs the steps and prints them. @returns the reports of the runs; the last one holds nothing when all went well */
export async function runStory(stage: StoryStage): Promise<readonly RunReport[]> {
  const edited = await showEdit(stage);
  const held = await showConflict(stage);
  if (held.held.length === 0) return [edited, held];
  const resolved = await stage.keepHuman({ file: join(stage.folder, TARGET), key: KEY });
  stage.say(`   $ ./dragoman resolve ${TARGET} ${KEY} --human`);
  stage.say(`   The person's text stays: ${costOf([resolved])}.`);
  return [edited, held, resolved];
}

async function showEdit({ folder, say, work }: StoryStage): Promise<RunReport> {
  say(`2. A person changes a translation: ${KEY} in ${TARGET} is "${HAND}" now.`);
  say(`   The source gets a new text, "Remove".`);
  await edit(join(folder, TARGET), /(?<="checkout": )"[^"]*"/, `"${HAND}"`);
  await edit(join(folder, SOURCE), /(?<="checkout": "[^"]*")/, ',\n    "remove": "Remove"');
  const report = await work();
  const text = await readText(join(folder, TARGET));
  const outcome = text.includes(`"${HAND}"`)
    ? "The person's text stays"
    : "The person's text is gone";
  say(`   ${outcome}. Only "Remove" was bought, in three languages: ${costOf([report])}.`);
  return report;
}

async function showConflict({ folder, say, work }: StoryStage): Promise<RunReport> {
  say(`3. The source of that text changes: "Book now" becomes "Book a seat".`);
  await edit(join(folder, SOURCE), /(?<="checkout": )"[^"]*"/, '"Book a seat"');
  const report = await work();
  say(
    `   ${costOf([report])}. The German text is a person's, so it is held until somebody decides.`,
  );
  return report;
}

export function costOf(reports: readonly RunReport[]): string {
  const sum = (of: (report: RunReport) => number) =>
    reports.reduce((all, report) => all + of(report), 0);
  const characters = plural(
    sum((report) => report.billed_characters),
    'character',
  );
  return `${characters} billed in ${plural(
    sum(({ requests }) => requests),
    'request',
  )}`;
}

async function edit(file: string, pattern: RegExp, by: string): Promise<void> {
  const text = await readText(file);
  await writeFile(
    file,
    text.replace(pattern, () => by),
  );
}
