/** A temporary folder under watch, and all that was told about it. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Clock, systemClock } from '../../src/clock.ts';
import type { WatchEvent } from '../../src/watch/event.ts';
import type { WatchedRoot } from '../../src/watch/observed-root.ts';
import { openWatch, type Watch, type WatchOptions } from '../../src/watch/watch.ts';

let opened = new AsyncDisposableStack();

/** Closes what the tests of a file opened, when all of them are over: they wait most of the time, so they run at once. */
export async function closeOpened(): Promise<void> {
  const closing = opened;
  opened = new AsyncDisposableStack();
  await closing.disposeAsync();
}

export const SETTLE_MS = 200;
const PACE = { turn: 50, folders: 400, files: 60_000, hintRetry: 1000 };

export interface Told {
  /** `path` for a settled file, `-path` for a file that is gone; in the order of the reports. */
  readonly changes: string[];
  readonly events: WatchEvent[];
  /** When a change was reported, in milliseconds since the epoch. */
  readonly at: Map<string, number>;
}

export interface Watched extends Told {
  readonly root: string;
  readonly watch: Watch;
  /** Resolves when so many changes were told. */
  told(count: number): Promise<string[]>;
  /** Resolves when such an event was told. */
  event<K extends WatchEvent['kind']>(kind: K): Promise<Extract<WatchEvent, { kind: K }>>;
  write(path: string, content?: string): Promise<void>;
  /** Waits until hints are reported, that is for the second full pass. */
  ready(): Promise<void>;
}

export type RigOptions = Partial<Omit<WatchOptions, 'roots' | 'onEvent'>> &
  Partial<Omit<WatchedRoot, 'path' | 'project'>> & { readonly root?: string };

export async function watchFolder(options: RigOptions = {}): Promise<Watched> {
  const { root = await folderWith(), ...rest } = options;
  const told: Told = { changes: [], events: [], at: new Map() };
  const listeners = new Set<() => void>();
  const { clock = systemClock } = rest;
  const watch = await openWatch({
    clock,
    settleOf: () => SETTLE_MS,
    hints: 'events',
    ...rest,
    pace: { ...PACE, ...rest.pace },
    roots: [{ project: 'webapp', path: root, wants: isWanted, enters: () => true, ...rest }],
    onEvent: (event) => {
      note(told, event, clock);
      for (const listener of listeners) listener();
    },
  });
  opened.use(watch);
  const until = async <T>(find: () => T | undefined): Promise<T> => {
    const { promise, resolve } = Promise.withResolvers<T>();
    const check = () => {
      const found = find();
      if (found !== undefined) resolve(found);
    };
    listeners.add(check);
    check();
    return await promise.finally(() => listeners.delete(check));
  };
  return {
    ...told,
    root,
    watch,
    told: (count) => until(() => (told.changes.length >= count ? told.changes : undefined)),
    event: (kind) => until(() => told.events.find((event) => isKind(event, kind)) as never),
    write: (path, content = path) => writeAt(join(root, path), content),
    async ready() {
      await until(() => told.events.filter(({ kind }) => kind === 'scanned')[1]);
    },
  };
}

/** A temporary folder with files that hold their own path. */
export async function folderWith(...paths: string[]): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'dragoman-watch-'));
  opened.defer(() => rm(root, { recursive: true, force: true }));
  for (const path of paths) await writeAt(join(root, path), path);
  return root;
}

export async function writeAt(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

/** A clock whose time goes on only while somebody sleeps by it, the watch for example: a busy machine makes nothing late. */
export function ownTime(): Clock {
  let now = systemClock.now();
  return {
    now: () => now,
    sleep: async (ms, signal) => {
      await systemClock.sleep(ms, signal);
      now += ms;
    },
  };
}

/** Twice the settling time and three turns: by then, every change has been reported. */
export async function quiet({ watch }: Watched): Promise<void> {
  await systemClock.sleep(2 * SETTLE_MS);
  await watch.settle();
}

function isWanted(path: string): boolean {
  return /\.(?:json|docx|md|html)$/.test(path);
}

function isKind<K extends WatchEvent['kind']>(
  event: WatchEvent,
  kind: K,
): event is Extract<WatchEvent, { kind: K }> {
  return event.kind === kind;
}

function note({ changes, events, at }: Told, event: WatchEvent, clock: Clock): void {
  events.push(event);
  if (event.kind !== 'settled') return;
  for (const { path } of event.files) changes.push(path);
  for (const path of event.gone) changes.push(`-${path}`);
  for (const change of changes) if (!at.has(change)) at.set(change, clock.now());
}
