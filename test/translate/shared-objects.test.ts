/** Modules of a person with shared objects: no text is written where others read it. */
import { expect, test } from 'vitest';
import { TextJobs } from '../text-jobs.ts';

const EN = "export default { title: 'Hello', ok: 'Fine' };\n";

const CASES: Readonly<Record<string, readonly [en: string, de: string]>> = {
  'Object.assign with a shared object': [
    EN,
    "const base = { ok: 'Gut' };\nmodule.exports = Object.assign({}, base, { title: 'Hallo' });\n",
  ],
  'a merge of the own object': [
    EN,
    "const base = { ok: 'Gut' };\nexport default merge(base, { title: 'Hallo' });\n",
  ],
  'one object for several': [
    "const base = { ok: 'Fine' };\nexport default { ...base, title: 'Hello' };\n",
    "export default { ok: 'Gut', title: 'Hallo' };\n",
  ],
};

test.each(Object.entries(CASES))('%s: new texts are held', async (_, [en, de]) => {
  const [from, to] = ['l/en/a.js', 'l/de/a.js'];
  const route = '{ from: "l/{locale}/*.js", lane: text }';
  const jobs = await TextJobs.of(route, { [from]: en, [to]: de }, 'de');
  for (let run = 0; run < 2; run += 1) {
    expect(await jobs.run(from)).toMatchObject({ bought: [], state: { kind: 'held' } });
    expect(await jobs.read(to)).toBe(de);
  }
});
