/**
 * One purchase of a translated document. Its key is the content, so that it outlives the job that began it.
 * Each stage is durable before the next side effect:
 *
 *     intent ──> closing ──> uploaded ──> finished ──> downloading ──> downloaded
 *       ^           │            │            │             │
 *       └─ refused  └─> in-doubt └─> refused  └─> lost <────┘
 */

import { hash } from 'node:crypto';
import type { TranslationInputs } from '../baseline.ts';
import type { Failure } from '../failure.ts';
import type { Hash, JobId, UploadedDocument } from '../job.ts';
import type { LanguageTag } from '../language.ts';

/** sha256 over source, language and recipe: the same for a copy of the source under any other name. */
export type PurchaseKey = string & { readonly __brand: 'PurchaseKey' };

export interface DocumentPurchase {
  readonly key: PurchaseKey;
  /** The job that began the purchase: its project is charged. */
  readonly job: JobId;
  readonly project: string;
  readonly source: string;
  readonly language: LanguageTag;
  readonly sourceHash: Hash;
  /** Extensions of the uploaded file and of the result; lower-case. */
  readonly extension: string;
  readonly output: string;
  /** Size of the source. */
  readonly bytes: number;
  /** Whether the media were removed before the upload. */
  readonly minified: boolean;
  /** Characters (Unicode code points) that it is expected to bill. */
  readonly estimate: number;
  /** The terms in the source and the style when it was bought. */
  readonly made?: TranslationInputs;
  /** How many earlier uploads of the same content lost their answers. */
  readonly lostAnswers: number;
  /** The release of a person with which it was sent: it counts for one purchase only. */
  readonly released?: string;
  /** Digest of the settings of `service` that it was begun with; see `serviceDigest`. */
  readonly service?: string;
  readonly stage: PurchaseStage;
}

export type PurchaseStage =
  | { readonly kind: 'intent' }
  /** All but the last bytes are sent: from now on it may have been billed. */
  | { readonly kind: 'closing' }
  | { readonly kind: 'uploaded'; readonly document: UploadedDocument }
  /** The bill is booked. */
  | { readonly kind: 'finished'; readonly document: UploadedDocument }
  | {
      readonly kind: 'downloading';
      readonly document: UploadedDocument;
      readonly tries: number;
      /** Bytes that the answer announced; absent: not known yet, or not announced. */
      readonly length?: number;
    }
  | {
      readonly kind: 'downloaded';
      readonly hash: Hash;
      readonly size: number;
      /** The fault in the structure of the result, in words for people: the result is kept, and a person decides. */
      readonly flaw?: string;
    }
  /**
   * `isBooked`: booked as possibly billed at this stage. An earlier version booked it with the next try. `reason`: what came instead of
   * the answer.
   */
  | { readonly kind: 'in-doubt'; readonly isBooked?: true; readonly reason?: string }
  | { readonly kind: 'lost'; readonly reason: string }
  | { readonly kind: 'refused'; readonly failure: Failure };

export type StageOf<K extends PurchaseStage['kind']> = Extract<PurchaseStage, { kind: K }>;

/** The inputs of the translation of a document, beside its bytes. */
export interface DocumentRecipe {
  readonly source_lang?: string;
  readonly target_lang: string;
  readonly formality?: string;
  /** The names in the config. */
  readonly glossary?: string;
  readonly style?: string;
  readonly memory?: string;
  /** Extension of the result; `input`: that of the source, where it differs. */
  readonly output: string;
  readonly input?: string;
}

export function purchaseKey(sourceHash: Hash, recipe: DocumentRecipe): PurchaseKey {
  const canonical = JSON.stringify(Object.entries(recipe).sort(([a], [b]) => (a < b ? -1 : 1)));
  return hash('sha256', `${sourceHash} ${canonical}`) as PurchaseKey;
}

/** Whether the service has something that is paid, or may be, and that was not fetched yet. */
export function isUnderWay({ stage }: DocumentPurchase): boolean {
  switch (stage.kind) {
    case 'closing':
    case 'uploaded':
    case 'finished':
    case 'downloading':
      return true;
    case 'intent':
    case 'downloaded':
    case 'in-doubt':
    case 'lost':
    case 'refused':
      return false;
  }
}

/**
 * Whether the late change of a daemon that was suspended is written although another daemon has written the purchase meanwhile. A paid
 * answer counts, unless the same was bought again.
 * @param from the purchase that the change was decided from
 * @param present the purchase that the other daemon wrote
 */
export function isStillOfUse(
  next: DocumentPurchase,
  from: DocumentPurchase,
  present: DocumentPurchase,
): boolean {
  switch (next.stage.kind) {
    case 'uploaded':
      // The other daemon has counted the answer of this upload as lost.
      return present.stage.kind === 'in-doubt' && present.lostAnswers === next.lostAnswers + 1;
    case 'downloaded':
      return present.stage.kind === 'lost' || isSameDocument(from.stage, present.stage);
    case 'intent':
    case 'closing':
    case 'finished':
    case 'downloading':
    case 'in-doubt':
    case 'lost':
    case 'refused':
      return false;
  }
}

function isSameDocument(one: PurchaseStage, other: PurchaseStage): boolean {
  if (!('document' in one && 'document' in other)) return false;
  return one.document.document_id === other.document.document_id;
}

const FIRST_POLL_MS = 1000;
const GROWTH = 1.5;
const LONGEST_POLL_MS = 15_000;

/**
 * Milliseconds until the next poll of a document that is not done. The `seconds_remaining` of the service is not used: sometimes it
 * does not change, and sometimes it is 2147483647.
 * @param polls number of earlier polls
 */
export function pollDelay(polls: number): number {
  return Math.min(LONGEST_POLL_MS, FIRST_POLL_MS * GROWTH ** polls);
}
