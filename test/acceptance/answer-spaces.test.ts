/** White space that a service adds to its answers. The texts are the machine's, here and in a fresh checkout. */
import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Rig } from '../rig.ts';

const CONFIG = `
lock: dragoman.lock
defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de]
    routes:
      - { from: "text/{locale}/*.{md,mdx,json,properties,yaml,po}" }
      - { from: "text/{locale}/*.{html,txt,ini,ttml}", lane: text }
`;
/** The break of the sandbox comes behind the middle, so behind the tag of the placeholder or of the bold words. */
const MARKED = 'Some words **in bold print** of the first sentence';
const NAMED = 'Some words for {{name}} of the first sentence';

const FILES: Readonly<Record<string, string>> = {
  'a.md': `${MARKED}\n\nAnother **one of them** that stays as it is\n`,
  'a.mdx': `${MARKED}\n\n- Another **one of them** that stays as it is\n`,
  'a.html': '<p>Some words <b>in bold print</b> of the first sentence</p>\n',
  'a.txt': `${NAMED}\n\nAnother text for {{name}} that stays as it is\n`,
  'a.ini': `[section]\none = ${NAMED}\n`,
  'a.ttml':
    '<tt xmlns="http://www.w3.org/ns/ttml"><body><div><p begin="1s" end="2s">Some words <span>in bold print</span> of the first sentence</p></div></body></tt>\n',
  'a.json': `{\n  "one": "${NAMED}"\n}\n`,
  'a.properties': 'one=Some words for {0} of the first sentence\n',
  'a.yaml': 'one: Some words for %{name} of the first sentence\n',
  'a.po': `msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n#, python-format\nmsgid "Some words for %(name)s of the first sentence"\nmsgstr ""\n`,
};

test.for(Object.keys(FILES))(
  'a line break in the answer for %s is read as a blank, and the text does not look edited by a person',
  async (name) => {
    const source = FILES[name] ?? '';
    await using rig = await Rig.start({ config: CONFIG, files: { [`text/en/${name}`]: source } });
    rig.sandbox.faults.add([{ kind: 'newlines', how: 'add', times: 'always' }]);
    expect(await rig.once()).toMatchObject({ code: 0, held: [] });
    // The head of a PO file has line breaks.
    const written = rig.read(`text/de/${name}`).split('msgid').at(-1);
    expect(written).not.toMatch(/\p{L}\n\p{L}|\p{L}\\n\p{L}/u);
    rmSync(rig.path('.dragoman'), { recursive: true });
    const frozen = await rig.run('once', '--frozen');
    expect(`${frozen.stdout}${frozen.stderr}`).not.toContain('edited by a person');
    expect(frozen.code).toBe(0);
    for (const words of ['Other words', 'More words']) {
      rig.write(`text/en/${name}`, source.replace('Some words', words));
      expect(await rig.once()).toMatchObject({ code: 0, held: [] });
    }
  },
);

test.for(['a.md', 'a.html', 'a.txt'])(
  'a remembered translation with a line break is in %s as the format reads it, and nobody edited it',
  async (name) => {
    const source = name === 'a.html' ? '<p>Two words</p>\n' : 'Two words\n';
    await using rig = await Rig.start({ config: CONFIG, files: { [`text/en/${name}`]: source } });
    const [en, de] = ['Two words', 'Zwei\nW\u00f6rter'].map(
      (text, nth) => `<tuv xml:lang="${nth === 0 ? 'en' : 'de'}"><seg>${text}</seg></tuv>`,
    );
    rig.write('memory.tmx', `<tmx version="1.4"><header/><body><tu>${en}${de}</tu></body></tmx>`);
    expect((await rig.run('memory', 'import', 'memory.tmx', '--project', 'app')).code).toBe(0);
    expect(await rig.once()).toMatchObject({ code: 0, billed_characters: 0 });
    expect(rig.read(`text/de/${name}`)).toMatch(/Zwei\s+W\u00f6rter/);
    rmSync(rig.path('.dragoman'), { recursive: true });
    const frozen = await rig.run('once', '--frozen');
    expect(`${frozen.stdout}${frozen.stderr}`).not.toContain('edited by a person');
    rig.write(`text/en/${name}`, source.replace('Two', 'Three'));
    expect(await rig.once()).toMatchObject({ code: 0, held: [] });
  },
);
