/** Pages of MkDocs through the real binary: boxes (`!!! note`, `??? tip`) and tabs (`=== "Tab"`), whose content is indented. */
import { expect, test } from 'vitest';
import { Rig } from '../rig.ts';

const CONFIG = `
defaults: { settle_ms: 0 }
projects:
  docs:
    source: en
    targets: [de]
    routes:
      - { from: "docs/{locale}/**/*.md" }
`;
const EN = 'docs/en/a.md';
const DE = 'docs/de/a.md';

const ENGLISH = `# Install

!!! note "Mind the gap"

    Read this first.

    - one thing
    - another thing

    \`\`\`sh
    # in a shell
    npm install
    \`\`\`

=== "Linux"

    Use the package manager.

    !!! warning inline end "Careful"

        Not as root.

=== "macOS"

    Use Homebrew.

???+ tip

    Folded text.

Last words.
`;

const GERMAN = `# Installation

!!! note "Achtung Lücke"

    Lies das zuerst.

    - eine Sache
    - noch eine Sache

    \`\`\`sh
    # in einer Shell
    npm install
    \`\`\`

=== "Linux-Systeme"

    Nimm die Paketverwaltung.

    !!! warning inline end "Vorsicht"

        Nicht als root.

=== "Mac"

    Nimm Homebrew.

???+ tip

    Eingeklappter Text.

Letzte Worte.
`;

const TEXTS = [
  ...['Install', 'Mind the gap', 'Read this first.', 'one thing', 'another thing', 'Linux'],
  ...['Use the package manager.', 'Careful', 'Not as root.', 'macOS', 'Use Homebrew.'],
  ...['Folded text.', 'Last words.'],
];

async function planned(rig: Rig): Promise<number> {
  const { stdout } = await rig.run('plan', '--json');
  return (JSON.parse(stdout) as { estimated_characters: number }).estimated_characters;
}

test('all words of boxes and tabs are bought, for the price of the plan, and every mark stays', async () => {
  await using rig = await Rig.start({ config: CONFIG, files: { [EN]: ENGLISH } });
  const price = await planned(rig);
  expect(price).toBe(TEXTS.join('').length);
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1, billed_characters: price });
  const marks = (page: string) =>
    page
      .split('\n')
      .map((line) => /^ *(?:[!?]{3}\+? [\w ]+|=== |- |#|`{3}.*|npm.*|$)?/.exec(line)?.[0]);
  expect(marks(rig.read(DE))).toEqual(marks(ENGLISH));
  expect(rig.read(DE)).toContain('    # in a shell\n');
  for (const words of TEXTS) expect(rig.read(DE)).not.toMatch(new RegExp(`[ "]${words}["\n]`));
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 0, requests: 0 });
});

test('boxes and tabs that a person translated are adopted, and only what changes is bought', async () => {
  await using rig = await Rig.start({ config: CONFIG, files: { [EN]: ENGLISH, [DE]: GERMAN } });
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  expect(rig.read(DE)).toBe(GERMAN);
  expect((await rig.run('check')).code).toBe(0);
  rig.write(
    EN,
    ENGLISH.replace('Not as root.', 'Never as root.')
      .replace('macOS', 'macOS 15')
      .replace('    Folded text.', '    Folded text.\n\n    More of it.'),
  );
  const price = await planned(rig);
  expect(price).toBe('Never as root.macOS 15More of it.'.length);
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1, billed_characters: price });
  const now = rig.read(DE);
  const line = (pattern: RegExp) => pattern.exec(now)?.[0] ?? '';
  const wanted = GERMAN.replace('        Nicht als root.', line(/^ {8}\[de .*$/m))
    .replace('=== "Mac"', line(/^=== "\[.*"$/m))
    .replace('    Eingeklappter Text.', `    Eingeklappter Text.\n\n${line(/^ {4}\[de .*$/m)}`);
  expect(now).toBe(wanted);
});

test('lines that only look like a box stay code, and so does code below a box', async () => {
  const page = `# Words

    !!! note "Code"

        More code.

\`\`\`md
!!! note "Example"

    The body.
\`\`\`

!!! note "Title"

        indented code
`;
  await using rig = await Rig.start({ config: CONFIG, files: { [EN]: page } });
  expect(await planned(rig)).toBe('WordsTitle'.length);
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
  expect(rig.read(DE).split('\n').slice(1)).toEqual(
    page
      .split('\n')
      .slice(1)
      .map((line) => (line.endsWith('"Title"') ? expect.any(String) : line)),
  );
});

test('a list and a table directly below a title are adopted item by item, and only the item that changes is bought', async () => {
  const english = `# Guide

!!! info "Title"
    1. First thing to do.
    2. Second thing to do.

=== "Table"
    | A | B |
    | - | - |
    | One word | Two words |

The end.
`;
  const german = `# Anleitung

!!! info "Titel"
    1. Erstens zu tun.
    2. Zweitens zu tun.

=== "Tabelle"
    | A | B |
    | - | - |
    | Ein Wort | Zwei Worte |

Das Ende.
`;
  await using rig = await Rig.start({ config: CONFIG, files: { [EN]: english, [DE]: german } });
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  rig.write(
    EN,
    english.replace('First thing', 'First of all things').replace('One word', 'A word'),
  );
  const price = await planned(rig);
  expect(price).toBe('First of all things to do.A word'.length);
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1, billed_characters: price });
  const now = rig.read(DE);
  const line = (pattern: RegExp) => pattern.exec(now)?.[0] ?? '';
  const wanted = german
    .replace('    1. Erstens zu tun.', line(/^ {4}1\. \[de .*$/m))
    .replace('    | Ein Wort | Zwei Worte |', line(/^ {4}\| \[de .* \| Zwei Worte \|$/m));
  expect(now).toBe(wanted);
});

test('a person with a blank line below the title loses no text when an item changes', async () => {
  const english = `# Guide

!!! info "Title"
    - First thing to do.

      \`\`\`sh
      run 790
      \`\`\`

    - Third thing to do.

    Closing words here.

The end.
`;
  const german = `# Anleitung

!!! info "Titel"

    - Erstens zu tun.

      \`\`\`sh
      run 790
      \`\`\`

    - Drittens zu tun.

    Schlussworte hier.

Das Ende.
`;
  await using rig = await Rig.start({ config: CONFIG, files: { [EN]: english, [DE]: german } });
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  rig.write(EN, english.replace('First thing', 'First of all things'));
  const price = 'First of all things to do.'.length;
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1, billed_characters: price });
  const now = rig.read(DE);
  expect(now).toBe(
    german.replace('    - Erstens zu tun.', /^ {4}- \[de .*$/m.exec(now)?.[0] ?? ''),
  );
});
