/** The decision about one segment, and the facts and policies that it follows from. Pure. */
import type { Origin, ReplacedText, SegmentRecord } from '../baseline.ts';
import type { Part } from '../format.ts';
import type { ChangedInput, Policies } from '../project.ts';
import type { Choice } from './record.ts';
import type { Assertion, SourceHash, Statement, TargetHash } from './statements.ts';

/** A segment that the source has now. */
export interface WantedSegment {
  readonly id: string;
  readonly source: readonly Part[];
  /**
   * `copy`: the source's text is written to the target (a locked key, a text without words). `omit`: dragoman leaves it alone (an ignored
   * key).
   */
  readonly treatment: 'translate' | 'copy' | 'omit';
  /** A locked key: it has words, but it is copied. */
  readonly isLocked?: true;
}

export interface MergePolicy {
  readonly policies: Pick<Policies, 'existing' | 'humanEdits' | 'deletedSource'>;
  /** The inputs that `retranslate_on` names and that have changed since this text was bought. */
  changedInputs?(segment: WantedSegment, base: SegmentRecord): readonly ChangedInput[];
  /** Pages: whether the source of a text changed in its markup; undefined: it did not. */
  markup?(versions: MarkupVersions): MarkupChange | undefined;
  /** For a text of ours that the target lacks. `restore`: it is written again (a key). `leave`: a person removed it (a paragraph). */
  readonly missing?: 'restore' | 'leave';
  /** Keyed formats at first contact: a value without words (null, `""`, a number) that a person's target lacks is not added. */
  readonly wordless?: 'leave';
  /**
   * The format keeps a person's translation when its text leaves the source (an obsolete entry of PO), or has no keys. Absent: it moves to
   * a new key with a similar text.
   */
  readonly keepsEdited?: boolean;
  /** Whether the target has code of a program in the place of the text: only a person puts it there. */
  isCode?(id: string): boolean;
  /** What a person can do where these parts of the target are a number, a boolean or a date; undefined: they are a text. */
  notText?(parts: readonly Part[]): string | undefined;
  /** A person asked to buy held segments again. */
  readonly retryHeld?: boolean;
  /** A person approved the price of the texts that wait for approval. */
  readonly approved?: boolean;
  /** The translation in the memory. It shows that a text of the target is ours when we wrote it just before a crash. */
  remembered?(segment: WantedSegment): readonly Part[] | undefined;
  /** The same in other projects: two projects may exchange their folders, and then each target is the text of the other one. */
  rememberedByOthers?(segment: WantedSegment): readonly Part[] | undefined;
  /** How a person resolved the conflict of a segment with this source text; undefined: not yet. */
  resolution?(id: string, source: string): Choice | undefined;
  /** The statements of the lock about the unit of a segment; undefined: there is no lock. */
  statements?(id: string): readonly Statement[] | undefined;
  /**
   * The origin that the lock gives the same pair of texts in another unit, for example before its file was moved. Undefined: no statement.
   */
  statedElsewhere?(source: SourceHash, target: TargetHash): Exclude<Origin, 'copied'> | undefined;
  /**
   * What this machine knew of the target is lost, and the source has changed since. A text that the memory does not have may belong to the
   * earlier source.
   */
  readonly areRecordsLost?: true;
  /** `new`: the target has all texts that the lock knows, so a text that the lock does not know was added. */
  readonly unknown?: 'new';
  /**
   * When the machine's text of a conflict is bought. `at once`: immediately. `where seen`: immediately, but only for a text that this
   * machine has a record of; else every new checkout would buy it. `resolve`: when a person asks for it.
   */
  readonly buyConflicts?: 'at once' | 'where seen' | 'resolve';
  /** The history of the repository about a text that no statement explains; undefined: unknown. */
  history?(id: string): History | undefined;
  /** Whether the target lacks a text because it was put back to an earlier version: then nobody removed the text. */
  isPutBack?(id: string): boolean;
  /** The text that another side of a merge has for a text to be bought, or for the machine's text of a conflict. */
  elsewhere?(id: string): TranslationElsewhere | undefined;
}

