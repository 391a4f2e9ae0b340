/**
 * One purchase of a translated document, kept by content so that it outlives the job that began it.
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
  /** The job that began it: its project is charged. */
  readonly job: JobId;
  readonly project: string;
  readonly source: string;
  readonly language: LanguageTag;
  readonly sourceHash: Hash;
  /** Of the file that is uploaded and of the result; lower-case. */
  readonly extension: string;
  readonly output: string;
  /** Of the source. */
  readonly bytes: number;
  /** Whether the media were taken out before the upload. */
  readonly minified: boolean;
  /** Characters (Unicode code points) that it is expected to bill. */
  readonly estimate: number;
  /** The terms that its source held, and the style, when it was bought. */
  readonly made?: TranslationInputs;
  /** Uploads of the same content before this one whose answers were lost. */
  readonly lostAnswers: number;
  /** The person's word on which it was begun: it counts for one purchase only. */
  readonly released?: string;
  /** The settings of `service` that it was begun with; see `serviceMark`. */
  readonly service?: string;
  readonly stage: PurchaseStage;
}

export type PurchaseStage =
  | { readonly kind: 'intent' }
  /** All but the last bytes are sent: from here on it may have been paid. */
  | { readonly kind: 'closing' }
  | { readonly kind: 'uploaded'; readonly document: UploadedDocument }
  /** The bill is on the books. */
  | { readonly kind: 'finished'; readonly document: UploadedDocument }
  | {
      readonly kind: 'downloading';
      readonly document: UploadedDocument;
      readonly tries: number;
      /** Bytes that the answer announced; absent before its head came, and where it announced none. */
      readonly length?: number;
    }
  | {
      readonly kind: 'downloaded';
      readonly hash: Hash;
      readonly size: number;
      /** What is wrong with it by its structure, in words for people: it is kept, and a person decides. */
      readonly flaw?: string;
    }
  /** Booked as what may be billed when it came here; an earlier version booked it with the next try. */
  | { readonly kind: 'in-doubt'; readonly isBooked?: true }
  | { readonly kind: 'lost'; readonly reason: string }
  | { readonly kind: 'refused'; readonly failure: Failure };

export type StageOf<K extends PurchaseStage['kind']> = Extract<PurchaseStage, { kind: K }>;

/** What decides a document's translation beside its bytes. */
export interface DocumentRecipe {
  readonly source_lang?: string;
  readonly target_lang: string;
  readonly formality?: string;
  /** By the names that config gives. */
  readonly glossary?: string;
  readonly style?: string;
  readonly memory?: string;
  /** Extension of the result, and of the source where that is another. */
  readonly output: string;
  readonly input?: string;
}

export function purchaseKey(sourceHash: Hash, recipe: DocumentRecipe): PurchaseKey {
  const canonical = JSON.stringify(Object.entries(recipe).sort(([a], [b]) => (a < b ? -1 : 1)));
  return hash('sha256', `${sourceHash} ${canonical}`) as PurchaseKey;
}

/** Whether the service holds something of it that was paid for, or may have been. */
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
 * Whether the news of a daemon that stood still is written although another one has written of the purchase meanwhile: an answer
 * that was paid for counts, as long as nobody has bought the same anew.
 * @param from what the news was decided from
 * @param present what the other one wrote
 */
export function isStillOfUse(
  news: DocumentPurchase,
  from: DocumentPurchase,
  present: DocumentPurchase,
): boolean {
  switch (news.stage.kind) {
    case 'uploaded':
      // Whoever gave the upload up counted its answer as lost.
      return present.stage.kind === 'in-doubt' && present.lostAnswers === news.lostAnswers + 1;
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
 * Milliseconds until the next look at a document that is not done. The service's own `seconds_remaining` is sometimes
 * stuck and sometimes 2147483647, so it is not asked for.
 * @param polls looks before this one
 */
export function pollDelay(polls: number): number {
  return Math.min(LONGEST_POLL_MS, FIRST_POLL_MS * GROWTH ** polls);
}
