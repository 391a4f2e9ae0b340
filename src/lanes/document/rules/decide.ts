/** What to do about one translated document, from what stands at its place and what was paid for. Pure. */

import type { Hash } from '../../../job.ts';
import { recipeKeyOf, sourceHashOf } from '../../../job.ts';
import type { JobRecord, Release, Written } from '../../../ledger.ts';
import type { Policies } from '../../../project.ts';
import type { DocumentPurchase } from '../../../state/document-purchase.ts';

export interface DocumentSituation {
  readonly job: Pick<JobRecord, 'id' | 'fingerprint'>;
  /** What the ledger says we left there, and from what; undefined before the first delivery. */
  readonly left: Written | undefined;
  readonly delivered: JobRecord['delivered'];
  /** Whether it was made with terms or a style that changed since, and `retranslate_on` names them. */
  readonly isOutdated: boolean;
  /** A person's word on this very content. */
  readonly release: Release | undefined;
  /** Hash of what stands there now. */
  readonly found: Hash | undefined;
  readonly purchase: DocumentPurchase | undefined;
  readonly policies: Pick<Policies, 'existing' | 'humanEdits' | 'retranslateOn'>;
  /** Whether the ledger has lost facts, so that it may have been paid before. */
  readonly factsLost: boolean;
}

export type DocumentVerdict =
  /** What stands there stays, and is nothing to come back to. */
  | { readonly kind: 'leave'; readonly by: Written['by'] }
  | { readonly kind: 'hold'; readonly why: 'state-lost' }
  /** A person wrote it, or edited what we wrote. */
  | { readonly kind: 'hold'; readonly why: 'edited-target'; readonly by: Theirs }
  /** The result goes to its place (what stands there is kept in the trash), or beside it. */
  | { readonly kind: 'obtain'; readonly place: 'replace' | 'replace-and-keep-old' | 'beside' };

type Theirs = 'person' | 'adopted';

/** Whether the result takes the place of nothing, or of what is ours. */
export function isReplaced(verdict: DocumentVerdict): boolean {
  return verdict.kind === 'obtain' && verdict.place === 'replace';
}

export function decide(situation: DocumentSituation): DocumentVerdict {
  const { found, release } = situation;
  const owner = ownerOf(situation);
  if (release?.kind === 'human' && found !== undefined) return { kind: 'leave', by: 'person' };
  if (isDelivered(situation) && found !== undefined && release?.kind !== 'machine') {
    return { kind: 'leave', by: authorOf(owner) };
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

/** Whose work stands at the target's place. `stranger`: it was there before us. */
type Owner = 'nobody' | 'ours' | 'adopted' | 'person' | 'stranger';

function ownerOf({ found, left, purchase }: DocumentSituation): Owner {
  if (found === undefined) return 'nobody';
  // Written, but not yet noted when the process died.
  if (purchase?.stage.kind === 'downloaded' && purchase.stage.hash === found) return 'ours';
  if (left === undefined) return 'stranger';
  if (left.hash !== found || left.by === 'person') return 'person';
  return left.by === 'adopted' ? 'adopted' : 'ours';
}

function authorOf(owner: Owner): Written['by'] {
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

/** Delivered for this content; a changed recipe alone buys again only where `retranslate_on` says so. */
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
  // It was not there when this job bought its own.
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
      // What is paid already costs nothing to look at.
      return purchase?.stage.kind === 'downloaded'
        ? { kind: 'obtain', place: 'beside' }
        : { kind: 'hold', why: 'edited-target', by };
  }
}

/** Where the machine's version goes when a person's stays: `report.docx` -> `report.machine.docx`. */
export function besidePath(path: string): string {
  const dot = path.lastIndexOf('.');
  return dot <= path.lastIndexOf('/') + 1
    ? `${path}.machine`
    : `${path.slice(0, dot)}.machine${path.slice(dot)}`;
}
