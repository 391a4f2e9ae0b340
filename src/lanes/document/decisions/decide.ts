/** Decides what to do about one document, from its present target and its purchase. Pure. */

import type { Hash } from '../../../job.ts';
import { recipeKeyOf, sourceHashOf } from '../../../job.ts';
import { contentFound, type JobRecord, type Release, type Written } from '../../../ledger.ts';
import type { Policies } from '../../../project.ts';
import type { DocumentPurchase } from '../../../state/document-purchase.ts';

export interface DocumentSituation {
  readonly job: Pick<JobRecord, 'id' | 'fingerprint'>;
  /** The target as dragoman left it, according to the ledger; undefined before the first delivery. */
  readonly left: Written | undefined;
  readonly delivered: JobRecord['delivered'];
  /** Whether it was made with terms or a style that have changed since, and `retranslate_on` names them. */
  readonly isOutdated: boolean;
  /** The release of a person for this content. */
  readonly release: Release | undefined;
  /** Hash of the present target; undefined: there is none. */
  readonly found: Hash | undefined;
  readonly purchase: DocumentPurchase | undefined;
  readonly policies: Pick<Policies, 'existing' | 'humanEdits' | 'retranslateOn'>;
  /** Whether the ledger has lost facts: then the document may have been paid before. */
  readonly factsLost: boolean;
}

export type DocumentVerdict =
  /** The present target stays, and the job is done. */
  | { readonly kind: 'leave'; readonly by: Written['by'] }
  | { readonly kind: 'hold'; readonly why: 'state-lost' }
  /** A person wrote the target, or edited that of dragoman. */
  | { readonly kind: 'hold'; readonly why: 'edited-target'; readonly by: Theirs }
  /** Get the result and put it in place (with a copy of the present target in the trash), or beside the target. */
  | { readonly kind: 'obtain'; readonly place: 'replace' | 'replace-and-keep-old' | 'beside' };

type Theirs = 'person' | 'adopted';

/** Whether the result replaces nothing, or a target of dragoman. */
export function isReplaced(verdict: DocumentVerdict): boolean {
  return verdict.kind === 'obtain' && verdict.place === 'replace';
}

export function decideDocument(seen: DocumentSituation): DocumentVerdict {
  const situation = { ...seen, found: contentFound(seen) };
  const { found, release } = situation;
  const owner = ownerOf(situation);
  if (release?.kind === 'human' && found !== undefined) return { kind: 'leave', by: 'person' };
  if (isDelivered(situation) && found !== undefined && release?.kind !== 'machine') {
    return { kind: 'leave', by: authorOf(owner) };
  }
  if (owner === 'person' && isPlaced(situation) && release?.kind !== 'machine') {
    return { kind: 'leave', by: 'person' };
  }
  switch (owner) {
    case 'nobody':
      return isUncertain(situation)
        ? { kind: 'hold', why: 'state-lost' }
        : { kind: 'obtain', place: 'replace' };
    case 'ours':
      return { kind: 'obtain', place: 'replace' };
    case 'stranger':
      return overStranger(situation);
    case 'adopted':
      return situation.policies.existing === 'overwrite'
        ? { kind: 'obtain', place: 'replace-and-keep-old' }
        : overPerson(situation, owner);
    case 'person':
      return overPerson(situation, owner);
  }
}

/** Who wrote the present target. `stranger`: it was there before dragoman. */
type TargetAuthor = 'nobody' | 'ours' | 'adopted' | 'person' | 'stranger';

function ownerOf({ found, left, purchase }: DocumentSituation): TargetAuthor {
  if (found === undefined) return 'nobody';
  // An earlier process died after it wrote the target and before the ledger had it.
  if (purchase?.stage.kind === 'downloaded' && purchase.stage.hash === found) return 'ours';
  if (left === undefined) return 'stranger';
  if (left.hash !== found || left.by === 'person') return 'person';
  return left.by === 'adopted' ? 'adopted' : 'ours';
}

function authorOf(owner: TargetAuthor): Written['by'] {
  switch (owner) {
    case 'ours':
    case 'nobody':
      return undefined;
    case 'adopted':
    case 'stranger':
      return 'adopted';
    case 'person':
      return 'person';
  }
}

/** Whether the bought result was in place already: its process died before the job was settled, and a person has edited it since. */
function isPlaced({ purchase, left }: DocumentSituation): boolean {
  return purchase?.stage.kind === 'downloaded' && purchase.stage.hash === left?.hash;
}

/** Whether it is delivered for this content. A changed recipe alone buys it again only where `retranslate_on` says so. */
function isDelivered({ job, delivered, isOutdated, policies }: DocumentSituation): boolean {
  if (delivered === null) return false;
  if (delivered === job.fingerprint) return true;
  if (sourceHashOf(delivered) !== sourceHashOf(job.fingerprint) || isOutdated) return false;
  const isSameRecipe = recipeKeyOf(delivered) === recipeKeyOf(job.fingerprint);
  return isSameRecipe || !policies.retranslateOn.has('options');
}

function isUncertain({ factsLost, purchase, left, release }: DocumentSituation): boolean {
  return factsLost && purchase === undefined && left === undefined && release?.kind !== 'retry';
}

function overStranger({ policies, release, purchase, job }: DocumentSituation): DocumentVerdict {
  if (policies.existing === 'overwrite' || release?.kind === 'machine') {
    return { kind: 'obtain', place: 'replace-and-keep-old' };
  }
  // The target came after this job had bought its result.
  const isBought = purchase?.stage.kind === 'downloaded' && purchase.job === job.id;
  return isBought ? { kind: 'obtain', place: 'beside' } : { kind: 'leave', by: 'adopted' };
}

function overPerson(
  { policies, release, purchase }: DocumentSituation,
  by: Theirs,
): DocumentVerdict {
  if (release?.kind === 'machine') return { kind: 'obtain', place: 'replace-and-keep-old' };
  switch (policies.humanEdits) {
    case 'keep':
      return { kind: 'leave', by };
    case 'overwrite':
      return { kind: 'obtain', place: 'replace-and-keep-old' };
    case 'conflict':
      // The result is paid already: a person can look at it.
      return purchase?.stage.kind === 'downloaded'
        ? { kind: 'obtain', place: 'beside' }
        : { kind: 'hold', why: 'edited-target', by };
  }
}

/** The path of the machine's version when a person's target stays: `report.docx` -> `report.machine.docx`. */
export function besidePath(path: string): string {
  const dot = path.lastIndexOf('.');
  return dot <= path.lastIndexOf('/') + 1
    ? `${path}.machine`
    : `${path.slice(0, dot)}.machine${path.slice(dot)}`;
}

/** The path without the addition of `besidePath`. */
export function withoutMachine(path: string): string {
  return path.replace(/\.machine(\.[^./]*)?$/, '$1');
}
