import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findStyle, syncStyle } from '../../src/remote/style-sync.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { connect, type Service } from '../../src/service/client.ts';
import type { StyleContent } from '../../src/style/read.ts';
import { describeStyleDiff } from '../../src/style/steps.ts';

let sandbox: Sandbox;
let service: Service;
beforeAll(async () => {
  sandbox = await startSandbox();
  service = connect({ url: sandbox.url, key: sandbox.key });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await sandbox[Symbol.asyncDispose]();
});

function content(change: Partial<StyleContent> = {}): StyleContent {
  return {
    name: `list ${crypto.randomUUID()}`,
    language: 'de',
    configured_rules: {},
    custom_instructions: [{ label: 'Tone', prompt: 'Be brief' }],
    ...change,
  };
}

/** What a ledger would hold of it. */
interface Noted {
  id: string | undefined;
  obsolete: string | undefined;
}

async function sync(wanted: StyleContent, noted: Noted, by: Service = service): Promise<void> {
  if (noted.obsolete !== undefined) {
    await by.styles.remove(noted.obsolete).catch(() => {});
    noted.obsolete = undefined;
  }
  await syncStyle(
    {
      service: by,
      found: async (id) => void Object.assign(noted, { id, obsolete: undefined }),
      replaced: async (id, obsolete) => void Object.assign(noted, { id, obsolete }),
    },
    { content: wanted, id: noted.id },
  );
}

const fresh = (): Noted => ({ id: undefined, obsolete: undefined });

test('a list is found on any page, and two of one name are an error that names both', async () => {
  const wanted = content();
  for (let n = 0; n < 30; n++) await service.styles.create(content());
  const noted = fresh();
  await sync(wanted, noted);
  const again = fresh();
  await sync(wanted, again);
  expect(again.id).toBe(noted.id);
  const other = await service.styles.create(wanted);
  const message = await sync(wanted, fresh()).catch((error: Error) => error.message);
  expect(message).toContain(noted.id);
  expect(message).toContain(other.style_id);
});

test('a list that somebody deleted is made again', async () => {
  const wanted = content();
  const noted = fresh();
  await sync(wanted, noted);
  const { id } = noted;
  await service.styles.remove(id ?? '');
  await sync(wanted, noted);
  expect(noted.id).not.toBe(id);
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
  const noted = fresh();
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

/** A service that dies at its nth call, before or after it was carried out. */
function dyingAfter(calls: number, when: 'before' | 'after'): Service {
  let left = calls;
  const styles = new Proxy(service.styles, {
    get(target, name) {
      const method = Reflect.get(target, name) as (...args: unknown[]) => Promise<unknown>;
      return async (...args: unknown[]) => {
        left -= 1;
        if (left < 0 || (left === 0 && when === 'before')) throw new Error('killed');
        const answer = await method(...args);
        if (left === 0) throw new Error('killed');
        return answer;
      };
    },
  });
  return { ...service, styles };
}

test('from any state, killed at any call and begun again, one list stands, and it is as the file says', async () => {
  await fc.assert(
    fc.asyncProperty(
      list,
      list,
      fc.nat({ max: 6 }),
      fc.constantFrom('before' as const, 'after' as const),
      async (before, after, calls, when) => {
        const name = `list ${crypto.randomUUID()}`;
        const noted = fresh();
        await sync(content({ name, ...before }), noted);
        const wanted = content({ name, ...after });
        await sync(wanted, noted, dyingAfter(calls, when)).catch(() => {});
        await sync(wanted, noted);
        const named = (await service.styles.listDetailed()).filter((each) => each.name === name);
        expect(named.map(({ style_id }) => style_id)).toEqual([noted.id]);
        const found = await findStyle(service, { content: wanted, id: noted.id });
        expect(describeStyleDiff(wanted, found)).toEqual([]);
      },
    ),
    { numRuns: 25 },
  );
});
