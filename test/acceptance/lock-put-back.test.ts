/** A lock that git put back, or that nobody committed with its translations: every command says that a run has to write it. */
import { expect, test } from 'vitest';
import { billed } from '../counts.ts';
import { Rig } from '../rig.ts';
import { Team } from '../team.ts';

const PROJECTS = `
projects:
  app:
    source: en
    targets: [de]
    routes:
      - { from: "locales/{locale}/*.json" }
      - { from: "notes/{locale}/*.txt", lane: document }
      - { from: "films/{locale}/*.srt" }
`;
const CONFIG = `
lock: dragoman.lock
defaults: { settle_ms: 0 }
${PROJECTS}`;
const LOCK = 'dragoman.lock/app/de';

/** Each with two versions of a source. */
const LANES: Readonly<Record<string, readonly [path: string, before: string, after: string]>> = {
  text: ['locales/en/a.json', '{"a":"A text"}\n', '{"a":"Another one"}\n'],
  document: ['notes/en/a.txt', 'A note about it.\n', 'Another note.\n'],
  subtitle: [
    'films/en/a.srt',
    '1\n00:00:01,000 --> 00:00:02,000\nA text.\n',
    '1\n00:00:01,000 --> 00:00:02,000\nAnother one.\n',
  ],
};

test.each(Object.keys(LANES))(
  'a lock that was put back is said before a run, and is right after it: %s',
  async (lane) => {
    await using rig = await translatedTwice(lane);
    const right = rig.read(LOCK);
    expect(await endsOf(rig)).toEqual({ check: 0, plan: 0, 'once --frozen': 0, status: '' });
    rig.write(LOCK, beforeIn(rig));
    const behind = { check: 1, plan: 1, 'once --frozen': 1, status: 'lock-behind' };
    expect(await endsOf(rig)).toEqual(behind);
    const { stdout } = await rig.run('plan');
    expect(stdout).toContain('the lock does not have the lines of 1 translated file');
    expect(await rig.once()).toMatchObject({ code: 0 });
    expect(rig.read(LOCK)).toBe(right);
    expect(await endsOf(rig)).toEqual({ check: 0, plan: 0, 'once --frozen': 0, status: '' });
  },
);

test.each(Object.keys(LANES))(
  'a fresh checkout whose lock was not committed with its translations is not up to date: %s',
  async (lane) => {
    const [path, , after] = LANES[lane] ?? expect.unreachable();
    const all = Object.values(LANES).map(([path, before]) => [path, before]);
    const { team, first } = await Team.start(PROJECTS, Object.fromEntries(all));
    expect(await first.run('once')).toMatchObject({ code: 0 });
    first.commit('translate');
    await first.write({ [path]: after });
    expect(await first.run('once')).toMatchObject({ code: 0 });
    const complete = await first.read(LOCK);
    first.git('checkout', 'HEAD', '--', LOCK);
    first.commit('change the source, and forget the lock');
    const fresh = await team.clone();
    for (const command of ['plan', 'once --frozen', 'check']) {
      expect.soft(await fresh.run(...command.split(' ')), command).toMatchObject({ code: 1 });
    }
    expect((await fresh.run('plan')).out).toContain('put back to an earlier version');
    expect(await fresh.run('once')).toMatchObject({ code: 0, texts: 0 });
    for (const command of ['plan', 'once --frozen', 'check']) {
      expect.soft(await fresh.run(...command.split(' ')), command).toMatchObject({ code: 0 });
    }
    await first.write({ [LOCK]: complete });
    first.commit('the whole lock');
    const whole = await team.clone();
    for (const command of ['check', 'plan', 'once --frozen']) {
      expect.soft(await whole.run(...command.split(' ')), command).toMatchObject({ code: 0 });
    }
  },
);

test.each(['text', 'subtitle'])(
  'a translation that is put back to what was written for an earlier source is written again beside its lock, and is said before: %s',
  async (lane) => {
    const [path, before, after] = LANES[lane] ?? expect.unreachable();
    const target = path.replace('/en/', '/de/');
    await using rig = await Rig.start({ config: CONFIG, files: { [path]: before } });
    await rig.once();
    const old = rig.read(target);
    rig.write(path, after);
    await rig.once();
    const [present, lock, bill] = [rig.read(target), rig.read(LOCK), billed(rig)];
    rig.write(target, old);
    const { status: _, ...ends } = await endsOf(rig);
    expect(ends).toEqual({ check: 1, plan: 0, 'once --frozen': 1 });
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
    expect([rig.read(target), rig.read(LOCK), billed(rig)]).toEqual([present, lock, bill]);
  },
);

/** The lock of the first version is kept beside it. */
async function translatedTwice(lane: string): Promise<Rig> {
  const [path, before, after] = LANES[lane] ?? expect.unreachable();
  const rig = await Rig.start({ config: CONFIG, files: { [path]: before } });
  expect(await rig.once()).toMatchObject({ code: 0 });
  rig.write('kept.lock', rig.read(LOCK));
  rig.write(path, after);
  expect(await rig.once()).toMatchObject({ code: 0 });
  return rig;
}

function beforeIn(rig: Rig): string {
  return rig.read('kept.lock');
}

async function endsOf(rig: Rig) {
  const ends: Record<string, unknown> = {};
  for (const command of ['check', 'plan', 'once --frozen']) {
    ends[command] = (await rig.run(...command.split(' '))).code;
  }
  const { attention } = JSON.parse((await rig.run('status', '--json')).stdout);
  return { ...ends, status: attention.map(({ code }: { code: string }) => code).join() };
}
