/** CSV and TSV files of real projects, with the columns that their routes would name: nothing is lost, one gap is one text. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CORPUS } from '../corpus.ts';
import { TextJobs } from '../text-jobs.ts';

const FOLDER = join(CORPUS, 'text/csv');
const TOLGEE = 'tolgee+tolgee-platform/backend/data/src/test/resources/import/csv';
const MOJITO =
  'box+mojito/cli/src/test/resources/com/box/l10n/mojito/cli/command/PullCommandTest_IO/pullCsv/expected';

interface Sheet {
  readonly file: string;
  readonly columns: string;
  readonly language: string;
  /** A translation of the file, which is taken away. */
  readonly human: string;
  readonly source: string;
  /** Under another extension: a .tsv is parted by tabs without saying so. */
  readonly as?: string;
}

const SHARED: readonly Sheet[] = [
  {
    file: 'fkirc+attranslate/sample-scripts/csv/translations.csv',
    columns: '{ key: keys, source: en, targets: { de: de, es: es } }',
    language: 'de',
    human: 'Apfel',
    source: 'Apple',
  },
  {
    file: 'lingodotdev+lingo.dev/packages/cli/demo/csv/example.csv',
    columns: '{ key: KEY, source: en, targets: { es: es } }',
    language: 'es',
    human: 'Guardar',
    source: 'Save',
  },
  {
    file: 'godotengine+godot-demo-projects/gui/translation/translations/csv/text.csv',
    columns: '{ key: 1, source: en, targets: { es: es, ja: ja, ru: ru } }',
    language: 'es',
    human: 'Hola!',
    source: 'Hello!',
  },
  {
    file: `${TOLGEE}/example_tab.csv`,
    columns: '{ key: key, source: en, delimiter: "\\t", targets: { cs: cs } }',
    language: 'cs',
    human: 'nahradit toto {value}',
    source: 'replace this {value}',
  },
  {
    file: `${TOLGEE}/example_tab.csv`,
    as: 'texts.tsv',
    columns: '{ key: key, source: en, targets: { cs: cs } }',
    language: 'cs',
    human: 'hodnota',
    source: 'value',
  },
  {
    file: `${MOJITO}/target/demo_fr-FR.csv`,
    columns: '{ key: 1, source: 2, header: false, targets: { fr-FR: 3 } }',
    language: 'fr-FR',
    human: '1 heure',
    source: '1 hour',
  },
];

const isThere = existsSync(FOLDER);

describe.skipIf(!isThere)('a file that holds all languages', () => {
  it.each(SHARED)('$file ($columns)', async ({ file, columns, language, human, source, as }) => {
    const name = as ?? 'texts.csv';
    const text = readFileSync(join(FOLDER, file), 'utf8');
    const jobs = await TextJobs.of(
      `{ from: ${name}, columns: ${columns} }`,
      { [name]: text },
      language,
    );
    expect(await jobs.run(name, language)).toMatchObject({ bought: [], isWritten: false });
    expect(await jobs.read(name)).toBe(text);
    // Another job of this file begins as at first contact.
    const gap = text.replace(human, '');
    const open = await TextJobs.of(
      `{ from: ${name}, columns: ${columns} }`,
      { [name]: gap },
      language,
    );
    expect(await open.run(name, language)).toMatchObject({
      bought: [source],
      state: { kind: 'done' },
    });
    const written = await open.read(name);
    expect(written.length).toBeGreaterThan(gap.length);
    expect(withoutMarks(written)).toBe(text.replace(human, source));
    expect(await open.run(name, language)).toMatchObject({ bought: [], isWritten: false });
  });
});

/** The text as the source has it: the translations that are made here have a mark behind each word. */
function withoutMarks(text: string): string {
  return text.replaceAll(/(?<=[A-Za-z])ä(?![a-zä])/g, '');
}

describe.skipIf(!isThere)('a file of its own for every language', () => {
  const columns = '{ key: id, source: name }';
  const file = 'lingodotdev+lingo.dev/packages/cli/demo/csv-per-locale/es/example.csv';

  it('is made from the source, filled, and followed when the source changes', async () => {
    const text = readFileSync(join(FOLDER, file), 'utf8');
    const jobs = await TextJobs.of(`{ from: "{locale}/a.csv", columns: ${columns} }`, {
      'en/a.csv': text,
      'de/a.csv': text.replace('Guardar', '').replace('Bienvenida', 'Willkommen'),
    });
    expect(await jobs.run('en/a.csv')).toMatchObject({ bought: ['Guardar'] });
    expect(await jobs.read('de/a.csv')).toBe(
      text.replace('Guardar', 'Guardarä').replace('Bienvenida', 'Willkommen'),
    );
    await jobs.write('en/a.csv', text.replace('Error', 'Fallo'));
    expect(await jobs.run('en/a.csv')).toMatchObject({ bought: ['Fallo'] });
    expect(await jobs.run('en/a.csv', 'pl')).toMatchObject({ state: { kind: 'done' } });
    const made = await jobs.read('pl/a.csv');
    expect(made.split('\n').map((line) => line.split(',').length)).toEqual(
      text.split('\n').map((line) => line.split(',').length),
    );
  });
});
