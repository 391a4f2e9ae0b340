/** Findings of `check` about blockers (routes without files, languages without support, damaged state): from the disk, and from the state where there is one. */
import { join } from 'node:path';
import { isBoughtByText, languagesOfLanes } from '../../config/lane-languages.ts';
import { lackingLanguages } from '../../config/language-checks.ts';
import { keptCapabilities } from '../../config/load-languages.ts';
import type { SoundConfig } from '../../config/parse.ts';
import type { Config } from '../../config.ts';
import { type BlockerDescription, describeBlocker } from '../../control/blocker-words.ts';
import { type Blocker, blockersIn, gravityOf } from '../../control/blockers.ts';
import type { Control, Scope } from '../../control/control.ts';
import {
  isWantedTarget,
  lackingBlockers,
  languagesWithoutWriting,
} from '../../control/find-blockers.ts';
import { missingPaths } from '../../control/missing-paths.ts';
import { recordsForStatus } from '../../control/needed-records.ts';
import type { AttentionLine } from '../../control/report.ts';
import { describeFailure, failureOf } from '../../failure.ts';
import { operationUnderWay } from '../../files/work-tree.ts';
import { unwritableLocks } from '../../jobs/lock-foresight.ts';
import { lostLockFiles } from '../../jobs/lock-tidying.ts';
import type { Project } from '../../project.ts';
import { shownFrom } from '../../routes/shown-paths.ts';
import { describeDamage, newDamage } from '../../state/damage.ts';
import type { LockFiles } from '../../state/lock-file.ts';
import { hasLedger } from '../../state/recovery.ts';
import { projectTerms, type Terminology } from '../../terminology/project-terms.ts';
import type { CommandCall } from '../command.ts';
import { withControl, withPassingState } from '../open-control.ts';
import type { ProjectFiles } from './project-files.ts';
import type { TargetFinding } from './targets.ts';

/** Kinds that only the state knows. `check` finds all others on the disk. */
const BY_STATE: ReadonlySet<string> = new Set([
  'config-not-reloaded',
  'incomplete',
  'changing',
  'mass-deletion',
  'not-followed',
  'disk-full',
  'lock-behind',
  'terminology-behind',
] satisfies Blocker['kind'][]);

export interface Checked {
  readonly setup: SoundConfig;
  readonly scope: Scope;
  readonly files: ReadonlyMap<Project, ProjectFiles>;
  /** The files of an earlier commit: the state is that of the present ones. */
  readonly isEarlier?: boolean;
}

interface Named {
  /** Undefined: the config names none. */
  readonly lock: LockFiles | undefined;
  readonly terminology: Terminology;
  /** Files with findings of their own. */
  readonly named: ReadonlySet<string>;
}

export async function blockerFindings(
  call: CommandCall,
  checked: Checked & Named,
): Promise<TargetFinding[]> {
  const { setup, scope, files } = checked;
  const { config } = setup;
  const rootOf = (name: string) => config.projects.find((each) => each.name === name)?.root;
  const found = [...files].flatMap(([project, own]) => [
    ...blockersOnDisk(setup, project, own),
    ...blockersOfService(checked, project),
  ]);
  const damage = [
    ...describeDamage(config.state, 'intact', call.clock.now()),
    ...(await newDamage(config.state)),
  ];
  const all = [
    ...blockersIn(scope, found, rootOf),
    ...damage.map((each): Blocker => ({ kind: 'state-damaged', ...each })),
    ...(await blockersOfGit(config)),
  ];
  return [
    ...all.map((blocker) => findingOf(setup, blocker)),
    ...(await findingsOfState(call, checked)),
  ];
}

async function blockersOfGit(config: Config): Promise<Blocker[]> {
  const operation = operationUnderWay(config.projects.map(({ root }) => root));
  const files = await lostLockFiles(config);
  return [
    ...(operation === undefined || operation === 'index update'
      ? []
      : [{ kind: 'git-unfinished', operation } as const]),
    ...(files.length === 0 ? [] : [{ kind: 'lock-lost', files } as const]),
  ];
}

function blockersOnDisk({ router }: SoundConfig, project: Project, files: ProjectFiles): Blocker[] {
  const { name, source, routes } = project;
  const missing = missingPaths(project, router);
  const routesWithFiles = new Set([...files.routes, ...missing.map(({ route }) => route.index)]);
  const { text, others } = languagesOfLanes(project);
  const onlyTexts = text.filter((language) => !others.includes(language));
  const hasMore = files.lanes.values().some((lane) => !isBoughtByText(lane));
  const languages: Blocker = {
    kind: 'unwritten-language',
    ...{ project: name, source, languages: onlyTexts, lanes: 'documents' },
  };
  return [
    ...missing,
    ...routes
      .filter(({ index }) => !routesWithFiles.has(index))
      .map((route): Blocker => ({ kind: 'empty-route', project: name, route })),
    ...languagesWithoutWriting(project),
    ...(hasMore && onlyTexts.length > 0 ? [languages] : []),
    ...files.empty.map((path): Blocker => ({ kind: 'empty-source', project: name, path })),
    ...files.unreadable
      .map((skipped) => ({ ...skipped, project: name }))
      .filter((file) => isWantedTarget({ router }, file))
      .map(
        ({ path, reason, advice }): Blocker => ({
          kind: 'unreadable',
          ...{ project: name, path, reason },
          ...(advice === undefined ? {} : { advice }),
        }),
      ),
  ];
}

