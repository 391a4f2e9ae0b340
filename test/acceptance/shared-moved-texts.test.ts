/** Texts that move from one file to another where the state is in a team's database: the translations of people come along. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NO_POSTGRES, openPostgres, type Postgres } from '../postgres.ts';
import { type Member, Team } from '../shared-team.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const json = (texts: Readonly<Record<string, string>>) => `${JSON.stringify(texts, null, 2)}\n`;

const FILES = {
  'en/common.json': json({ open: 'Open the door', save: 'Save it' }),
  'de/common.json': json({ open: 'Türe aufmachen', save: 'Sichern' }),
  'en/dialog.json': json({ close: 'Close' }),
  'de/dialog.json': json({ close: 'Zumachen' }),
};
const WITHOUT = json({ save: 'Save it' });
const gaining = (path: string) => ({
  [path]: json({ close: 'Close', open: 'Open the door' }),
});
const MOVED = { close: 'Zumachen', open: 'Türe aufmachen' };

describe.skipIf(NO_POSTGRES !== undefined)('texts that move, with a state in a database', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await openPostgres();
  });
  afterAll(async () => await postgres[Symbol.asyncDispose]());

  const write = (member: Member, files: Readonly<Record<string, string>>) => {
    for (const [path, content] of Object.entries(files)) member.write(path, content);
  };

  test.each(['', ', tree: website'])(
    'in one run or in two, nothing is bought, with the state in {url%s}',
    async (tree) => {
      await using team = await Team.start(postgres, { members: 1, texts: 0, files: FILES });
      const [member] = team.members as [Member];
      if (tree !== '') await postgres.queues(team.schema, 'website');
      const enter = async () => {
        const folder = await temporaryFolder();
        const state = `, folder: "${folder}", key: { env: STATE_KEY }${tree}`;
        member.configure(team.schema, '', { state });
      };
      await enter();
      expect(await member.once()).toMatchObject({ code: 0, billed_characters: 0 });
      write(member, { 'en/common.json': WITHOUT, ...gaining('en/dialog.json') });
      expect(await member.once()).toMatchObject({ code: 0, billed_characters: 0 });
      expect(JSON.parse(member.read('de/dialog.json'))).toEqual(MOVED);
      // Back, in two runs.
      write(member, { 'en/dialog.json': FILES['en/dialog.json'] });
      expect(await member.once()).toMatchObject({ code: 0, billed_characters: 0 });
      if (tree !== '') await enter();
      write(member, { 'en/common.json': FILES['en/common.json'] });
      expect(await member.once()).toMatchObject({ code: 0, billed_characters: 0 });
      expect(JSON.parse(member.read('de/common.json'))).toEqual(
        JSON.parse(FILES['de/common.json']),
      );
    },
  );
});
