/** `--since REF`: only what is work in this checkout, and was none where it parted from a branch, tag or commit. */
import type { Command } from 'commander';
import type { SoundConfig } from '../config/parse.ts';
import { NO_WORK, type OpenWork, type Since } from '../control/since.ts';
import { Daemon } from '../daemon.ts';
import {
  changedFiles,
  describeGitFault,
  GitFailure,
  type GitFault,
  mergeBase,
  openRepository,
} from '../files/git.ts';
import { type Call, type GlobalOptions, UsageError } from './command.ts';
import { type EarlierCheckout, openEarlier } from './earlier-checkout.ts';
import { worldOf } from './world.ts';

export interface SinceOptions extends GlobalOptions {
  readonly since?: string;
}

export function addSince(command: Command): Command {
  return command.option(
    '--since <ref>',
    'only what is to be done now, and was not where HEAD parted from this branch, tag or commit',
  );
}

/** For the scope of a command. @throws UsageError */
export async function sinceOf(
  call: Call<SinceOptions>,
  setup: SoundConfig,
): Promise<{ since?: Since }> {
  if (call.options.since === undefined) return {};
  await using then = await openSince(call, setup, call.options.since);
  const { files, earlier } = then;
  const { languages } = earlier;
  return { since: { files, languages, before: await workIn(call, then) } };
}

/** What changed, and the checkout as it was before. */
export interface OpenedSince extends AsyncDisposable {
  /** Absolute; the same change with the folder as the config names it, and as it is without symbolic links. */
  readonly files: readonly string[];
  readonly earlier: EarlierCheckout;
}

/** @throws UsageError */
export async function openSince(call: Call, setup: SoundConfig, ref: string): Promise<OpenedSince> {
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

/** Asked of the program itself, in the folder of the earlier checkout; it sends nothing. */
async function workIn(call: Call, { earlier, files }: OpenedSince): Promise<OpenWork> {
  const { setup, languages } = earlier;
  if (setup === undefined || files.length + languages.length === 0) return NO_WORK;
  await using daemon = await Daemon.open({
    setup,
    targets: 'stay',
    world: worldOf(call),
    patienceMs: 0,
  });
  return await daemon.control.openWork({ projects: [], languages: [], paths: [] });
}

function adviceFor(fault: GitFault): string {
  switch (fault.kind) {
    case 'no-git':
      return 'install it, or leave out --since';
    case 'no-repository':
      return 'leave out --since';
    case 'unknown-ref':
      return `fetch it: ${fetchOf(fault.ref)}`;
    case 'no-merge-base':
      return fault.isShallow
        ? 'fetch the history: git fetch --unshallow (in GitHub Actions: actions/checkout with fetch-depth: 0; in GitLab: GIT_DEPTH: 0)'
        : 'name a branch that HEAD was made from';
    case 'failed':
      return 'leave out --since, or mend the repository';
  }
}

function fetchOf(ref: string): string {
  const [, remote = 'origin', branch = ref] = /^(origin|upstream)\/(.+)$/.exec(ref) ?? [];
  return `git fetch ${remote} ${branch}`;
}