export interface MarkupVersions {
  /** The source that the translation was made from, with its host syntax. */
  readonly before: string;
  readonly now: readonly Part[];
  /** The translation. */
  readonly current: readonly Part[];
}

/** Changes of destinations, attributes and code inside a paragraph. */
export interface MarkupChange {
  /** A person has another value where the source changed its own. */
  readonly isContested: boolean;
  /** The words of the source are the same. */
  readonly isAlone: boolean;
  /** With `isAlone`: the translation with the source's new values; absent: it has no such markup. */
  readonly followed?: readonly Part[];
}

/**
 * `current`: the text was changed together with its source or later. `older`: it belongs to an older source. `statements`: those of the
 * locks at that time.
 */
export type History =
  | { readonly kind: 'current'; readonly statements: readonly Assertion[] }
  | {
      readonly kind: 'older';
      /** The commit that wrote it. */
      readonly commit: string;
      /** The source text that it belongs to; absent: unknown. */
      readonly source?: string;
      readonly statements: readonly Assertion[];
    };

export interface TranslationElsewhere {
  /** Absent: the text is in the target file itself. */
  readonly commit?: string;
  readonly parts: readonly Part[];
  readonly origin: Exclude<Origin, 'copied'>;
}

/** `record.target` is the text that the target must have; the record is the base of the next merge. */
export type Decision =
  | {
      readonly kind: 'keep' | 'adopt' | 'restore' | 'copy' | 'hold';
      readonly id: string;
      readonly record: SegmentRecord;
      /** A person's text that no statement names yet. */
      readonly isEdit?: true;
      /** A text of ours that the target lacks, and no record says yet that a person removed it. */
      readonly isMissing?: true;
    }
  | {
      readonly kind: 'move';
      readonly id: string;
      readonly from: string;
      readonly record: SegmentRecord;
    }
  | {
      /** The person's text stays. `buys`: the machine's text for the new source is missing and is bought at once. */
      readonly kind: 'conflict';
      readonly id: string;
      readonly record: SegmentRecord;
      readonly source: readonly Part[];
      readonly buys: boolean;
      /** Only this machine knows the source of the text; the lock does not. */
      readonly isUnstated?: true;
      /** Nobody knows which is newer, the source or the target. */
      readonly isUnknown?: true;
    }
  | {
      readonly kind: 'buy';
      readonly id: string;
      readonly reason: BuyReason;
      /** For the reason `recipe`: the inputs that changed. */
      readonly changed?: readonly ChangedInput[];
      readonly source: readonly Part[];
      /** The text of the target until the translation is there. */
      readonly current: CurrentSegment | null;
      /** A person must look at the new text. */
      readonly review?: 'wanted';
      /** The text that a person wrote for an earlier source. */
      readonly replaced?: ReplacedText;
      /** The texts that the machine wrote for earlier sources. */
      readonly former?: SegmentRecord['former'];
    }
  | { readonly kind: 'omit'; readonly id: string };

/** Whether a text is bought for this decision. For a conflict, it is the version that a person may choose. */
export function buys(decision: Decision): boolean {
  return decision.kind === 'buy' || (decision.kind === 'conflict' && decision.buys);
}

export type BuyReason = 'new' | 'changed' | 'missing' | 'recipe' | 'held';

export interface CurrentSegment {
  readonly parts: readonly Part[];
  readonly origin: Origin;
}

/** One segment with all that is known about it. */
export interface SegmentSituation {
  readonly wanted: WantedSegment;
  /** Its old id, when its key was renamed. */
  readonly from: string | undefined;
  /** `here`: the text of the target under its id. `found`: that, or the text under its old id. */
  readonly here: readonly Part[] | undefined;
  readonly found: readonly Part[] | undefined;
  readonly base: SegmentRecord | undefined;
  /** This machine has no record; an earlier commit has this source text beside the translation. */
  readonly earlierSource?: string;
}
