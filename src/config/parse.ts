/** `dragoman.yaml` -> `Config`, or everything that is wrong with it. Pure. */
import { dirname, resolve } from 'node:path';
import { type Config, HeadSettings, ProjectName } from '../config.ts';
import { type Project, ProjectHead, type Route, RouteSettings } from '../project.ts';
import { buildRouter, type Router } from '../routes/router.ts';
import type { SettingPath } from '../setting.ts';
import { type Capabilities, DOCUMENTED } from './capabilities.ts';
import { type Fault, sortFaults } from './fault.ts';
import { checkLanguages } from './language-checks.ts';
import { DEFAULT_POLICIES, overridePolicies } from './policies.ts';
import { resolveHead, stateFolderOf } from './resolve-head.ts';
import { resolveProject } from './resolve-project.ts';
import { resolveRoute } from './resolve-route.ts';
import { checkDefaultReview, checkReview } from './review-checks.ts';
import { glossaryClash, idleModel } from './rule-checks.ts';
import { checkReach } from './rule-reach.ts';
import { isRecord, MISSING, type Report, readShape } from './shape.ts';
import { type Environment, substituteVariables } from './variables.ts';
import { YamlText } from './yaml-text.ts';

export interface ParseOptions {
  /** Absolute path of the file, for messages. Relative paths in the config start at its folder. */
  readonly file: string;
  /** The values of `${VAR}`. */
  readonly env: Environment;
  /** Version of this program, for `requires`. Absent: `requires` is not checked. */
  readonly version?: string;
  /** The known capabilities of a service. Absent: those that are documented. */
  readonly capabilitiesOf?: (service: AskedService) => Capabilities;
}

/** A service, by its address, and the state folder (absolute) that keeps its answers. */
export interface AskedService {
  readonly url: string;
  readonly state: string;
}

export interface SoundConfig {
  /** The text that it was parsed from. */
  readonly text: string;
  readonly config: Config;
  readonly router: Router;
  /** Makes a fault that is found later; its place is that of the setting. */
  readonly faultAt: (setting: SettingPath, message: string) => Fault;
  /** Settings that are allowed and have no effect. */
  readonly warnings: readonly Fault[];
  /** The faults of this config for a service with exactly these capabilities. */
  readonly judge: (capabilities: Capabilities) => readonly Fault[];
  readonly faults?: never;
}

export interface RefusedConfig {
  readonly faults: readonly Fault[];
  /** Absolute path of the state folder, for a daemon that goes on with the earlier config. */
  readonly state: string;
  readonly config?: never;
}

export type ParsedConfig = SoundConfig | RefusedConfig;

/** Parses a config. Never throws for its content; returns all faults at once, by line. */
export function parseConfig(text: string, options: ParseOptions): ParsedConfig {
  const yaml = new YamlText(text, {
    file: options.file,
    rewrite: (value, fault) => substituteVariables(value, { env: options.env, fault }),
  });
  if (yaml.data === undefined || yaml.data === null) {
    const faults = yaml.faults.length > 0 ? yaml.faults : [yaml.fault([], 'the file is empty')];
    return { faults: sortFaults(faults), state: stateFolderFrom(yaml.data, options.file) };
  }
  const parsed = new ConfigReader(yaml, options).read();
  if (parsed.faults !== undefined) return parsed;
  const judge: SoundConfig['judge'] = (capabilities) =>
    new ConfigReader(yaml, { ...options, capabilitiesOf: () => capabilities }).read().faults ?? [];
  return { ...parsed, text, judge };
}

/** Reads head, projects and routes one by one: a fault in one does not hide the faults of the others. */
class ConfigReader {
  readonly #yaml: YamlText;
  readonly #file: string;
  readonly #capabilitiesOf: (service: AskedService) => Capabilities;
  #capabilities: Capabilities = DOCUMENTED;
  /** Settings of each project before they are resolved, by name. */
  readonly #heads = new Map<string, ProjectHead>();
  readonly #faults: Fault[];
  readonly #version: string | undefined;
  readonly #env: Environment;

  constructor(yaml: YamlText, { file, capabilitiesOf, version, env }: ParseOptions) {
    this.#env = env;
    this.#version = version;
    this.#capabilitiesOf = capabilitiesOf ?? (() => DOCUMENTED);
    this.#yaml = yaml;
    this.#file = file;
    this.#faults = [...yaml.faults];
  }

