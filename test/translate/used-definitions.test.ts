/** The source removes what a text of a person still uses: a footnote, the address of a link, a module, an entry. It stays. */
import { expect, test } from 'vitest';
import { TextJobs } from '../text-jobs.ts';

interface Case {
  readonly file: string;
  readonly en: string;
  readonly de: string;
  /** The target with a text of the person that uses the definition. */
  readonly own: string;
  readonly now: string;
  readonly left: string;
}

const page = (...blocks: readonly string[]) => `${blocks.join('\n\n')}\n`;

function pageWith(definition: string, use: string, at: 'head' | 'end'): Omit<Case, 'file'> {
  const made = (texts: readonly string[], has: boolean) => {
    const lines = has ? [definition] : [];
    return page(...(at === 'head' ? lines : []), ...texts, ...(at === 'end' ? lines : []));
  };
  const [first, last, own] = ['Erste Worte hier.', 'Letzte Worte bleiben.', `Von Jana: ${use}`];
  const german = `Der Leser sieht ${use} und mehr.`;
  const english = ['First words here.', 'Last words stay.'] as const;
  return {
    en: made([english[0], `The reader sees ${use} and more.`, english[1]], true),
    de: made([first, german, last], true),
    own: made([first, german, own, last], true),
    now: made(english, false),
    left: made([first, own, last], true),
  };
}

const CASES: Readonly<Record<string, Case>> = {
  'an address': { file: 'a.md', ...pageWith('[d]: https://x.org/d', '[d][]', 'end') },
  'a footnote': { file: 'a.md', ...pageWith('[^1]: It says 4.', '7[^1]', 'end') },
  'a long footnote': {
    file: 'a.md',
    ...pageWith('[^n]: It says [4][l].\n\n    And more.\n\n[l]: https://x.org', '7[^n]', 'end'),
  },
  'an abbreviation': { file: 'a.md', ...pageWith('*[HTML]: Hyper Text', 'HTML', 'end') },
  'an import': { file: 'a.mdx', ...pageWith("import Foo from './foo';", '<Foo />', 'head') },
  'an export': { file: 'a.mdx', ...pageWith('export const year = 2020;', '{year}', 'head') },
  'an anchor of front matter': {
    file: 'a.md',
    en: '---\nbase: &b x\nother: *b\n---\n\nWords.\n',
    de: '---\nbase: &b x\nother: *b\n---\n\nWorte.\n',
    own: '---\nbase: &b x\nother: *b\nmine: *b\n---\n\nWorte.\n',
    now: '---\nlast: y\n---\n\nWords.\n',
    left: '---\nbase: &b x\nlast: y\nmine: *b\n---\n\nWorte.\n',
  },
  'a term of Fluent': {
    file: 'a.ftl',
    en: '-brand = Acme\nhello = Hello { -brand }\nbye = Bye\n',
    de: '-brand = Akme\nhello = Hallo { -brand }\nbye = Ende\n',
    own: '-brand = Akme\nhello = Hallo { -brand }\nmine = Von { -brand }\nbye = Ende\n',
    now: 'bye = Bye\n',
    left: '-brand = Akme\nmine = Von { -brand }\nbye = Ende\n',
  },
  'a renamed message of Fluent': {
    file: 'a.ftl',
    en: 'menu = Menu\nbye = Bye\n',
    de: 'menu = Karte\nbye = Ende\n',
    own: 'menu = Karte\nmine = Von { menu }\nbye = Ende\n',
    now: 'card = Menu\nbye = Bye\n',
    left: 'card = Karte\nmenu = Karte\nmine = Von { menu }\nbye = Ende\n',
  },
  'a linked key': {
    file: 'a.json',
    en: '{ "app": { "name": "Acme" }, "hello": "In @:app.name", "bye": "Bye" }\n',
    de: '{ "app": { "name": "Akme" }, "hello": "In @:app.name", "bye": "Ende" }\n',
    own: '{ "app": { "name": "Akme" }, "hello": "In @:app.name", "mine": "Von $t(app.name)", "bye": "Ende" }\n',
    now: '{ "bye": "Bye" }\n',
    left: '{ "app": { "name": "Akme" }, "mine": "Von $t(app.name)", "bye": "Ende" }\n',
  },
};

test.each(Object.entries(CASES))(
  '%s stays with the text of a person that uses it',
  async (_, { file, en, de, own, now, left }) => {
    const [from, to] = [`l/en/${file}`, `l/de/${file}`];
    const route = '{ from: "l/{locale}/*.{md,mdx,ftl,json}" }';
    const jobs = await TextJobs.of(route, { [from]: en, [to]: de }, 'de');
    expect(await jobs.run(from)).toMatchObject({ bought: [], isWritten: false });
    await jobs.write(to, own);
    expect(await jobs.run(from)).toMatchObject({ bought: [], isWritten: false });
    await jobs.write(from, now);
    expect(await jobs.run(from)).toMatchObject({ bought: [], state: { kind: 'done' } });
    expect(await jobs.read(to)).toBe(left);
    expect(await jobs.run(from)).toMatchObject({ isWritten: false, state: { kind: 'done' } });
  },
);

test('a definition leaves with the text that used it, also where the text is bought anew', async () => {
  const { file, en, de, now } = {
    file: 'a.md',
    ...pageWith('[d]: https://x.org/d', '[d][]', 'end'),
  };
  const [from, to] = [`l/en/${file}`, `l/de/${file}`];
  const jobs = await TextJobs.of('{ from: "l/{locale}/*.md" }', { [from]: en, [to]: de }, 'de');
  await jobs.run(from);
  await jobs.write(from, now.replace('Last words', 'The reader sees d and more.\n\nLast words'));
  expect(await jobs.run(from)).toMatchObject({ state: { kind: 'done' } });
  expect(await jobs.read(to)).not.toContain('https');
});
