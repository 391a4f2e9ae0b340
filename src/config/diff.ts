/** Compares two configs, for the log line of a reload. Pure. */
import { isDeepStrictEqual } from 'node:util';
import type { Config } from '../config.ts';
import { isRecord } from './shape.ts';

/** @returns names of the settings that differ, such as `service.concurrency` or `projects.docs.routes`; no values. */
export function diffConfig(before: Config, after: Config): string[] {
  const { projects: old, ...head } = before;
  const { projects: now, ...newHead } = after;
  const projects = differences(byName(old), byName(now)).flatMap((name) => {
    const [was, is] = [byName(old)[name], byName(now)[name]];
    if (was === undefined) return [`projects.${name} (new)`];
    if (is === undefined) return [`projects.${name} (gone)`];
    return differences(was, is).map((setting) => `projects.${name}.${setting}`);
  });
  return [
    ...differences(head, newHead).flatMap((name) => changesBelow(name, { head, newHead })),
    ...projects,
  ];
}

type SettingsByName = Readonly<Record<string, unknown>>;

function byName(projects: Config['projects']): Record<string, SettingsByName> {
  return Object.fromEntries(
    projects.map(({ routes, ...project }) => [
      project.name,
      // The line and column of a route do not change what it does.
      { ...project, routes: routes.map(({ line, column, ...route }) => route) },
    ]),
  );
}

function differences(before: object, after: object): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const value = (of: object, name: string): unknown => (of as SettingsByName)[name];
  return [...names].filter((name) => !isDeepStrictEqual(value(before, name), value(after, name)));
}

function changesBelow(
  name: string,
  { head, newHead }: { head: object; newHead: object },
): string[] {
  const [was, is] = [(head as SettingsByName)[name], (newHead as SettingsByName)[name]];
  if (!isRecord(was) || !isRecord(is)) return [name];
  return differences(was, is).map((inner) => `${name}.${inner}`);
}
