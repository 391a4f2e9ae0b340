/** What a tree knows of a text belongs to the place of its file: it counts under whatever name the config gives its project. Real processes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHANGES, configOf, FILES, type SomeProject } from '../moved-projects.ts';
import { NO_POSTGRES, openPostgres, type Postgres } from '../postgres.ts';
import { startTree } from '../tree-rig.ts';

type Projects = Record<string, SomeProject>;

/** The same config of a daemon with other projects. */
const withProjects = (projects: Projects, lock: string) => (yaml: string) => {
  const own = configOf(projects).replace('lock: dragoman.lock\n', '');
  const [head = ''] = yaml.replace('lock: dragoman.lock\n', lock).split(/^defaults:|^projects:/m);
  return `${head}${own}`;
};

describe.skipIf(NO_POSTGRES !== undefined)('projects that change in a tree', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await openPostgres();
  });
  afterAll(async () => await postgres[Symbol.asyncDispose]());

  describe.each(['lock: dragoman.lock\n', ''])('%j', (lock) => {
    test.each(CHANGES)('%s', async (...changed) => {
      const [, before, after] = changed;
      const { team, member, configure } = await startTree(postgres, { files: 0 });
      await using _team = team;
      for (const [path, content] of Object.entries(FILES)) member.write(path, content);
      member.write('zzz/en/none', '');
      let whole = '';
      const config = await configure((yaml) => {
        whole = yaml;
        return withProjects(before, lock)(yaml);
      });
      const ends = async (...commands: readonly string[]) => {
        const found: Record<string, unknown> = {};
        for (const each of commands) {
          const [command = '', ...args] = each.split(' ');
          const { code } = await member.run(command, {}, ...args, '--config', config);
          found[each] = code;
        }
        return found;
      };
      expect(await ends('once')).toEqual({ once: 0 });
      member.write('app/de/c.json', '{"three":"Drei Wörter von Hand"}\n');
      expect(await ends('once')).toEqual({ once: 0 });
      const paid = await team.account();
      member.write(config, withProjects(after, lock)(whole));
      expect.soft(await ends('plan', 'check', 'once --frozen', 'once')).toEqual({
        ...{ plan: 0, check: 0, 'once --frozen': 0, once: 0 },
      });
      expect.soft(await team.account()).toEqual(paid);
      const files = Object.keys(after).map((name) => `dragoman.lock/${name}/de`);
      for (const file of lock === '' ? [] : files) {
        expect.soft(member.read(file)).toMatch(/^\S{6} \S+ \S+ [mh]$/m);
      }
      member.write('web/en/a.json', '{"hello":"Hello changed"}\n');
      member.write('app/en/c.json', '{"three":"Four other words"}\n');
      expect
        .soft(await ends('plan', 'once --frozen', 'once'))
        .toEqual({ plan: 2, 'once --frozen': 1, once: 2 });
      expect(member.read('app/de/c.json')).toContain('von Hand');
      expect(member.read('web/de/a.json')).not.toContain('Ħḗŀŀǿ"');
    });
  });
});
