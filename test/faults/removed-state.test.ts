/** A state folder that is removed while a process works on it: nothing more is bought, and the process ends with 74 and one message. */
import { expect, test } from 'vitest';
import { billed } from '../counts.ts';
import { Rig } from '../rig.ts';

const TRANSLATE = 'POST /v2/translate';
const CONFIG = `
defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de]
    routes: [{ from: "locales/{locale}/**/*.json" }]
`;
const FILES = { 'locales/en/a.json': '{"a":"Hello"}\n' };
const REMOVED = /the state folder .*\.dragoman, or a part of it, was removed/;

// Other systems refuse to remove files that are open.
test.runIf(process.platform !== 'win32')(
  'a daemon whose state folder is removed buys nothing more and ends',
  async () => {
    await using rig = await Rig.start({ config: CONFIG, files: FILES });
    const daemon = await rig.daemon();
    await daemon.logged(({ kind }) => kind === 'job-delivered');
    const before = billed(rig);
    rig.remove('.dragoman');
    rig.write('locales/en/b.json', '{"b":"Nobody has a record of this"}\n');
    expect(await daemon.ended).toBe(74);
    const said = daemon.lines.filter(({ msg = '' }) => REMOVED.test(msg));
    expect(said).toHaveLength(1);
    expect(billed(rig)).toBe(before);
    expect(rig.exists('locales/de/b.json')).toBe(false);
    // The next start begins with an empty folder, and not with the rest of the former one.
    expect(rig.exists('.dragoman/db.json')).toBe(false);
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 1, unchanged: 1 });
  },
);

test.runIf(process.platform !== 'win32')(
  'a run whose state folder is removed while an answer is on its way does not wait for the answer',
  async () => {
    await using rig = await Rig.start({ commands: 'process', config: CONFIG, files: FILES });
    // More than a day: a run that waits for the answer does not end before the time limit of this test.
    const late = { kind: 'latency', ms: 100_000_000, operation: TRANSLATE, times: 1 } as const;
    rig.sandbox.faults.add([late]);
    const run = rig.run('once');
    await expect.poll(() => rig.sandbox.faults.list().length, { timeout: 60_000 }).toBe(0);
    rig.remove('.dragoman');
    const { code, stderr } = await run;
    expect({ code, stderr }).toMatchObject({ code: 74, stderr: expect.stringMatching(REMOVED) });
  },
);
