/** `dragoman keys`: manages the developer keys of the account. Needs the admin key. */

import type { Command } from 'commander';
import { inEnglish } from '../language.ts';
import type { DeveloperKey, KeysResource } from '../service/administration.ts';
import type { CallOptions } from '../service/call.ts';
import { type CliCommand, type CommandCall, type GlobalOptions, UsageError } from './command.ts';
import { requireYes } from './consent.ts';
import { withAdministration } from './open-service.ts';
import { type Column, table } from './table.ts';

interface KeysOptions extends GlobalOptions {
  readonly yes?: boolean;
}

export const command: CliCommand<KeysOptions> = {
  describe(command: Command) {
    command
      .argument('<action>', 'list, create, label, limit or deactivate')
      .argument('[values...]', 'what the action needs')
      .option('--yes', 'deactivate without asking')
      .addHelpText(
        'after',
        `
Examples:
  dragoman keys list
  dragoman keys create "build server"
  dragoman keys label KEY_ID "release server"
  dragoman keys limit KEY_ID 500000     characters in a month; 0 allows none, "none" removes the limit
  dragoman keys deactivate KEY_ID       at once; it cannot be undone

Needs service.admin_key in dragoman.yaml, and the main address of the service.`,
      );
  },
  async run(call: CommandCall<KeysOptions>) {
    const act = actionOf(call);
    if (call.args[0] === 'deactivate') {
      const question = `Deactivate ${call.args[1]}? It cannot be activated again.`;
      await requireYes(call, { question, otherwise: 'Nothing was deactivated' });
    }
    const found = await withAdministration(call, ({ keys }, options) => act(keys, options));
    if (call.options.json) call.terminal.json(Array.isArray(found) ? { keys: found } : found);
    else printKeys([found].flat(), call);
    return 0;
  },
};

type KeyAction = (
  keys: KeysResource,
  options: CallOptions,
) => Promise<DeveloperKey | readonly DeveloperKey[]>;

/** @throws UsageError when the action is unknown or lacks a value */
function actionOf({ args }: CommandCall<KeysOptions>): KeyAction {
  const [action, ...values] = args;
  const [key_id, value] = values;
  const needed = (what: string, given: string | undefined): string => {
    if (given === undefined) throw new UsageError(`keys ${action} needs ${what}`);
    return given;
  };
  switch (action) {
    case 'list':
      return (keys, options) => keys.list(options);
    case 'create':
      return (keys, options) => keys.create(key_id === undefined ? {} : { label: key_id }, options);
    case 'label': {
      const [id, label] = [needed('a key id', key_id), needed('a label', value)];
      return (keys, options) => keys.rename(id, label, options);
    }
    case 'limit': {
      const [id, limit] = [needed('a key id', key_id), readLimit(needed('a limit', value))];
      return (keys, options) => keys.limit(id, limit, options);
    }
    case 'deactivate': {
      const id = needed('a key id', key_id);
      return (keys, options) => keys.deactivate(id, options);
    }
  }
  throw new UsageError(`the action is list, create, label, limit or deactivate, not ${action}`);
}

function readLimit(text: string): number | null {
  if (text === 'none') return null;
  if (/^\d+$/.test(text)) return Number(text);
  throw new UsageError(`a limit is a number of characters or "none", not "${text}"`);
}

const COLUMNS: readonly Column<DeveloperKey>[] = [
  { title: 'key', text: ({ key_id }) => key_id },
  { title: 'label', shrink: true, text: ({ label }) => label },
  { title: 'created', text: ({ creation_time }) => creation_time.slice(0, 10) },
  { title: 'limit', align: 'right', text: limitOf },
  { title: 'state', text: ({ is_deactivated }) => (is_deactivated ? 'deactivated' : 'active') },
];

function limitOf({ usage_limits }: DeveloperKey): string {
  const limit = usage_limits?.characters ?? undefined;
  return limit === undefined ? 'none' : inEnglish(limit);
}

function printKeys(keys: readonly DeveloperKey[], { terminal }: CommandCall<KeysOptions>): void {
  for (const line of table(COLUMNS, keys, terminal.columns)) terminal.out(line);
}
