/** A project as the config gives it, for tests of what works on one. */
import { parseConfig } from '../src/config/parse.ts';
import type { Project } from '../src/project.ts';

/** @param settings further lines of the project, indented by four */
export function projectOf(settings = ''): Project {
  const text = `version: 1
service: { url: "http://127.0.0.1:1" }
projects:
  app:
    source: en
    targets: [de, fr]
    routes: [{ from: "{locale}/*.json" }]
${settings}`;
  const { config, faults } = parseConfig(text, { file: '/repo/dragoman.yaml', env: {} });
  const [project] = config?.projects ?? [];
  if (project === undefined) throw new Error(JSON.stringify(faults));
  return project;
}
