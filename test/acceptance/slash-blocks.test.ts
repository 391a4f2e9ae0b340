/** Pages with blocks of Python-Markdown (`/// tip | Title` to `///`) and includes (`{* file *}`), as FastAPI has them, through the real binary. */
import { expect, test } from 'vitest';
import { Rig } from '../rig.ts';

const CONFIG = `
defaults: { settle_ms: 0 }
projects:
  docs: { source: en, targets: [de], routes: [{ from: "docs/{locale}/**/*.md" }] }
`;
const EN = 'docs/en/a.md';
const DE = 'docs/de/a.md';

const ENGLISH = `# Testing

/// tip

This is the tip for you.

///

/// note | Technical Words

You could also use \`from starlette\`.

///

{* ../../docs_src/app.py hl[9:12] *}

//// tab | Python 3.10

Some words.

/// details | Click to open
    type: warning

* Hidden one
* Hidden two

///

////

The end.
`;
const GERMAN = `# Testen

/// tip | Tipp

Das ist der Tipp für Sie.

///

/// note | Technische Worte

Sie könnten auch \`from starlette\` nutzen.

///

{* ../../docs_src/app.py hl[9:12] *}

//// tab | Python 3.10

Einige Worte.

/// details | Zum Öffnen klicken
    type: warning

* Verstecktes Erstes
* Verstecktes Zweites

///

////

Das Ende.
`;

async function planned(rig: Rig): Promise<number> {
  const { stdout } = await rig.run('plan', '--json');
  return (JSON.parse(stdout) as { estimated_characters: number }).estimated_characters;
}

/** The lines of the frame, with the beginnings of those that have a title. */
function signs(page: string): string[] {
  return page
    .split('\n')
    .flatMap((line) => /^(?:\/{3,}[^|]*|\{\*.*|\*(?= )| +type:.*|)/.exec(line)?.[0] ?? []);
}

test('in a new page the lines stay, and titles and contents are translated', async () => {
  await using rig = await Rig.start({ config: CONFIG, files: { [EN]: ENGLISH } });
  const price = await planned(rig);
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1, billed_characters: price });
  const page = rig.read(DE);
  expect(signs(page)).toEqual(signs(ENGLISH));
  expect(page).toMatch(/^\/\/\/ note \| \[de .*\]$/m);
  expect(page).toMatch(/^\* \[de .*\]$/m);
  expect(page).not.toContain('Hidden');
});

test('in the page of a person only the title that changes is bought, and includes follow the source', async () => {
  await using rig = await Rig.start({ config: CONFIG, files: { [EN]: ENGLISH, [DE]: GERMAN } });
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  rig.write(
    EN,
    ENGLISH.replace('Technical Words', 'Technical Details').replace('hl[9:12]', 'hl[9:13]'),
  );
  const price = 'Technical Details'.length;
  expect(await planned(rig)).toBe(price);
  expect(await rig.once()).toMatchObject({ code: 0, billed_characters: price });
  const [title = ''] = /(?<=\/\/\/ note \| )\[de .*/.exec(rig.read(DE)) ?? [];
  expect(title).not.toBe('');
  expect(rig.read(DE)).toBe(
    GERMAN.replace('Technische Worte', () => title).replace('hl[9:12]', 'hl[9:13]'),
  );
});

test('a block to which a person gave a title stays whole when its source becomes one of another kind', async () => {
  await using rig = await Rig.start({ config: CONFIG, files: { [EN]: ENGLISH, [DE]: GERMAN } });
  await rig.once();
  rig.write(EN, ENGLISH.replace('/// tip', '/// warning'));
  expect(await planned(rig)).toBe(0);
  expect(await rig.once()).toMatchObject({ requests: 0, failed: [] });
  expect(rig.read(DE)).toBe(GERMAN);
});

test('a block that leaves its source leaves the page with its lines, and a new one comes with its own', async () => {
  await using rig = await Rig.start({ config: CONFIG, files: { [EN]: ENGLISH, [DE]: GERMAN } });
  await rig.once();
  const note = /\/\/\/ note[\s\S]*?\n\/\/\/\n\n/;
  rig.write(
    EN,
    ENGLISH.replace(note, '').replace('The end.', '/// info\n\nNew words.\n\n///\n\nThe end.'),
  );
  expect(await rig.once()).toMatchObject({ code: 0, billed_characters: 'New words.'.length });
  const page = rig.read(DE);
  const [words = ''] = /^\[de .*$/m.exec(page) ?? [];
  expect(page).toBe(
    GERMAN.replace(note, '').replace('Das Ende.', `/// info\n\n${words}\n\n///\n\nDas Ende.`),
  );
});
