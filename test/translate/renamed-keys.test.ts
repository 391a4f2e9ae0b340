/** A key that is renamed while its text is edited, in several formats: a person's translation moves along and waits as a conflict. */
import { expect, test } from 'vitest';
import { TextJobs } from '../text-jobs.ts';

/** By extension: a file with one entry. */
const FILES: Readonly<Record<string, (key: string, text: string) => string>> = {
  json: (key, text) => `{\n  "${key}": "${text}"\n}\n`,
  yml: (key, text) => `${key}: ${text}\n`,
  strings: (key, text) => `"${key}" = "${text}";\n`,
  ftl: (key, text) => `${key} = ${text}\n`,
  php: (key, text) => `<?php\nreturn ['${key}' => '${text}'];\n`,
  xml: (key, text) => `<resources>\n  <string name="${key}">${text}</string>\n</resources>\n`,
};

test.each(Object.entries(FILES))('%s', async (extension, file) => {
  const [from, to] = [`l/en.${extension}`, `l/de.${extension}`];
  const jobs = await TextJobs.of(`{ from: "l/{locale}.${extension}", lane: text }`, {
    [from]: file('one', 'Copy files to your computer'),
  });
  await jobs.run(from);
  const ours = await jobs.read(to);
  const jana = 'Von Jana übersetzt';
  const edited = ours.replace('Copyä filesä toä yourä computerä', jana);
  expect(edited).toContain(jana);
  await jobs.write(to, edited);
  await jobs.write(from, file('two', 'Copy files to your computers'));
  const { state, notes, bought } = await jobs.run(from);
  expect({ state, notes, bought }).toMatchObject({
    state: { kind: 'held', hold: { kind: 'conflict' } },
    notes: [],
    bought: ['Copy files to your computers'],
  });
  const after = await jobs.read(to);
  expect(after).toContain(jana);
  expect(after).toContain('two');
  expect(after).not.toMatch(/\bone\b/);
  expect(await jobs.run(from)).toMatchObject({ bought: [], isWritten: false });
});
