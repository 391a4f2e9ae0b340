/** Developer keys: created, listed, renamed, limited and permanently deactivated with the admin key. */
import { isoTime } from '../clock.ts';
import { readJson } from './body.ts';
import type { Fields } from './fields.ts';
import type { ApiKey } from './keyring.ts';
import { notFound, Refusal } from './refusal.ts';
import {
  jsonReply,
  type KeyCall,
  type Resource,
  type ResourceRoute,
  type SandboxWorld,
} from './resource.ts';

export const admin: Resource = (world) => [
  {
    method: 'POST',
    path: '/v2/admin/developer-keys',
    access: 'admin',
    async answer(call) {
      const fields = await readJson(call);
      const label = fields.text('label') ?? DEFAULT_LABEL;
      fields.refuseUnknown(world.dialect);
      refuseTooManyKeys(world, call);
      const made = keyShape(world.keyring.issue({ account: call.key.account, label }));
      return jsonReply(made, world.dialect === 'deployed' ? 200 : 201);
    },
  },
  {
    method: 'GET',
    path: '/v2/admin/developer-keys',
    access: 'admin',
    answer: (call) => jsonReply(developerKeys(call).map(keyShape)),
  },
  change(world, 'deactivate', () => (key) => {
    key.deactivated_time ??= isoTime(world.clock);
  }),
  change(world, 'label', (fields) => {
    const label = fields.requiredText('label');
    return (key) => {
      key.label = label;
    };
  }),
  change(world, 'limits', (fields) => {
    const limit = readLimit(fields);
    return (key) => {
      key.limit = limit;
    };
  }),
];

const DEFAULT_LABEL = 'DeveloperKey';

/** A PUT that names a key. @param read checks the other fields before the key is looked up */
function change(
  world: SandboxWorld,
  what: string,
  read: (fields: Fields) => (key: ApiKey) => void,
): ResourceRoute {
  return {
    method: 'PUT',
    path: `/v2/admin/developer-keys/${what}`,
    access: 'admin',
    async answer(call) {
      const fields = await readJson(call);
      const id = fields.requiredText('key_id');
      const apply = read(fields);
      fields.refuseUnknown(world.dialect);
      const key = developerKeys(call).find((each) => each.key_id === id);
      if (key === undefined) throw notFound('Developer key');
      apply(key);
      return jsonReply(keyShape(key));
    },
  };
}

function developerKeys(call: KeyCall): readonly ApiKey[] {
  return call.key.account.keys.filter((key) => key.role === 'developer');
}

function refuseTooManyKeys(world: SandboxWorld, call: KeyCall): void {
  const { developer_keys: most } = world.limits;
  const active = developerKeys(call).filter((key) => key.deactivated_time === undefined);
  if (active.length < most) return;
  throw new Refusal(400, `Bad request. The account already has ${most} active developer keys.`);
}

/** null removes the limit; 0 means that the key may use nothing. */
function readLimit(fields: Fields): number | null {
  if (fields.isNull('characters')) return null;
  const characters = fields.integer('characters', { min: 0, max: Number.MAX_SAFE_INTEGER });
  if (characters === undefined) throw fields.bad('characters', 'is required: an integer or null');
  return characters;
}

function keyShape(key: ApiKey): unknown {
  return {
    key_id: key.key_id,
    label: key.label,
    creation_time: key.creation_time,
    is_deactivated: key.deactivated_time !== undefined,
    ...(key.deactivated_time !== undefined && { deactivated_time: key.deactivated_time }),
    usage_limits: { characters: key.limit },
  };
}
