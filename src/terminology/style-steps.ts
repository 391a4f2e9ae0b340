/** The calls that make a style list on the service equal to its file. Pure. */
import type { StyleContent, StyleInstruction, StyleRules } from './style-read.ts';

/** An instruction on the service. */
export interface CurrentInstruction extends StyleInstruction {
  readonly id: string;
}

export interface CurrentStyle extends StyleContent {
  readonly custom_instructions: readonly CurrentInstruction[];
}

/** Each step is one call, except `replace`: a new list is made, jobs switch to it, and the old list is deleted last. */
export type StyleStep =
  | { readonly kind: 'create' }
  | { readonly kind: 'replace' }
  | { readonly kind: 'rename'; readonly name: string }
  | { readonly kind: 'rules'; readonly rules: StyleRules }
  | { readonly kind: 'add'; readonly instruction: StyleInstruction }
  | { readonly kind: 'edit'; readonly id: string; readonly instruction: StyleInstruction }
  | { readonly kind: 'remove'; readonly id: string };

/** `in place`: the deployment can change single instructions (capability `instruction_edit`). */
export type InstructionEdits = 'in place' | 'none';

export function styleStepsFor(
  wanted: StyleContent,
  current: CurrentStyle | undefined,
  edits: InstructionEdits,
): readonly StyleStep[] {
  if (current === undefined) return [{ kind: 'create' }];
  const instructions = diffInstructions(wanted, current);
  const mustEdit = instructions.changed.length + instructions.removed.length > 0;
  const isOther = wanted.language !== current.language.toLowerCase();
  // No call changes or removes an instruction, and none changes the language (docs/design/api.md, "Style rule lists").
  if (isOther || (mustEdit && edits === 'none')) return [{ kind: 'replace' }];
  return [
    ...(wanted.name === current.name ? [] : [{ kind: 'rename', name: wanted.name } as const]),
    ...(sameRules(wanted.configured_rules, current.configured_rules)
      ? []
      : [{ kind: 'rules', rules: wanted.configured_rules } as const]),
    ...instructions.changed.map((change) => ({ kind: 'edit', ...change }) as const),
    ...instructions.removed.map(({ id }) => ({ kind: 'remove', id }) as const),
    ...instructions.added.map((instruction) => ({ kind: 'add', instruction }) as const),
  ];
}

/** The differences as sentences for people; empty when there are none. */
export function describeStyleDiff(
  wanted: StyleContent,
  current: CurrentStyle | undefined,
): string[] {
  if (current === undefined) return ['is not on the service yet'];
  const { added, changed, removed } = diffInstructions(wanted, current);
  return [
    ...(wanted.name === current.name ? [] : [`is named "${current.name}" on the service`]),
    ...(wanted.language === current.language.toLowerCase()
      ? []
      : [`is for ${current.language} on the service`]),
    ...describeRules(wanted.configured_rules, current.configured_rules),
    ...added.map(({ label }) => `+ instruction "${label}"`),
    ...changed.map(({ instruction }) => `~ instruction "${instruction.label}"`),
    ...removed.map(({ label }) => `- instruction "${label}"`),
  ];
}

interface InstructionsDiff {
  readonly added: readonly StyleInstruction[];
  readonly changed: readonly { readonly id: string; readonly instruction: StyleInstruction }[];
  readonly removed: readonly CurrentInstruction[];
}

/** Compares instructions: equal ones are matched first, then those with the same label. */
function diffInstructions(wanted: StyleContent, current: CurrentStyle): InstructionsDiff {
  const rest = [...current.custom_instructions];
  const take = (fits: (one: CurrentInstruction) => boolean) => {
    const at = rest.findIndex(fits);
    return at < 0 ? undefined : rest.splice(at, 1)[0];
  };
  const unlike = wanted.custom_instructions.filter(
    (instruction) => take((one) => sameInstruction(instruction, one)) === undefined,
  );
  const added: StyleInstruction[] = [];
  const changed: { id: string; instruction: StyleInstruction }[] = [];
  for (const instruction of unlike) {
    const old = take(({ label }) => label === instruction.label);
    if (old === undefined) added.push(instruction);
    else changed.push({ id: old.id, instruction });
  }
  return { added, changed, removed: rest };
}

function sameInstruction(a: StyleInstruction, b: StyleInstruction): boolean {
  const language = ({ source_language }: StyleInstruction) => source_language?.toLowerCase() ?? '';
  return a.label === b.label && a.prompt === b.prompt && language(a) === language(b);
}

function sameRules(a: StyleRules, b: StyleRules): boolean {
  return describeRules(a, b).length === 0;
}

function describeRules(wanted: StyleRules, current: StyleRules): string[] {
  const here = flat(wanted);
  const there = flat(current);
  const changes = [...here].flatMap(([rule, option]) => {
    const old = there.get(rule);
    if (old === undefined) return [`+ ${rule}: ${option}`];
    return old === option ? [] : [`~ ${rule}: ${old} -> ${option}`];
  });
  const gone = [...there].flatMap(([rule, option]) =>
    here.has(rule) ? [] : [`- ${rule}: ${option}`],
  );
  return [...changes, ...gone];
}

function flat(rules: StyleRules): Map<string, string> {
  return new Map(
    Object.entries(rules).flatMap(([category, chosen]) =>
      Object.entries(chosen).map(([rule, option]) => [`${category}.${rule}`, option] as const),
    ),
  );
}
