/** People see the texts of pages by file and line: the id of such a text is a hash, which nobody can look up. */
import { expect, test } from 'vitest';
import { Rig } from '../rig.ts';
import { waitingClock } from '../waiting-clock.ts';

/** `explain` names the recipe by its hash, for those who report a fault, and `resolve` takes one for a key. */
const HASH = /^(?! *recipe |conflict .* line 1 \().*[0-9a-f]{16}/m;

/** Two texts, and whether the second one comes back damaged. */
const PAGES: Record<string, readonly [string, string, boolean?]> = {
  md: ['First one here.', 'A [link](a.html) and `code`.', true],
  html: ['<p>First one here.</p>', '<p>A <b>bold</b> and <i>other</i> word.</p>'],
  mdx: ['First one here.', 'A [link](a.html) and `code`.', true],
  txt: ['First one here.', 'Hello {name}, come in.'],
};

const COMMANDS = [
  ['once'],
  ['plan'],
  ['status'],
  ['check'],
  ['once', '--frozen'],
  ['explain', 'FILE'],
  ['resolve', 'FILE'],
  ['review', 'list'],
];

test.each(Object.entries(PAGES))(
  'all commands name a held or conflicting text of a page (%s) by its line',
  async (format, [first, second, isHeld = false]) => {
    const [source, target] = [`docs/en/a.${format}`, `docs/de/a.${format}`];
    await using rig = await Rig.start({
      config: `lock: dragoman.lock
defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de]
    routes: [{ from: "docs/{locale}/*.${format}", lane: text }]
`,
      files: { [source]: `${first}\n\n${second}\n` },
      clock: waitingClock(),
    });
    const shown = async () => {
      const outputs = [];
      for (const command of COMMANDS) {
        const args = command.map((word) => (word === 'FILE' ? target : word));
        const { stdout, stderr } = await rig.run(...args);
        outputs.push(`${args.join(' ')}:\n${stdout}${stderr}`);
      }
      return outputs;
    };
    rig.sandbox.faults.add([
      { kind: 'damage', how: 'drop', operation: 'POST /v2/translate', times: 'always' },
    ]);
    const held = await shown();
    expect(held.filter((output) => HASH.test(output))).toEqual([]);
    if (isHeld)
      for (const output of held.slice(0, 3)) expect(output).toContain('written: line 3 (');

    rig.sandbox.faults.clear();
    expect((await rig.run('retry', '--all', '--yes')).code).toBe(0);
    expect((await rig.run('once')).code).toBe(0);
    rig.write(target, rig.read(target).replace('de Ƒ', 'our Ƒ'));
    rig.write(source, rig.read(source).replace('First one', 'First two'));
    const conflict = await shown();
    expect(conflict[0]).toContain('source changed: line 1\n');
    expect(conflict.filter((output) => HASH.test(output))).toEqual([]);
  },
);