  read(): Omit<SoundConfig, 'judge' | 'text'> | RefusedConfig {
    const { data } = this.#yaml;
    const report = this.#report([]);
    const { projects: named, ...rest } = isRecord(data) ? data : { projects: undefined };
    const head = readShape(HeadSettings, {
      data: isRecord(data) ? rest : data,
      report,
      besides: ['projects'],
    });
    if (!isRecord(data)) return this.#refused();
    const state = stateFolderFrom(data, this.#file);
    const url = head?.service.url ?? '';
    this.#capabilities = this.#capabilitiesOf({ url, state });
    checkDefaultReview(head?.defaults ?? {}, this.#report(['defaults']));
    const projects = this.#projects(named, head);
    const routing = buildRouter({ projects, state });
    for (const fault of routing.faults ?? []) report(fault.setting, fault.message);
    for (const [index, project] of projects.entries()) {
      if (routing.faults === undefined) this.#checkWhole(project, head);
      const clash = glossaryClash(project, projects.slice(0, index));
      if (clash !== undefined) report(['projects', project.name, 'glossary', 'name'], clash);
    }
    const tooOld = head?.requires && unmet(head.requires, this.#version);
    if (tooOld) report(['requires'], tooOld);
    const isStateFaulty = this.#faults.some(({ path }) => /^state(\.|$)/.test(path));
    const context = { file: this.#file, projects, report, env: this.#env, isStateFaulty };
    const config = head && resolveHead(head, context);
    if (config === undefined || routing.faults || this.#faults.length > 0) return this.#refused();
    const faultAt: SoundConfig['faultAt'] = (setting, message) =>
      this.#yaml.fault(setting, message);
    const warnings = [...this.#heads].flatMap(([name, settings]) =>
      idleModel(settings).map((message) => faultAt(['projects', name, 'model'], message)),
    );
    return { config, router: routing.router, faultAt, warnings };
  }

  #refused(): RefusedConfig {
    const state = stateFolderFrom(this.#yaml.data, this.#file);
    return { faults: sortFaults(this.#faults), state };
  }

  #report(base: SettingPath): Report {
    return (path, message, anchor) => {
      const fault = this.#yaml.fault([...base, ...path], message, anchor);
      // A setting with a fault was left out before; that it is missing now is not a second fault.
      const known = this.#faults.some((other) => other.path === fault.path);
      if (!known || message !== MISSING) this.#faults.push(fault);
    };
  }

  #projects(data: unknown, head: HeadSettings | undefined): Project[] {
    const report = this.#report(['projects']);
    if (!isRecord(data)) {
      report([], data === undefined ? MISSING : 'expected settings: the projects by name');
      return [];
    }
    const names = Object.keys(data);
    if (names.length === 0) report([], 'names no project');
    return names.flatMap((name) => {
      const allowed = ProjectName.safeParse(name);
      if (!allowed.success) report([name], allowed.error.issues[0]?.message ?? '', 'name');
      return this.#project(name, { data: data[name], head }) ?? [];
    });
  }

  #project(
    name: string,
    { data, head }: { data: unknown; head: HeadSettings | undefined },
  ): Project | undefined {
    const report = this.#report(['projects', name]);
    const { routes, ...rest } = isRecord(data) ? data : { routes: undefined };
    const settings = readShape(ProjectHead, {
      data: isRecord(data) ? rest : data,
      report,
      besides: ['routes'],
    });
    if (!isRecord(data)) return undefined;
    const project =
      settings &&
      resolveProject(settings, {
        name,
        base: dirname(this.#file),
        defaults: overridePolicies(DEFAULT_POLICIES, head?.defaults ?? {}),
        onExceed: head?.budget.onExceed ?? 'hold',
        capabilities: this.#capabilities,
        report,
      });
    const policies = project?.policies ?? DEFAULT_POLICIES;
    const found = this.#routes(routes, { path: ['projects', name, 'routes'], policies });
    if (settings === undefined || project === undefined) return undefined;
    this.#heads.set(name, settings);
    return { ...project, routes: found };
  }

  /** The checks that need all routes of a project. */
  #checkWhole(project: Project, head: HeadSettings | undefined): void {
    const report = this.#report(['projects', project.name]);
    const settings = this.#heads.get(project.name);
    const deployment = head?.service.capabilities ?? [];
    checkLanguages(project, { capabilities: this.#capabilities, deployment }, report);
    const capabilities = new Set<string>(deployment);
    if (settings === undefined) return;
    checkReach({ head: settings, project, capabilities, report });
    checkReview({ project, settings, head, report });
  }

  #routes(
    data: unknown,
    { path, policies }: { path: SettingPath; policies: Route['policies'] },
  ): Route[] {
    if (!Array.isArray(data) || data.length === 0) {
      this.#report(path)([], data === undefined ? MISSING : 'expected a list of routes');
      return [];
    }
    return data.flatMap((item: unknown, index) => {
      const report = this.#report([...path, index]);
      const settings = readShape(RouteSettings, { data: item, report });
      if (settings === undefined) return [];
      const position = this.#yaml.position([...path, index]);
      return resolveRoute(settings, { index, position, policies, report });
    });
  }
}

/** The message when this version is older than the config requires; else undefined. */
function unmet(range: string, version: string | undefined): string | undefined {
  if (version === undefined) return undefined;
  const numbers = (text: string) => (text.match(/\d+/g) ?? []).map(Number);
  const [wanted, present] = [numbers(range), numbers(version)];
  const at = wanted.findIndex((number, index) => number !== (present[index] ?? 0));
  const isOlder = at >= 0 && (present[at] ?? 0) < (wanted[at] ?? 0);
  return isOlder ? `this is dragoman ${version}, and the config wants ${range}` : undefined;
}

/** The state folder of the file (absolute), also when other settings have faults. */
function stateFolderFrom(data: unknown, file: string): string {
  const state = isRecord(data) ? data['state'] : undefined;
  return resolve(dirname(file), stateFolderOf(state));
}
