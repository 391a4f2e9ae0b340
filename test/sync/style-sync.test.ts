import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/server.ts';
import { connect, type Service } from '../../src/service/client.ts';
import { findStyle, syncStyle } from '../../src/sync/style-sync.ts';
import type { StyleContent } from '../../src/terminology/style-read.ts';
import { describeStyleDiff } from '../../src/terminology/style-steps.ts';
import { dying, Noted, remote } from './rig.ts';

const there = remote();

function content(change: Partial<StyleContent> = {}): StyleContent {
  return {
    name: `list ${crypto.randomUUID()}`,
    language: 'de',
    configured_rules: {},
    custom_instructions: [{ label: 'Tone', prompt: 'Be brief' }],
    ...change,
  };
}

async function sync(
  wanted: StyleContent,
  log: Noted,
  service: Service = there.service,
): Promise<void> {
  await syncStyle({ service, log }, wanted);
}

test('a list is found on any page, and two of one name are an error that names both', async () => {
  const wanted = content();
  for (let n = 0; n < 30; n++) await there.service.styles.create(content());
  const noted = new Noted();
  await sync(wanted, noted);
  const again = new Noted();
  await sync(wanted, again);
  expect(again.id).toBe(noted.id);
  const other = await there.service.styles.create(wanted);
  const message = await sync(wanted, new Noted()).catch((error: Error) => error.message);
  expect(message).toContain(noted.id);
  expect(message).toContain(other.style_id);
});

test('a list that was deleted on the service is created again', async () => {
  const wanted = content();
  const noted = new Noted();
  await sync(wanted, noted);
  const { id } = noted;
  await there.service.styles.remove(id ?? '');
  await sync(wanted, noted);
  expect(noted.id).not.toBe(id);
});

test('lists of two languages may have one name, and each stays its own', async () => {
  const german = content();
  const french = content({ name: german.name, language: 'fr' });
  const log = { german: new Noted(), french: new Noted() };
  await sync(german, log.german);
  await sync(french, log.french);
  const named = (await there.service.styles.listDetailed()).filter(
    ({ name }) => name === german.name,
  );
  expect(named.map(({ style_id, language }) => ({ style_id, language }))).toEqual([
    { style_id: log.german.id, language: 'de' },
    { style_id: log.french.id, language: 'fr' },
  ]);
});

test('a deployment that can edits an instruction in place, and the list keeps its id', async () => {
  await using deployed = await startSandbox({ dialect: 'deployed' });
  await using client = connect({
    url: deployed.url,
    key: deployed.key,
    dialect: 'deployed',
    capabilities: ['instruction_edit'],
  });
  const wanted = content();
  const noted = new Noted();
  await sync(wanted, noted, client);
  const { id } = noted;
  const instructions = [{ label: 'Tone', prompt: 'Be very brief' }];
  await sync({ ...wanted, custom_instructions: instructions }, noted, client);
  expect(noted.id).toBe(id);
  const [list] = await client.styles.listDetailed();
  expect(list?.custom_instructions).toMatchObject(instructions);
});

const instruction = fc.record({
  label: fc.constantFrom('a', 'b', 'c'),
  prompt: fc.constantFrom('x', 'y'),
});
const list = fc.record({
  configured_rules: fc.constantFrom(
    {},
    { punctuation: { apostrophe: 'use_straight_apostrophes' } },
    { punctuation: { apostrophe: 'use_curly_apostrophes' } },
  ),
  custom_instructions: fc.array(instruction, { maxLength: 3 }),
});

test('from any state, killed at any call and started again, a sync ends with one list that equals the file', async () => {
  await fc.assert(
    fc.asyncProperty(
      list,
      list,
      fc.nat({ max: 6 }),
      fc.constantFrom('before' as const, 'after' as const),
      async (before, after, calls, when) => {
        const name = `list ${crypto.randomUUID()}`;
        const noted = new Noted();
        await sync(content({ name, ...before }), noted);
        const wanted = content({ name, ...after });
        await sync(wanted, noted, dying(there.service, { calls, when })).catch(() => {});
        await sync(wanted, noted);
        const named = (await there.service.styles.listDetailed()).filter(
          (each) => each.name === name,
        );
        expect(named.map(({ style_id }) => style_id)).toEqual([noted.id]);
        const found = await findStyle(there.service, { content: wanted, id: noted.id });
        expect(describeStyleDiff(wanted, found)).toEqual([]);
      },
    ),
    { numRuns: 25 },
  );
});
