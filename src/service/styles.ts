/** Style rule lists, paid plan only (API document, "Style rule list" and "Style rules (paid plan)"). */
import { z } from 'zod';
import { JobFailure } from '../failure.ts';
import { jsonOf, noContent } from './answer.ts';
import type { Ask, Call, CallOptions } from './call.ts';
import { allPages, PAGE_RULES, type Page } from './paging.ts';
import { requireRules } from './rule.ts';
import {
  type ConfiguredRules,
  INSTRUCTION_RULES,
  type InstructionInput,
  NAME_RULE,
  STYLE_RULES,
  type StyleInput,
} from './style-rules.ts';

export type { InstructionInput, StyleInput } from './style-rules.ts';

const Instruction = z.object({
  id: z.string().min(1),
  label: z.string(),
  prompt: z.string(),
  source_language: z.string().nullish(),
});
export type Instruction = z.infer<typeof Instruction>;

const StyleSummary = z.object({
  style_id: z.string().min(1),
  name: z.string(),
  creation_time: z.string(),
  updated_time: z.string(),
  language: z.string(),
  version: z.int(),
});
/** `version` starts at 1 and rises with every change. */
export type StyleSummary = z.infer<typeof StyleSummary>;

const Style = StyleSummary.extend({
  configured_rules: z.record(z.string(), z.record(z.string(), z.string())).default({}),
  custom_instructions: z.array(Instruction).default([]),
});
export type Style = z.infer<typeof Style>;

export interface StylesResource {
  /** @throws JobFailure `unanswered` when the answer was lost: list before making it again */
  create(style: StyleInput, options?: CallOptions): Promise<Style>;
  /** One page, without the rules. */
  list(page: Page, options?: CallOptions): Promise<readonly StyleSummary[]>;
  /** All lists with their rules, page by page. */
  listDetailed(options?: CallOptions): Promise<readonly Style[]>;
  get(style_id: string, options?: CallOptions): Promise<Style>;
  rename(style_id: string, name: string, options?: CallOptions): Promise<Style>;
  /** Replaces all configured rules; the custom instructions stay. */
  replaceRules(style_id: string, rules: ConfiguredRules, options?: CallOptions): Promise<Style>;
  /** Irreversible. @throws JobFailure `not-found` when there is no such list */
  remove(style_id: string, options?: CallOptions): Promise<void>;
  /** Adds an instruction and reads the list again: what the POST answers differs between deployments. */
  addInstruction(
    style_id: string,
    instruction: InstructionInput,
    options?: CallOptions,
  ): Promise<Style>;
  /** The three below exist only where the capability `instruction_edit` is configured. */
  getInstruction(at: InstructionAddress, options?: CallOptions): Promise<Instruction>;
  updateInstruction(
    at: InstructionAddress,
    instruction: InstructionInput,
    options?: CallOptions,
  ): Promise<Style>;
  removeInstruction(at: InstructionAddress, options?: CallOptions): Promise<void>;
}

export interface InstructionAddress {
  readonly style_id: string;
  readonly id: string;
}

const readStyle = jsonOf(Style);
const readSummaries = jsonOf(z.object({ style_rules: z.array(StyleSummary) }));
const readStyles = jsonOf(z.object({ style_rules: z.array(Style) }));
const readInstruction = jsonOf(Instruction);
const LISTS = 'GET /v3/style_rules';
const ONE_INSTRUCTION = '/v3/style_rules/{style_id}/custom_instructions/{id}';

type PlainCall<T> = Omit<Call<T>, 'traffic' | 'repeat'>;

export function stylesResource(ask: Ask, edits: 'accepted' | 'unknown'): StylesResource {
  const call = <T>(one: PlainCall<T>, options?: CallOptions): Promise<T> =>
    ask<T>({ ...one, traffic: 'glossaries', repeat: 'safe' }, options);
  const post = <T>(one: PlainCall<T>, options?: CallOptions): Promise<T> =>
    ask<T>({ ...one, traffic: 'glossaries', repeat: 'once' }, options);
  const get: StylesResource['get'] = (style_id, options) =>
    call({ operation: `${LISTS}/{style_id}`, params: { style_id }, read: readStyle }, options);
  return {
    async create(style, options) {
      const operation = 'POST /v3/style_rules';
      requireRules(style, { operation, rules: STYLE_RULES });
      return post({ operation, json: style, read: readStyle }, options);
    },
    async list(page, options) {
      requireRules(page, { operation: LISTS, rules: PAGE_RULES });
      const query = { detailed: false, ...page };
      return (await call({ operation: LISTS, query, read: readSummaries }, options)).style_rules;
    },
    listDetailed: (options) =>
      allPages(async (page) => {
        const query = { detailed: true, ...page };
        return (await call({ operation: LISTS, query, read: readStyles }, options)).style_rules;
      }),
    get,
    async rename(style_id, name, options) {
      const operation = 'PATCH /v3/style_rules/{style_id}';
      requireRules({ name }, { operation, rules: [NAME_RULE] });
      return call({ operation, params: { style_id }, json: { name }, read: readStyle }, options);
    },
    replaceRules: (style_id, rules, options) =>
      call(
        {
          operation: 'PUT /v3/style_rules/{style_id}/configured_rules',
          params: { style_id },
          json: rules,
          read: readStyle,
        },
        options,
      ),
    remove: (style_id, options) =>
      call(
        {
          operation: 'DELETE /v3/style_rules/{style_id}',
          params: { style_id },
          read: noContent,
        },
        options,
      ),
    async addInstruction(style_id, instruction, options) {
      const operation = 'POST /v3/style_rules/{style_id}/custom_instructions';
      requireRules(instruction, { operation, rules: INSTRUCTION_RULES });
      await post({ operation, params: { style_id }, json: instruction, read: noContent }, options);
      return get(style_id, options);
    },
    async getInstruction(at, options) {
      requireEdits(edits);
      const params = { ...at };
      return call({ operation: `GET ${ONE_INSTRUCTION}`, params, read: readInstruction }, options);
    },
    async updateInstruction(at, instruction, options) {
      requireEdits(edits);
      const operation = `PUT ${ONE_INSTRUCTION}` as const;
      requireRules(instruction, { operation, rules: INSTRUCTION_RULES });
      await call({ operation, params: { ...at }, json: instruction, read: noContent }, options);
      return get(at.style_id, options);
    },
    async removeInstruction(at, options) {
      requireEdits(edits);
      const params = { ...at };
      await call({ operation: `DELETE ${ONE_INSTRUCTION}`, params, read: noContent }, options);
    },
  };
}

function requireEdits(edits: 'accepted' | 'unknown'): void {
  if (edits === 'accepted') return;
  throw new JobFailure({
    kind: 'unsupported',
    what: 'a single custom instruction cannot be read or changed',
    advice:
      'Make a new style rule list, or add instruction_edit to service.capabilities where the deployment has it.',
  });
}
