/** The forms of a new plural of Android are in the order of CLDR, or of the other plurals of the person's file. */
import { expect, test } from 'vitest';
import { TextJobs } from '../text-jobs.ts';

const NEW =
  '    <plurals name="files">\n        <item quantity="one">%d file</item>\n        <item quantity="other">%d files</item>\n    </plurals>\n';
const OLD =
  '    <plurals name="old">\n        <item quantity="one">%d day</item>\n        <item quantity="other">%d days</item>\n    </plurals>\n';
const page = (body: string) => `<resources>\n${body}</resources>\n`;

async function orderIn(source: string, target: string): Promise<string[]> {
  const [from, to] = ['values/strings.xml', 'values-pl/strings.xml'];
  const route = '{ from: "values/strings.xml", to: "values-{locale}/strings.xml" }';
  const jobs = await TextJobs.of(route, { [from]: page(source), [to]: page(target) }, 'pl');
  expect((await jobs.run(from, 'pl')).state).toMatchObject({ kind: 'done' });
  const now = await jobs.read(to);
  expect(now).toContain(target);
  const added = now.slice(now.indexOf('"files"'));
  return [...added.matchAll(/quantity="(\w+)"/g)].map(([, form = '']) => form);
}

test('a new plural has its forms in the order of CLDR', async () => {
  const title = '    <string name="t">Title</string>\n';
  const order = await orderIn(title + NEW, title.replace('Title', 'Tytuł'));
  expect(order).toEqual(['one', 'few', 'many', 'other']);
});

test.each([[['few', 'many', 'one', 'other']], [['one', 'few', 'many', 'other']]])(
  'a new plural has its forms in the order of the file: %j',
  async (forms) => {
    const items = forms.map((form) => `        <item quantity="${form}">%d dni ${form}</item>\n`);
    const own = `    <plurals name="old">\n${items.join('')}    </plurals>\n`;
    expect(await orderIn(OLD + NEW, own)).toEqual(forms);
  },
);
