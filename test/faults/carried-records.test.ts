/** A kill while the records of a renamed, merged or split project are carried: the next start carries the rest. */
import { cpSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { billed } from '../counts.ts';
import { CHANGES, configOf, FILES } from '../moved-projects.ts';
import { Rig } from '../rig.ts';

const STATE = '.dragoman';
const withoutLock = (text: string) => text.replace('lock: dragoman.lock\n', '');

test.each(CHANGES)(
  '%s: a text of a person survives a kill between baselines and ledger',
  async (...changed) => {
    const [, before, after] = changed;
    const config = withoutLock(configOf(before));
    await using rig = await Rig.start({ config, files: FILES });
    expect(await rig.once()).toMatchObject({ code: 0 });
    rig.write('app/de/c.json', '{"three":"Drei Wörter von Hand"}\n');
    expect(await rig.once()).toMatchObject({ code: 0 });
    const paid = billed(rig);
    const whole = rig.read('dragoman.yaml');
    cpSync(rig.path(STATE), rig.path('before'), { recursive: true, preserveTimestamps: true });
    rig.write('dragoman.yaml', whole.replace(config, withoutLock(configOf(after))));
    expect(await rig.run('plan')).toMatchObject({ code: 0 });
    // The baselines as they are after it, and all else as it was before.
    cpSync(rig.path(`${STATE}/base`), rig.path('base'), { recursive: true });
    rmSync(rig.path(STATE), { recursive: true });
    cpSync(rig.path('before'), rig.path(STATE), { recursive: true, preserveTimestamps: true });
    rmSync(rig.path(`${STATE}/base`), { recursive: true });
    cpSync(rig.path('base'), rig.path(`${STATE}/base`), { recursive: true });
    for (const command of ['once --frozen', 'once', 'once --frozen']) {
      expect.soft(await rig.run(...command.split(' '))).toMatchObject({ code: 0 });
    }
    expect(billed(rig)).toBe(paid);
    rig.write('app/en/c.json', '{"three":"Four other words"}\n');
    expect(await rig.run('plan')).toMatchObject({ code: 2 });
    expect(await rig.run('once')).toMatchObject({ code: 2 });
    expect(rig.read('app/de/c.json')).toContain('von Hand');
  },
);
