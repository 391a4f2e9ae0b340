/**
 * The baseline of a target: what dragoman last saw in the source and wrote to the target, for every segment. It is the base of the
 * three-way merge. It is a cache: when it is lost, dragoman builds it again from memory and target. Then an edit of a person looks like
 * a text that was there before dragoman.
 */
import type { Part } from './format.ts';
import type { Hash, RecipeKey } from './job.ts';
import type { LanguageTag } from './language.ts';
import type { Claim } from './ledger.ts';

/** The content of one target, as dragoman left it. */
export interface BaselineRecord {
  readonly segments: readonly SegmentRecord[];
  /** Formats without keys: what was between the segments of the source. Absent in records of 0.1.0. */
  readonly frame?: FrameRecord;
  /** Hash of the target file with these segments. */
  readonly targetHash: Hash;
  readonly recipe: RecipeKey;
  /** ISO 8601. */
  readonly at: string;
}

/** The frame of a file without keys: all parts of the file that are not segments. */
export interface FrameRecord {
  /** The lines of the source's frame when it was last seen; `segments/frame/frame.ts` packs them. */
  readonly lines: string;
  /** Keys of texts in the target that belong to no segment, because a person added them. Absent: none. */
  readonly own?: readonly string[];
  /** Names the version of the reader and the settings that decided which strings were segments. */
  readonly reading?: string;
  /** With a lock: hashes of both frames when the target was last written. */
  readonly hashes?: { readonly source: string; readonly target: string };
  /** A person changed the frame of the target, and it is unknown for which source. */
  readonly isUnexplained?: true;
}

/** Which baseline: one source in one language. */
export interface BaselineKey {
  readonly project: string;
  readonly language: LanguageTag;
  /** The path of the source, relative to the project's root. */
  readonly path: string;
}

/** The baseline of one source in one language. */
export interface SegmentBaseline {
  /**
   * The segments of the target as dragoman left it, by segment id; empty at first contact.
   * @param found hash of the target on the disk, null: there is no file
   */
  read(found: Hash | null): Promise<ReadonlyMap<string, SegmentRecord>>;
  /** The record from which `read` takes the segments; undefined at first contact. */
  record(found: Hash | null): Promise<BaselineRecord | undefined>;
  /**
   * The records of which one is true; the first one is that of `record`. Two when the process ended while it replaced the target, and the
   * target was edited since: only its texts show whether it was replaced (`recordInPlace`).
   */
  candidates(found: Hash | null): Promise<readonly BaselineRecord[]>;
  /**
   * Stores what the target will contain. Called before the target is replaced: after a crash at any moment, a text of dragoman
   * must not look like an edit of a person.
   * @param replacing hash of the target that will be replaced, null: there is none
   */
  prepare(next: BaselineRecord, replacing: Hash | null): Promise<void>;
  /** The target was not replaced after `prepare`, because somebody else wrote it: the record before stays true. */
  withdraw(): Promise<void>;
  /** Its bytes, for a worker thread that reads and prepares it: only the main thread has the files open. */
  readonly stored: StoredBaseline;
}

/** A baseline as bytes. */
export interface StoredBaseline {
  /** Undefined when nothing is stored. */
  read(): Promise<Uint8Array | undefined>;
  /** When it resolves, the bytes are in a file and survive the end of the process. */
  write(bytes: Uint8Array): Promise<void>;
}

/** Baselines; another process may write them at the same time. */
export interface BaselineReader extends AsyncDisposable {
  /**
   * @param wrote hash of the target in the ledger, as dragoman left it; undefined before the first delivery, or without a ledger
   * @param claim claim of the job that reads it, or its next one: an earlier claim may have prepared it and delivered nothing. In a
   * shared tree, `prepare` throws StaleClaim for a stale one. Absent: only the daemon that leads may call `prepare`
   */
  of(key: BaselineKey, wrote: Hash | undefined, claim?: Claim): SegmentBaseline;
}

/** All baselines of a state. */
export interface Baselines extends BaselineReader {
  /** The texts of the source when it was last seen; empty when there is no baseline. */
  sources(key: BaselineKey): Promise<readonly Pick<SegmentRecord, 'id' | 'source'>[]>;
  /** Moves the baselines of renamed sources, all or none. Two sources may have exchanged their names. */
  move(moves: readonly BaselineMove[]): Promise<void>;
  /** The bytes for a later `putBack`; undefined when there is no baseline. */
  copyOf(key: BaselineKey): Promise<Uint8Array | undefined>;
  putBack(key: BaselineKey, copy: Uint8Array): Promise<void>;
  remove(key: BaselineKey): Promise<void>;
}

export interface BaselineMove {
  readonly from: BaselineKey;
  readonly to: BaselineKey;
}

