/** With `--json` every command prints exactly one object, with every exit code. */
import { expect, test } from 'vitest';
import type { ExitCode } from '../../src/cli/command.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import type { Terminal } from '../../src/cli/terminal.ts';
import type { SimulatedFault } from '../../src/sandbox/fault.ts';
import { Rig } from '../rig.ts';
import { runHere } from '../run-here.ts';
import { waitingClock } from '../waiting-clock.ts';

const SOURCE = 'locales/en/a.json';
const TARGET = 'locales/de/a.json';
const CONFIG = `
defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de]
    glossary: { name: shop, csv: "l10n/{source}-{locale}.csv" }
    routes:
      - { from: "locales/{locale}/**/*.json" }
`;
const FILES = { [SOURCE]: '{"a":"Hello"}\n', 'l10n/en-de.csv': 'cart,Warenkorb\n' };

/** The arguments that each command needs to begin. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  init: [],
  check: [],
  plan: [],
  once: [],
  run: [],
  status: [],
  lock: [],
  review: ['list'],
  explain: [SOURCE],
  retry: ['--all'],
  approve: ['--all'],
  resolve: [TARGET, '--human'],
  undo: [],
  state: ['status'],
  glossary: ['diff'],
  style: ['diff'],
  usage: [],
  dashboard: [],
  pause: [],
  resume: [],
  restore: ['--list'],
  doctor: [],
  memory: ['list'],
  service: ['uninstall', '--user', '--folder', 'units'],
  completion: ['bash'],
  sandbox: ['--port', '-1'],
  translate: ['Hello', '--to', 'de'],
  improve: ['Hello', '--to', 'en-GB'],
  detect: ['Bonjour tout le monde'],
  languages: [],
  schema: [],
  keys: ['list'],
  analytics: ['--start', '2026-11-01', '--end', '2026-11-20'],
  quickstart: ['--bad'],
};
const NAMES = Object.keys(COMMANDS);
/** They run until they are stopped, where nothing is wrong. */
const ENDLESS = ['run', 'sandbox', 'quickstart', 'init', 'service'];
const ENDING = NAMES.filter((name) => !ENDLESS.includes(name));

interface Outcome {
  readonly code: ExitCode;
  readonly value: unknown;
}

async function outcomeOf(rig: Rig, args: readonly string[], env: object = {}): Promise<Outcome> {
  const world = {
    cwd: rig.root,
    env: { ...process.env, DRAGOMAN_KEY: rig.sandbox.key, ...env },
    clock: waitingClock(),
  };
  const { code, stdout } = await runHere([...args, '--json', '--no-input'], world);
  const value = parsed(stdout, args);
  const { error } = value as { error?: unknown };
  // A call that was typed wrongly has no result that could tell why.
  if (error !== undefined || code === 64)
    expect(error).toMatchObject({ exit_code: code, message: expect.stringMatching(/./) });
  // The words of JSON Schema are no names of ours.
  if (args[0] !== 'schema')
    expect(namesIn(value).filter((name) => /[a-z][A-Z]/.test(name))).toEqual([]);
  return { code: code as ExitCode, value };
}

function parsed(stdout: string, args: readonly string[]): unknown {
  try {
    return JSON.parse(stdout);
  } catch {
    throw new Error(`${args.join(' ')} printed no object: ${stdout.slice(0, 500)}`);
  }
}

/** The names of all properties, at any depth. */
function namesIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const names = Array.isArray(value) ? [] : Object.keys(value);
  return [...names, ...Object.values(value).flatMap(namesIn)];
}

const argumentsOf = (name: string): string[] => [name, ...(ARGUMENTS[name] ?? ['?'])];

test('every command has a row here', () => {
  expect(new Set(Object.keys(ARGUMENTS))).toEqual(new Set(NAMES));
});

test.each(NAMES)('%s with an option that it does not have ends with 64', async (name) => {
  await using rig = await Rig.start({ config: CONFIG });
  expect(await outcomeOf(rig, [name, '--no-such-option'])).toMatchObject({ code: 64 });
});

/** Calls that are wrong, which is found only after files were read or done. */
const WRONG_CALLS: readonly string[] = [
  ...['check', 'plan', 'once', 'once --frozen', 'lock', 'review list', 'explain'],
  ...['retry', 'approve', 'resolve --human', 'restore'],
];

test.each(WRONG_CALLS)(
  '%s with a file that does not exist says so in its object',
  async (typed) => {
    await using rig = await Rig.start({ config: `lock: dragoman.lock\n${CONFIG}`, files: FILES });
    const { code, value } = await outcomeOf(rig, [...typed.split(' '), 'locales/en/no.json']);
    const { error } = value as { error?: object };
    expect({ code, error }).toMatchObject({
      code: expect.toSatisfy((one: ExitCode) => one === 64 || one === 1),
      error: { exit_code: code, message: expect.stringMatching(/no\.json/) },
    });
  },
);

