/** A person has an element of their own in the place of code. New paragraphs of the source go above or below it, never into it. */
import { expect, test } from 'vitest';
import { TextJobs } from '../text-jobs.ts';

const CODE =
  '<div class="example"><pre>\nAccept: text/html; q=1.0\n\nAccept: */*; q=0.1\n</pre></div>\n';
const OWN =
  '<div class="example"><p><code>\n  Accept: text/html; q=1.0<br>\n<br>\n  Accept: */*; q=0.1\n</code></p></div>\n';
const EN = `<p>Browsers say what they prefer:</p>\n\n${CODE}\n<p>The <a href="/server">server</a> chooses 1 of 42 pages for them.</p>\n`;
const DE = `<p>Browser sagen, was sie bevorzugen:</p>\n\n${OWN}\n<p>Der <a href="/server">Server</a> wählt dann 1 von 42 Seiten aus.</p>\n`;
const NEW = '<p>One more paragraph.</p>\n\n';
const WRITTEN = '<p>Oneä moreä paragraphä.</p>\n\n';

async function pages(en: string) {
  const files = { 'docs/en/a.html': en, 'docs/de/a.html': DE };
  return await TextJobs.of('{ from: "docs/{locale}/*.html", lane: text }', files);
}

test.each([
  ['above', EN.replace(CODE, NEW + CODE), DE.replace(OWN, WRITTEN + OWN)],
  [
    'below',
    EN.replace(`${CODE}\n`, `${CODE}\n${NEW}`),
    DE.replace(`${OWN}\n`, `${OWN}\n${WRITTEN}`),
  ],
])(
  'a new paragraph %s the code is written outside of the person’s element',
  async (_, now, after) => {
    const jobs = await pages(EN);
    expect(await jobs.run('docs/en/a.html')).toMatchObject({ bought: [], isWritten: false });
    await jobs.write('docs/en/a.html', now);
    expect(await jobs.run('docs/en/a.html')).toMatchObject({
      ...{ bought: ['One more paragraph.'], state: { kind: 'done' } },
    });
    expect(await jobs.read('docs/de/a.html')).toBe(after);
    expect(await jobs.run('docs/en/a.html')).toMatchObject({ bought: [], isWritten: false });
  },
);

test('paragraphs that a person left out are written outside of their element at first contact', async () => {
  const en = EN.replace(CODE, `${NEW}${CODE}\n<p>A second paragraph.</p>\n`);
  const jobs = await pages(en);
  const { bought, state } = await jobs.run('docs/en/a.html');
  expect(bought).toEqual(['One more paragraph.', 'A second paragraph.']);
  expect(state.kind).toBe('done');
  expect(await jobs.read('docs/de/a.html')).toContain(OWN);
});
