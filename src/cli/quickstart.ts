/** `npm start`: the bundled example in a folder of its own, against the embedded sandbox. No key, no money. */

import { cp, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Command } from 'commander';
import { loadConfig } from '../config/load.ts';
import { RunTally } from '../control/run-report.ts';
import { Daemon } from '../daemon.ts';
import { Events } from '../event.ts';
import { plural } from '../language.ts';
import { startSandbox } from '../sandbox/server.ts';
import {
  type Call,
  type CliCommand,
  CommandFailure,
  type ExitCode,
  type GlobalOptions,
} from './command.ts';
import { gravest } from './exit-code.ts';
import { openPage } from './open-page.ts';
import { showProgress } from './progress.ts';
import { worldOf } from './world.ts';

interface QuickstartOptions extends GlobalOptions {
  readonly once?: boolean;
}

const PACKAGE = join(import.meta.dirname, '..', '..');
const EVERYTHING = { projects: [], languages: [], paths: [] };

export const command: CliCommand<QuickstartOptions> = {
  describe(command: Command) {
    command.option('--once', 'end when everything is translated');
  },
  async run(call: Call<QuickstartOptions>) {
    const folder = await copyExample(call);
    await using sandbox = await startSandbox({});
    call.terminal.note(
      `sandbox  ${sandbox.url} (pretends to translate; nothing leaves this machine)`,
    );
    call.terminal.note(`folder   ${folder}`);
    const env = { ...call.env, DRAGOMAN_URL: sandbox.url, DRAGOMAN_KEY: sandbox.key };
    const setup = await loadConfig(join(folder, 'dragoman.yaml'), { env });
    if (setup.faults !== undefined) {
      throw new CommandFailure(78, 'the config is refused', { faults: setup.faults });
    }
    const events = new Events();
    using progress = showProgress({ ...call, stderr: process.stderr, verbose: true });
    events.subscribe(progress);
    const open = () =>
      Daemon.open({ setup, targets: 'follow', world: worldOf({ ...call, env }, events) });
    const code = await firstRun(call, open, events);
    if (call.options.once === true || call.signals.drain.aborted) return code;
    explainFolders(call, folder);
    await using daemon = await open();
    await using page = await openPage(call, { daemon, events });
    if (page !== undefined) call.terminal.out(`  look at it             ${page.address}`);
    call.terminal.out('Ctrl-C ends it.');
    await daemon.run(call.signals);
    return 0;
  },
};

async function copyExample({ cwd }: Call<QuickstartOptions>): Promise<string> {
  const folder = join(cwd, '.quickstart');
  await rm(folder, { recursive: true, force: true });
  await cp(join(PACKAGE, 'examples', 'quickstart'), folder, { recursive: true });
  return folder;
}

async function firstRun(
  call: Call<QuickstartOptions>,
  open: () => Promise<Daemon>,
  events: Events,
): Promise<ExitCode> {
  using tally = new RunTally(events);
  await using daemon = await open();
  await daemon.workToIdle(EVERYTHING, call.signals);
  const report = tally.report(daemon.jobs(EVERYTHING), daemon.blockers(EVERYTHING));
  if (call.options.json) call.terminal.json(report);
  else {
    call.terminal.out(
      `${plural(report.delivered, 'file')} written, ${plural(report.billed_characters, 'character')} billed in ${plural(report.requests, 'request')}`,
    );
  }
  return gravest([
    report.failed.length > 0 ? 1 : 0,
    report.held.length > 0 ? 2 : 0,
    report.delivered === 0 ? 1 : 0,
  ]);
}

function explainFolders({ terminal, cwd }: Call<QuickstartOptions>, folder: string): void {
  const at = (path: string) => join(relative(cwd, folder), path);
  terminal.out('Still watching. Try it:');
  terminal.out(
    `  edit or drop a .json   in ${at('locales/en/')}   -> ${at('locales/{de,fr,pt-BR}/')}`,
  );
  terminal.out(
    `  edit or drop .md, .txt in ${at('content/en/')}   -> ${at('content/{de,fr,pt-BR}/')}`,
  );
}
