/**
 * Makes a style list on the service equal to its file. If the service cannot edit an instruction, a new list replaces the old one.
 */
import type { CallOptions } from '../service/call.ts';
import type { Service } from '../service/client.ts';
import type { Style } from '../service/styles.ts';
import type { StyleContent } from '../terminology/style-read.ts';
import {
  type CurrentStyle,
  describeStyleDiff,
  type StyleStep,
  styleStepsFor,
} from '../terminology/style-steps.ts';
import { ifThere, onlyOne } from './lookup.ts';
import type { SyncLog } from './records.ts';

export type StyleService = Pick<Service, 'styles' | 'capabilities'>;

export interface StyleSync {
  readonly service: StyleService;
  readonly log: SyncLog;
  readonly options?: CallOptions;
}

/** A list on the service, in the form that is compared with the file. */
export interface FoundStyle extends CurrentStyle {
  readonly id: string;
}

export interface SyncedStyle {
  readonly id: string;
  readonly steps: readonly StyleStep[];
}

/** Makes the service equal to the file. It may be interrupted at any point: the next sync continues with what it finds. */
export async function syncStyle(sync: StyleSync, content: StyleContent): Promise<SyncedStyle> {
  const { service, options, log } = sync;
  for (const old of log.obsolete) await removeStyle(sync, old);
  const current = await findStyle(service, { content, id: log.id }, options);
  const steps = stepsOfStyle(service, content, current);
  const [first] = steps;
  if (current === undefined) return { id: await createListOnService(sync, content), steps };
  if (first?.kind === 'replace') return { id: await replace(sync, content, current), steps };
  await log.begin(current.id);
  for (const step of steps) await apply(sync, current.id, step);
  return { id: current.id, steps };
}

export function stepsOfStyle(
  { capabilities }: Pick<StyleService, 'capabilities'>,
  content: StyleContent,
  current: FoundStyle | undefined,
): readonly StyleStep[] {
  const edits = capabilities.has('instruction_edit') ? 'in place' : 'none';
  return styleStepsFor(content, current, edits);
}

export interface SoughtStyle {
  readonly content: StyleContent;
  /** From the ledger; undefined: find it by its name. */
  readonly id: string | undefined;
}

/**
 * @returns undefined when there is none
 * @throws JobFailure `unsupported` that names both when two lists of the language have this name
 */
export async function findStyle(
  service: StyleService,
  { content, id }: SoughtStyle,
  options?: CallOptions,
): Promise<FoundStyle | undefined> {
  const known =
    id === undefined ? undefined : await ifThere(async () => await service.styles.get(id, options));
  if (known !== undefined) return foundStyle(known);
  const { name, language } = content;
  const named = await namedStyles(service, content, options);
  return onlyOne(
    named.map((found) => ({ id: found.id, found })),
    { what: `style lists for ${language}`, name, setting: `style: { ${language}: { id: … } }` },
  );
}

/** The lists with this name in this language: lists of several languages may have the same name. */
async function namedStyles(
  { styles }: StyleService,
  { name, language }: StyleContent,
  options?: CallOptions,
): Promise<FoundStyle[]> {
  const all = await styles.listDetailed(options);
  return all.map(foundStyle).filter((style) => style.name === name && style.language === language);
}

async function createListOnService(
  { service, log, options }: StyleSync,
  content: StyleContent,
): Promise<string> {
  const { style_id } = await service.styles.create(content, options);
  await log.begin(style_id);
  return style_id;
}

/** The old list is removed last, so that jobs have a list at any time. */
async function replace(sync: StyleSync, content: StyleContent, old: FoundStyle): Promise<string> {
  const { service, options, log } = sync;
  const others = (await namedStyles(service, content, options)).filter(({ id }) => id !== old.id);
  // A replacement that was interrupted before it recorded the id has made this list.
  const made = others.find((each) => describeStyleDiff(content, each).length === 0);
  const id = made?.id ?? (await service.styles.create(content, options)).style_id;
  await log.begin(id, [old.id]);
  await removeStyle(sync, old.id);
  await log.begin(id);
  return id;
}

/** It is not a failure when the list is gone already. */
async function removeStyle({ service, options }: StyleSync, id: string): Promise<void> {
  await ifThere(async () => await service.styles.remove(id, options));
}

async function apply({ service, options }: StyleSync, id: string, step: StyleStep): Promise<void> {
  const { styles } = service;
  switch (step.kind) {
    case 'rename':
      await styles.rename(id, step.name, options);
      break;
    case 'rules':
      await styles.replaceRules(id, step.rules, options);
      break;
    case 'add':
      await styles.addInstruction(id, step.instruction, options);
      break;
    case 'edit':
      await styles.updateInstruction({ style_id: id, id: step.id }, step.instruction, options);
      break;
    case 'remove':
      await styles.removeInstruction({ style_id: id, id: step.id }, options);
      break;
    case 'create':
    case 'replace':
      break;
  }
}

function foundStyle({ style_id: id, name, language, ...rest }: Style): FoundStyle {
  const instructions = rest.custom_instructions.map(({ source_language, ...instruction }) =>
    source_language ? { ...instruction, source_language } : instruction,
  );
  return {
    id,
    name,
    language: language.toLowerCase(),
    configured_rules: rest.configured_rules,
    custom_instructions: instructions,
  };
}
