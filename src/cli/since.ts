/** `--since REF`: only work that this checkout adds to its merge base with a branch, tag or commit. */
import { join, relative } from 'node:path';
import type { Command } from 'commander';
import type { SoundConfig } from '../config/parse.ts';
import type { Scope } from '../control/control.ts';
import { inPaths, isNamed } from '../control/scope.ts';
import { NO_WORK, type OpenWork } from '../control/since.ts';
import { Daemon } from '../daemon.ts';
import {
  changedFiles,
  describeGitFault,
  GitFailure,
  type GitFault,
  mergeBase,
  openRepository,
} from '../files/git.ts';
import { shownFrom } from '../routes/shown-paths.ts';
import { type CommandCall, type GlobalOptions, UsageError } from './command.ts';
import { type EarlierCheckout, openEarlier } from './earlier-checkout.ts';
import { worldOf } from './world.ts';

export interface SinceOptions extends GlobalOptions {
  readonly since?: string;
}

export function addSince(command: Command): Command {
  return command.option(
    '--since <ref>',
    'only work that HEAD adds since it left this branch, tag or commit',
  );
}

interface AskedSince {
  /** The scope, with `since` when `--since` was given. */
  readonly scope: Scope;
  /** Sentences about what could not be compared. */
  readonly notes: readonly string[];
}

/** Adds the comparison of `--since` to a scope. @throws UsageError when git has no such commit */
export async function withSince(
  call: CommandCall<SinceOptions>,
  setup: SoundConfig,
  asked: Scope,
): Promise<AskedSince> {
  const ref = call.options.since;
  if (ref === undefined) return { scope: asked, notes: [] };
  await using then = await openSince(call, setup, ref);
  const { files, earlier } = then;
  const before = await workIn(call, then);
  const rootOf = (project: string) =>
    setup.config.projects.find(({ name }) => name === project)?.root;
  const unread = before.unread.flatMap(({ project, path, reason }) => {
    const root = rootOf(project);
    const isAsked =
      isNamed({ ...asked, languages: [] }, project, '') && inPaths(asked.paths, root, [path]);
    return isAsked ? [{ file: join(root ?? '', path), reason }] : [];
  });
  return {
    scope: { ...asked, since: { files, languages: earlier.languages, before } },
    notes: [
      ...noConfigNotes(call, earlier),
      ...unread.map((file) => unreadNote(call, earlier, file)),
    ],
  };
}

/** The note when everything counts as new because the earlier config is refused. */
export function noConfigNotes(
  { options, cwd }: CommandCall<SinceOptions>,
  earlier: EarlierCheckout,
): string[] {
  const { refusal, folder } = earlier;
  if (refusal === undefined) return [];
  const reason = shownFrom({ cwd: folder }, shownFrom({ cwd }, refusal));
  return [`the config of ${options.since} is refused (${reason}): everything counts as new`];
}

interface UnreadThen {
  /** Absolute path in the present checkout. */
  readonly file: string;
  readonly reason: string;
}

export function unreadNote(
  { options, cwd }: CommandCall<SinceOptions>,
  { folder }: Pick<EarlierCheckout, 'folder'>,
  { file, reason }: UnreadThen,
): string {
  const said = shownFrom({ cwd: folder }, reason);
  return `${relative(cwd, file)} cannot be compared with ${options.since} (${said}): all of it counts as new`;
}

/** The changed files, and the checkout of the earlier commit. */
export interface OpenedSince extends AsyncDisposable {
  /** Absolute. With symbolic links, a change is listed twice: by the path of the config, and by the real path. */
  readonly files: readonly string[];
  readonly earlier: EarlierCheckout;
}

/** Opens the merge base with a ref. @throws UsageError with the fault of git and advice */
export async function openSince(
  call: CommandCall,
  setup: SoundConfig,
  ref: string,
): Promise<OpenedSince> {
  const { base } = setup.config;
  try {
    const repository = await openRepository(base);
    const commit = await mergeBase(repository, ref);
    const changed = await changedFiles(repository, commit);
    const earlier = await openEarlier(call, setup, { repository, commit, changed });
    return {
      files: changed,
      earlier,
      [Symbol.asyncDispose]: () => earlier[Symbol.asyncDispose](),
    };
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    const { fault } = error;
    throw new UsageError(`--since ${ref}: ${describeGitFault(fault)}; ${adviceFor(fault)}`, {
      cause: error,
    });
  }
}

/** The open work of the earlier checkout: a daemon object plans it there and sends nothing. */
async function workIn(call: CommandCall, { earlier, files }: OpenedSince): Promise<OpenWork> {
  const { setup, languages } = earlier;
  if (setup === undefined || files.length + languages.length === 0) return NO_WORK;
  await using daemon = await Daemon.open({
    setup,
    targets: 'stay',
    world: worldOf(call),
    patienceMs: 0,
    withoutTeam: 'looks',
  });
  return await daemon.answers.control.openWork({ projects: [], languages: [], paths: [] });
}

function adviceFor(fault: GitFault): string {
  switch (fault.kind) {
    case 'no-git':
      return 'install git, or leave out --since';
    case 'no-repository':
      return 'leave out --since';
    case 'unknown-ref':
      return `fetch it: ${fetchOf(fault.ref)}`;
    case 'no-merge-base':
      return fault.isShallow
        ? 'fetch the history: git fetch --unshallow (in GitHub Actions: actions/checkout with fetch-depth: 0; in GitLab: GIT_DEPTH: 0)'
        : 'name a branch that has commits in common with HEAD';
    case 'failed':
      return 'leave out --since, or mend the repository';
  }
}

function fetchOf(ref: string): string {
  const [, remote = 'origin', branch = ref] = /^(origin|upstream)\/(.+)$/.exec(ref) ?? [];
  return `git fetch ${remote} ${branch}`;
}
