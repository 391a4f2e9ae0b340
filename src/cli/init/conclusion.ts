/** Prints the result of `init`: the written config and the next steps. */
import { join } from 'node:path';
import { readAtOnce } from '../../files/read-file.ts';
import type { CommandCall } from '../command.ts';
import { type FirstConfig, SANDBOX_URL } from './first-config.ts';
import type { ProposedProject } from './proposal.ts';

export function concludeInit(
  { cwd, terminal, options }: CommandCall,
  { file, config }: { file: string; config: FirstConfig },
): void {
  const { projects, suggestions, notes, lock } = config;
  if (options.json === true) terminal.json(asData(file, config));
  else {
    terminal.out(`Wrote ${file}`);
    for (const { name, source, targets, routes, leftOut } of projects) {
      terminal.out(`${name}: ${source} into ${targets.join(', ')}`);
      for (const { layout, route } of routes) terminal.out(`  ${route.from}   (${layout})`);
      for (const [reason, codes] of Map.groupBy(leftOut, ([, why]) => why)) {
        terminal.out(`  left out: ${codes.map(([code]) => code).join(', ')}: ${reason}`);
      }
    }
    for (const { route, reason, price } of suggestions) {
      terminal.out(`not taken: ${route.from}: ${reason}; ${price}`);
    }
  }
  for (const note of notes) terminal.note(note);
  if (lock !== undefined) {
    terminal.note(
      `Commit ${lock}/ with the translations: it shows every checkout what is translated and what a person wrote.`,
    );
  }
  if (!ignoresState(cwd))
    terminal.note('Add ".dragoman/" to .gitignore: the state is only for this checkout.');
  terminal.note(
    config.url === SANDBOX_URL
      ? 'The address is that of the sandbox: "dragoman sandbox --port 8080" starts it and prints its key; --url sets the address of the service.'
      : `Texts will go to ${config.url}.`,
  );
  terminal.note('Next: set DRAGOMAN_KEY, then "dragoman check" and "dragoman plan".');
}

function asData(file: string, { projects, suggestions, notes, lock }: FirstConfig): object {
  const [first] = projects;
  const routesOf = (project: ProposedProject) =>
    project.routes.map(({ route, layout }) => ({ ...route, layout }));
  return {
    file,
    source: first?.source,
    targets: first?.targets,
    routes: projects.flatMap(routesOf),
    lock: lock ?? null,
    projects: projects.map((project) => ({
      name: project.name,
      source: project.source,
      targets: project.targets,
      routes: routesOf(project),
      left_out: Object.fromEntries(project.leftOut),
    })),
    not_taken: suggestions.map(({ route, layout, reason, price }) => ({
      ...route,
      layout,
      reason,
      price,
    })),
    notes,
  };
}

/** Bytes of a `.gitignore`. */
const MOST_IGNORED_BYTES = 1024 * 1024;

function ignoresState(folder: string): boolean {
  try {
    return /^\/?\.dragoman\/?$/m.test(
      readAtOnce(join(folder, '.gitignore'), MOST_IGNORED_BYTES).toString('utf8'),
    );
  } catch {
    return false;
  }
}
