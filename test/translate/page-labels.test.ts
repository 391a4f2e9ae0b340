/** `:::note[Label]`: the brackets are syntax of Docusaurus and Starlight, and the label is a text. */
import { expect, test } from 'vitest';
import { TextJobs } from '../text-jobs.ts';

test.each([
  ['a.mdx', ':::note[Read this]\nSome words.\n:::\n', ':::note[Readä thisä]\nSomeä wordsä.\n:::\n'],
  [
    'a.mdx',
    ':::note[Read `this` first]\n\nSome words.\n\n:::\n',
    ':::note[Readä `this` firstä]\n\nSomeä wordsä.\n\n:::\n',
  ],
  [
    'a.md',
    ':::tip[The **bold** one]{.wide}\n\nSome words.\n\n:::\n',
    ':::tip[Theä **boldä** oneä]{.wide}\n\nSomeä wordsä.\n\n:::\n',
  ],
  [
    'a.md',
    '> :::note[With [a link](/x)]\n> Some words\n> :::\n',
    '> :::note[Withä [aä linkä](/x)]\n> Someä wordsä\n> :::\n',
  ],
])('the label of a directive in %s keeps its brackets: %j', async (name, source, translated) => {
  const jobs = await TextJobs.of('{ from: "docs/{locale}/*.{md,mdx}" }', {
    [`docs/en/${name}`]: source,
  });
  expect(await jobs.run(`docs/en/${name}`)).toMatchObject({ state: { kind: 'done' } });
  expect(await jobs.read(`docs/de/${name}`)).toBe(translated);
});