test('a run that did something before its error prints both in one object', async () => {
  await using rig = await Rig.start({ config: CONFIG, files: FILES });
  const { code, value } = await outcomeOf(rig, ['once', SOURCE, 'locales/en/no.json']);
  expect({ code, value }).toMatchObject({
    code: 64,
    value: { delivered: 1, error: { exit_code: 64, message: expect.stringMatching(/no\.json/) } },
  });
});

test.each([
  ['--start', 'x', '--end', '2026-11-20'],
  ['--start', '2026-02-30', '--end', '2026-11-20'],
  ['--start', '2026-11-20', '--end', '2026-11-01'],
])('analytics refuses days that are none: %s %s %s %s', async (...days) => {
  await using rig = await Rig.start({ config: CONFIG });
  expect(await outcomeOf(rig, ['analytics', ...days])).toMatchObject({ code: 64 });
});

const SERVICE = ['once', 'translate', 'improve', 'detect', 'languages', 'glossary'];
const STATE = ['once', 'plan', 'status', 'lock', 'review', 'explain', 'retry', 'usage', 'undo'];
const QUOTA = { kind: 'status', status: 456, times: 'always' } as const;

/** A circumstance, and the exit code of the commands that it stops. */
const TROUBLES: Readonly<Record<string, Trouble>> = {
  'all is well': { code: 0, hinders: ['once', 'plan', 'status', 'translate', 'completion'] },
  'the config is refused': {
    act: (rig) => rig.write('dragoman.yaml', 'version: 2\n'),
    ...{ code: 78, hinders: [...SERVICE, ...STATE, 'check', 'pause', 'restore', 'keys'] },
  },
  'the key is refused': { env: { DRAGOMAN_KEY: 'wrong' }, code: 77, hinders: SERVICE },
  'the quota is used up': {
    ...{ faults: [QUOTA], code: 75 },
    hinders: SERVICE,
  },
  // Nobody makes a folder there, root neither.
  'the state cannot be written': {
    ...{ config: `state: /sys/dragoman\n${CONFIG}`, code: 74, hinders: STATE },
  },
  'the service is away': { act: (rig) => rig.stopService(), code: 69, hinders: SERVICE },
};

interface Trouble {
  readonly code: ExitCode;
  readonly hinders: readonly string[];
  readonly config?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly faults?: readonly SimulatedFault[];
  readonly act?: (rig: Rig) => unknown;
}

const CASES = Object.entries(TROUBLES).flatMap(([when, trouble]) =>
  ENDING.map((name) => ({ name, when, trouble })),
);

test.each(CASES)('$name, where $when, prints one object', async ({ name, trouble }) => {
  const { config = CONFIG, env = {}, faults = [], act, code, hinders } = trouble;
  await using rig = await Rig.start({ config, files: FILES, sandbox: { faults } });
  await act?.(rig);
  const outcome = await outcomeOf(rig, argumentsOf(name), env);
  expect(outcome.code).toEqual(hinders.includes(name) ? code : expect.any(Number));
});

/** Commands that ask a person before they act, and what must be there first. */
const QUESTIONS: Readonly<Record<string, Question>> = {
  'approve --all': {
    act: async (rig) => {
      rig.write(SOURCE, '{"a":"Hello","b":"How are you?"}\n');
      await rig.once('--max-characters', '1');
    },
  },
  'glossary push': { act: (rig) => rig.write('l10n/en-de.csv', 'cart,Wagen\n') },
  undo: {},
  'restore --ledger': { act: (rig) => outcomeOf(rig, ['status']) },
  'translate --to de --from en --file letter.pdf': {
    act: (rig) => rig.write('letter.pdf', '%PDF-1.7\n%%EOF\n'),
  },
  'keys deactivate some': {},
};

interface Question {
  act?(rig: Rig): unknown;
}

test.each(Object.entries(QUESTIONS))(
  '%s, which asks a question, prints an object when nobody answers it',
  async (command, { act }) => {
    await using rig = await Rig.start({ config: CONFIG, files: FILES });
    await rig.once();
    await act?.(rig);
    const { code, value } = await outcomeOf(rig, command.split(' '));
    const message = expect.stringMatching(/^Nothing was .*Add --yes/);
    expect({ code, value }).toMatchObject({ code: 2, value: { error: { message } } });
  },
);

test('the texts of a review have names in snake_case, and no command can print others', async () => {
  const config = `lock: dragoman.lock\n${CONFIG}`.replace(
    'targets',
    'review: { want: [machine] }\n    targets',
  );
  await using rig = await Rig.start({ config, files: FILES });
  await rig.once();
  rig.write(SOURCE, '{"a":"Hello you"}\n');
  const { value } = await outcomeOf(rig, ['review', 'list']);
  const text = expect.objectContaining({
    source_hash: expect.any(String),
    state: 'stale',
    previous_source: 'Hello',
  });
  expect(value).toMatchObject({ files: [{ texts: [text] }] });

  const { json }: Pick<Terminal, 'json'> = { json: () => {} };
  const byLanguage: Readonly<Record<string, number>> = { 'zh-Hant': 1 };
  json({ files: [{ is_wanted: true }], by_language: byLanguage });
  // @ts-expect-error It is a law of the types: the names are machine-read, and never change.
  json({ files: [{ isWanted: true }] });
});