/**
 * Who wrote a text. `adopted`: it was there at first contact; when its source changes, it is treated as a text of dragoman.
 * `copied`: it is the text of the source, because its key is locked or it has no letter.
 */
export type Origin = 'machine' | 'human' | 'adopted' | 'copied';

export interface SegmentRecord {
  readonly id: string;
  /** The text of the source when it was last seen. */
  readonly source: string;
  /** The key that earlier versions took for `source`, where the file has both (`Segment.keyText`). */
  readonly keyText?: string;
  /** What dragoman left in the target; null: the key was left out, or a person removed the paragraph. */
  readonly target: readonly Part[] | null;
  readonly origin: Origin;
  /**
   * `held`: no answer was fit to be written, and `target` is not the translation. `conflict`: a person's text is in the target, and
   * its source has changed: a person must decide. `stale`: the same, but the setting `human_edits` keeps the person's text.
   */
  readonly state: 'ok' | 'held' | 'conflict' | 'stale';
  /** The source of the text in `target`, if that is not `source` any more; absent in a conflict: unknown. */
  readonly previousSource?: string;
  /** The commit from which `previousSource` is known, where this machine never saw that source. */
  readonly sourceCommit?: string;
  /** The machine's text for `source`, where the target has a person's text: it is bought once and shown beside that. */
  readonly machine?: readonly Part[];
  /** The commit on the other side of a merge that has `machine`; absent: it was bought. */
  readonly machineCommit?: string;
  /** A paragraph of the target with the translation of this segment and of others, because a person joined them; `target` is null. */
  readonly joined?: readonly Part[];
  /** Formats without keys: a person cut the translation into so many pieces. `target` is the first, and the others stand behind it. */
  readonly pieces?: number;
  /** A person's text for an earlier source, which was replaced when the source changed. It comes back when that source does. */
  readonly replaced?: ReplacedText;
  /** Hashes of the machine's texts for earlier sources, the latest last; absent: none. */
  readonly former?: readonly string[];
  /** Why it is held. */
  readonly problem?: string;
  /** It may be paired in several ways: the lines of both files, in words. `problem` has the same in a sentence. */
  readonly unclear?: string;
  /** The inputs with which a machine's text in `target` was bought; absent: unknown. */
  readonly made?: TranslationInputs;
  /**
   * `approval`: held until a person approves its price. An earlier version did not know it as a segment, so the target has the source's
   * text. `target`: held before it was paid, until the target can take it.
   */
  readonly awaits?: 'approval' | 'target';
  /** With `approval`: the parts that the earlier version did not translate, such as titles of links in a bought sentence. Absent: all. */
  readonly unseen?: readonly string[];
  /** A person should look at the text in `target`; the lock tells the team. */
  readonly review?: 'wanted';
  /** From the lock: it says only which texts belong together, because this machine never saw them. Never stored. */
  readonly isPairing?: true;
  /** Element of a list that a person made longer, while the source has its elements in another order now. */
  readonly isOutOfOrder?: true;
  /** Formats without keys: no segment, but lines between segments that both a person and the source changed. */
  readonly isFrame?: true;
  /** Subtitles only. */
  readonly cue?: CueRecord;
}

export interface ReplacedText {
  readonly source: string;
  readonly target: readonly Part[];
  readonly origin: Extract<Origin, 'human' | 'adopted'>;
}

export interface CueRecord {
  /** The timing line of the source when the target was last written. When the target has another one, a person moved the cue. */
  readonly timing: string;
  /** The changes that made the bought text fit into the cue. */
  readonly notes: readonly CueNote[];
  /** Number of texts for the service that begin in this cue: 0 where it continues a sentence, 1 for each speaker. */
  readonly texts?: number;
  /** On the first cue only: what was around the cues of the source when the target was last written (`formats/captions/frame.ts`). */
  readonly frame?: string;
  /** On the first cue only: the header, notes and styles of the source then. Earlier versions did not record them. */
  readonly blocks?: string;
  /**
   * On the first cue only: hashes of timing lines for the lock. The first pair is of all lines of source and target, each other one of a cue
   * that a person moved. Earlier versions did not record them.
   */
  readonly times?: readonly (readonly [source: string, target: string])[];
}

export type CueNote = 're-cut' | 'repeated' | 'retried' | 'markup dropped';

/** The inputs of a machine's text beside its source, as short hashes. */
export interface TranslationInputs {
  readonly options: string;
  /** Hash of the glossary terms that occur in the source; absent: none. */
  readonly terms?: string;
  /** Version of the style list. */
  readonly style?: string;
  /** Hash of the note that the config has for the key; absent: none. */
  readonly note?: string;
}
