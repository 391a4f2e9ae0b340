/** `npm start`: runs the bundled example in a folder of its own, with the embedded sandbox. Needs no key and costs nothing. */
import { join, relative } from 'node:path';
import type { Command } from 'commander';
import { loadConfig } from '../config/load.ts';
import type { SoundConfig } from '../config/parse.ts';
import { type RunReport, RunTally } from '../control/run-report.ts';
import { Daemon } from '../daemon.ts';
import { Events } from '../event.ts';
import { plural } from '../language.ts';
import { controlSocketPath, serveControl } from '../page/control-socket.ts';
import { startSandbox } from '../sandbox/server.ts';
import {
  type CliCommand,
  type CommandCall,
  CommandFailure,
  type ExitCode,
  type GlobalOptions,
} from './command.ts';
import { gravest } from './exit-code.ts';
import { nextStepOf, shownRoots } from './next-step.ts';
import { openPage, showPage } from './open-page.ts';
import { type ProgressOptions, showProgress } from './progress.ts';
import { makeQuickstartFolder } from './quickstart-folder.ts';
import { costOf, runStory } from './quickstart-story.ts';
import { worldOf } from './world.ts';

interface QuickstartOptions extends GlobalOptions {
  readonly once?: boolean;
}

const PACKAGE_FOLDER = join(import.meta.dirname, '..', '..');
const WHOLE_SCOPE = { projects: [], languages: [], paths: [] };

export const command: CliCommand<QuickstartOptions> = {
  endsPaidWork: true,
  endsUnread: true,
  describe(command: Command) {
    command.option('--once', 'end when everything is translated');
  },
  async run(call: CommandCall<QuickstartOptions>) {
    const folder = join(call.cwd, '.quickstart');
    await using sandbox = await startSandbox({});
    const program = [process.execPath, process.argv[1] ?? ''];
    await makeQuickstartFolder({ folder, home: PACKAGE_FOLDER, sandbox, program });
    call.terminal.note(
      `sandbox  ${sandbox.url} (it only imitates translation; nothing leaves this machine)`,
    );
    call.terminal.note(`folder   ${folder}`);
    const setup = await loadConfig(join(folder, 'dragoman.yaml'), { env: call.env });
    if (setup.faults !== undefined) {
      throw new CommandFailure(78, 'the config is refused', { faults: setup.faults });
    }
    const stage: Stage = { call, folder, setup, events: new Events() };
    const code = await show(stage);
    if (call.options.once === true || call.signals.drain.aborted) return code;
    await watch(stage);
    return 0;
  },
};

interface Stage {
  readonly call: CommandCall<QuickstartOptions>;
  readonly folder: string;
  readonly setup: SoundConfig;
  readonly events: Events;
}

async function show(stage: Stage): Promise<ExitCode> {
  const { call, folder } = stage;
  const { terminal, options } = call;
  const first = await oneRun(stage);
  if (options.json) {
    terminal.json(first);
    return exitCodeOf([first]);
  }
  const files = plural(first.delivered, 'file');
  terminal.out(`1. The example is translated: ${files} written, ${costOf([first])}.`);
  const isSound = exitCodeOf([first]) === 0 && !call.signals.drain.aborted;
  if (!isSound) return exitCodeOf([first]);
  const story = await runStory({
    folder,
    say: (line) => terminal.out(line),
    work: () => oneRun(stage),
    keepHuman: ({ file, key }) =>
      oneRun(stage, async ({ answers: { control } }) => {
        await control.resolve({ file, key, languages: [], choice: { kind: 'human' } });
      }),
  });
  terminal.out(`All in all: ${costOf([first, ...story])}. Nothing was bought twice.`);
  printCommands(stage);
  return exitCodeOf([first, ...story.slice(-1)]);
}

/** 1 when a job failed or the first run wrote nothing, 2 when something is held. */
function exitCodeOf(reports: readonly RunReport[]): ExitCode {
  return gravest([
    reports.some(({ failed }) => failed.length > 0) ? 1 : 0,
    reports.some(({ held }) => held.length > 0) ? 2 : 0,
    reports[0]?.delivered === 0 ? 1 : 0,
  ]);
}

async function oneRun(
  stage: Stage,
  before: (daemon: Daemon) => Promise<void> = async () => {},
): Promise<RunReport> {
  const { call, events } = stage;
  using tally = new RunTally(events);
  await using daemon = await openDaemon(stage);
  using _shown = progressOf(stage, daemon, 'run');
  await before(daemon);
  await daemon.workToIdle(WHOLE_SCOPE, call.signals);
  return tally.report(daemon.answers.jobs(WHOLE_SCOPE), daemon.answers.blockers(WHOLE_SCOPE));
}

async function openDaemon({ call, setup, events }: Stage): Promise<Daemon> {
  const daemon = await Daemon.open({ setup, targets: 'follow', world: worldOf(call, events) });
  call.notePaidWork?.(daemon.runner);
  return daemon;
}

function progressOf(
  { call, events }: Stage,
  daemon: Daemon,
  until: ProgressOptions['until'],
): Disposable {
  const advice = nextStepOf(call, daemon);
  const { stderr } = process;
  const rootOf = shownRoots(daemon);
  const progress = showProgress({ ...call, stderr, verbose: true, until, advice, rootOf });
  const stop = events.subscribe(progress);
  return {
    [Symbol.dispose]() {
      stop();
      progress[Symbol.dispose]();
    },
  };
}

/** Watches the folder until Ctrl-C, and answers other commands meanwhile. */
async function watch(stage: Stage): Promise<void> {
  const { call, setup, events } = stage;
  const { terminal, clock } = call;
  printFolders(stage);
  await using daemon = await openDaemon(stage);
  const socket = controlSocketPath(setup.config.state);
  await using _socket = await serveControl(
    socket,
    { control: daemon.answers.control, file: setup.config.file },
    clock,
  );
  await using page = await openPage(call, setup.config, events);
  await using shown = showPage(page, daemon);
  if (shown !== undefined) terminal.out(`  open the page          ${shown.address}`);
  terminal.out('Ctrl-C ends it.');
  using _shown = progressOf(stage, daemon, 'stopped');
  await daemon.run(call.signals);
}

function printCommands({ call: { terminal, cwd }, folder }: Stage): void {
  terminal.out(`Three commands to try in ${relative(cwd, folder)}/:`);
  terminal.out('  ./dragoman status                                      what is done, what waits');
  terminal.out('  ./dragoman explain locales/de/app.json cart.checkout   where a text comes from');
  terminal.out('  ./dragoman usage                                       what it cost');
}

function printFolders({ call: { terminal, cwd }, folder }: Stage): void {
  const at = (path: string) => join(relative(cwd, folder), path);
  terminal.out('Still watching. Try it:');
  terminal.out(
    `  edit or drop a .json   in ${at('locales/en/')}   -> ${at('locales/{de,fr,pt-BR}/')}`,
  );
  terminal.out(
    `  edit or drop .md, .txt in ${at('content/en/')}   -> ${at('content/{de,fr,pt-BR}/')}`,
  );
}