function blockersOfService(
  { setup: { config }, terminology }: Pick<Checked & Named, 'setup' | 'terminology'>,
  project: Project,
): Blocker[] {
  const { service, state } = config;
  const lacking = lackingLanguages(project, {
    capabilities: keptCapabilities({ url: service.url, state }),
    deployment: service.capabilities,
    hasTerms: (language) => projectTerms(terminology, project, language).terms !== undefined,
  });
  return lackingBlockers(project, lacking);
}

export function findingOf(
  setup: Pick<SoundConfig, 'config' | 'faultAt'>,
  blocker: Blocker,
): TargetFinding {
  return {
    ...settingPositionOf(setup, blocker),
    severity: gravityOf(blocker) === 'note' ? 'warn' : 'hold',
    message: sentence(describeBlocker(blocker)),
  };
}

function sentence({ reason, next_step }: BlockerDescription): string {
  return `${reason}; ${next_step}`;
}

type SettingPosition = Pick<TargetFinding, 'file' | 'line' | 'column'>;

/** The setting or the file that a person has to change. */
function settingPositionOf(
  { config, faultAt }: Pick<SoundConfig, 'config' | 'faultAt'>,
  blocker: Blocker,
): SettingPosition {
  const project = 'project' in blocker ? blocker.project : '';
  const own = config.projects.find(({ name }) => name === project);
  const inFile = (file: string) => ({ file, line: 1, column: 1 });
  if ('route' in blocker) {
    const { line = 1, column = 1 } = own?.routes[blocker.route.index] ?? {};
    return { file: config.file, line, column };
  }
  if ('path' in blocker) return inFile(join(own?.root ?? '', blocker.path));
  switch (blocker.kind) {
    case 'unwritten-language':
    case 'lacking-language': {
      const { file, line, column } = faultAt(['projects', project, 'targets'], '');
      return { file, line, column };
    }
    case 'offline':
    case 'disk-full':
      return inFile(own?.root ?? config.file);
    case 'collision':
      return inFile(join(own?.root ?? '', blocker.source));
    case 'terminology-refused':
    case 'terminology-behind':
    case 'terminology-unsent':
      return inFile(join(config.base, blocker.file));
    case 'styles-forbidden':
    case 'config-not-reloaded':
    case 'git-busy':
    case 'git-unfinished':
    case 'paid-work-stopped':
      return inFile(config.file);
    case 'state-new':
    case 'state-damaged':
    case 'limit-near':
      return inFile(config.state);
    case 'lock-lost':
    case 'lock-behind':
    case 'lock-damaged':
      return inFile(config.lock ?? config.file);
  }
}

async function findingsOfState(
  call: CommandCall,
  checked: Checked & Named,
): Promise<TargetFinding[]> {
  const { setup, named } = checked;
  const { config } = setup;
  const lines = await attentionOf(call, checked);
  return lines.flatMap(({ code, project, source, reason, next_step }) => {
    const root = config.projects.find(({ name }) => name === project)?.root;
    const file = source === '*' || root === undefined ? config.file : join(root, source);
    // The parser has said where the file ends.
    if (code === 'incomplete' && named.has(file)) return [];
    const message = shownFrom({ cwd: config.base }, sentence({ reason, next_step }));
    const finding = { file, line: 1, column: 1, severity: 'hold' as const, message };
    if (code === 'lock-behind') return [{ ...finding, file: config.lock ?? file }];
    return code === 'config-not-reloaded' ? [{ ...finding, because: code }] : [finding];
  });
}

/** In a fresh checkout only the lock is asked about: it has no state folder, and `check` makes none. The state of a tree is in its database. */
async function attentionOf(
  call: CommandCall,
  checked: Checked & Pick<Named, 'lock'>,
): Promise<AttentionLine[]> {
  const { setup, scope, isEarlier } = checked;
  const { state, team } = setup.config;
  if (hasLedger(state)) return await attentionOfState(call, setup, scope);
  if (team?.tree === undefined || isEarlier) return await attentionOfLock(call, checked);
  try {
    return await attentionOfState(call, setup, scope);
  } catch (error) {
    const failure = failureOf(error);
    if (failure.kind !== 'team-state') throw error;
    call.terminal.note(`nothing is known of the state of the tree: ${describeFailure(failure)}`);
    return await attentionOfLock(call, checked);
  }
}

async function attentionOfState(
  call: CommandCall,
  setup: SoundConfig,
  scope: Scope,
): Promise<AttentionLine[]> {
  const asked = (control: Control) => control.status(scope);
  const { attention } = await withControl(call, asked, () => recordsForStatus(setup, scope));
  return attention.filter(({ code }) => BY_STATE.has(code));
}

/** Whether a run would have something to write into a lock that cannot be written: the plan of a fresh checkout says it. */
async function attentionOfLock(
  call: CommandCall,
  { setup, scope, lock }: Checked & Pick<Named, 'lock'>,
): Promise<AttentionLine[]> {
  if (lock === undefined) return [];
  if ((await unwritableLocks({ files: lock, inForce: setup })).length === 0) return [];
  const { attention } = await withPassingState(call, setup, (control) => control.status(scope));
  return attention.filter(({ code }) => code === 'lock-behind');
}
