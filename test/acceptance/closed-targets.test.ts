/** A run that would change a translation which cannot be written: every command says so before the run. */
import { chmodSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { canStartAsNobody, giveToNobody, runAsNobody, runInTurnAsNobody } from '../as-nobody.ts';
import { Rig } from '../rig.ts';

const CONFIG = `
lock: dragoman.lock
defaults: { settle_ms: 0 }
projects:
  app: { source: en, targets: [de], routes: [{ from: "{locale}/*.json" }] }
`;
const FILES = { 'en/a.json': '{"hello":"Hello","bye":"Bye now","more":"More of it"}\n' };

/** What somebody does to a translated checkout. */
const WORK: Readonly<Record<string, (rig: Rig) => void>> = {
  'a key that was removed': (rig) =>
    rig.write('en/a.json', '{"hello":"Hello","more":"More of it"}\n'),
  'a source that was moved': (rig) => renameSync(rig.path('en/a.json'), rig.path('en/z.json')),
  'a source that was moved and edited': (rig) => {
    rmSync(rig.path('en/a.json'));
    rig.write('en/z.json', '{"hello":"Hello","bye":"Bye now","more":"More of them"}\n');
  },
};

const CASES = Object.keys(WORK).flatMap((work) =>
  ['lock: dragoman.lock\n', ''].flatMap((lock) =>
    ['with its state', 'fresh'].map((checkout) => ({ work, lock, checkout })),
  ),
);

test.runIf(canStartAsNobody()).each(CASES)(
  '$work, $lock, $checkout: all commands end as the run does',
  async ({ work, lock, checkout }) => {
    const config = CONFIG.replace('lock: dragoman.lock\n', lock);
    await using rig = await Rig.start({ config, files: FILES });
    expect(await rig.once()).toMatchObject({ code: 0 });
    if (checkout === 'fresh') rmSync(rig.path('.dragoman'), { recursive: true });
    WORK[work]?.(rig);
    giveToNobody(rig.root);
    chmodSync(rig.path('de/a.json'), 0o400);
    chmodSync(rig.path('de'), 0o500);
    const commands = ['check', 'plan', 'once --frozen', 'once', 'check'];
    const ended = await runInTurnAsNobody(rig, commands);
    chmodSync(rig.path('de'), 0o700);
    const codes = ended.map(({ code }) => code);
    expect(codes).toHaveLength(commands.length);
    expect([...new Set(codes)], JSON.stringify(codes)).toHaveLength(1);
  },
);

test.runIf(canStartAsNobody()).each([0o500, 0o000])(
  'a moved source that only the lock knows fails alone where its target cannot leave a folder with the rights %i',
  async (rights) => {
    const config = CONFIG.replace('[de]', '[de, fr]').replace('{locale}/*', '{locale}/**/*');
    await using rig = await Rig.start({ config, files: { 'en/old/a.json': FILES['en/a.json'] } });
    expect(await rig.once()).toMatchObject({ code: 0 });
    rmSync(rig.path('.dragoman'), { recursive: true });
    mkdirSync(rig.path('en/new'));
    renameSync(rig.path('en/old/a.json'), rig.path('en/new/a.json'));
    rig.write('en/b.json', '{"new":"A new text"}\n');
    giveToNobody(rig.root);
    chmodSync(rig.path('de/old'), rights);
    const ended = await runInTurnAsNobody(rig, ['plan', 'once --frozen', 'once']);
    expect(ended.map(({ code }) => code)).toEqual([1, 1, 1]);
    expect(rig.exists('fr/new/a.json') && rig.exists('fr/b.json')).toBe(true);
    expect(rig.exists('de/b.json')).toBe(true);
    expect(rig.exists('de/new/a.json')).toBe(false);
    chmodSync(rig.path('de/old'), 0o700);
    expect(await rig.once()).toMatchObject({ code: 0, billed_characters: 0 });
    expect([rig.exists('de/new/a.json'), rig.exists('de/old/a.json')]).toEqual([true, false]);
  },
);

test.runIf(canStartAsNobody())(
  'a moved source that only the lock knows fails alone where its target cannot be written',
  async () => {
    const config = CONFIG.replace('[de]', '[de, fr]');
    await using rig = await Rig.start({ config, files: FILES });
    expect(await rig.once()).toMatchObject({ code: 0 });
    rmSync(rig.path('.dragoman'), { recursive: true });
    renameSync(rig.path('en/a.json'), rig.path('en/z.json'));
    rig.write('en/b.json', '{"new":"A new text"}\n');
    giveToNobody(rig.root);
    chmodSync(rig.path('de'), 0o500);
    const { code, stdout } = await runAsNobody(rig, 'once');
    chmodSync(rig.path('de'), 0o700);
    expect({ code, stdout }).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('failed  en/b.json and 1 more -> de'),
    });
    expect(rig.exists('fr/z.json') && rig.exists('fr/b.json')).toBe(true);
    expect(rig.exists('fr/a.json')).toBe(false);
    expect(await rig.once()).toMatchObject({ code: 0, billed_characters: 'A new text'.length });
    expect(rig.exists('de/z.json')).toBe(true);
  },
);
