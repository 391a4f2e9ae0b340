/**
 * The baseline of a target: what we last saw and wrote of every segment, the base of the three-way merge. A cache: lost, it is
 * built again from memory and target, and then a person's edit looks like a text that stood there before.
 */
import type { Part } from './format.ts';
import type { Hash, RecipeKey } from './job.ts';
import type { LanguageTag } from './language.ts';
import type { Claim } from './ledger.ts';

/** What one target holds according to us. */
export interface BaselineRecord {
  readonly segments: readonly SegmentRecord[];
  /** Formats without keys: what stood between the segments of the source. Absent in records of 0.1.0. */
  readonly frame?: FrameRecord;
  /** Of the target that holds these segments. */
  readonly targetHash: Hash;
  readonly recipe: RecipeKey;
  /** ISO 8601. */
  readonly at: string;
}

/** What is remembered of a file without keys beside its segments. */
export interface FrameRecord {
  /** Of the source when it was last seen: `segments/frame.ts` packs them. */
  readonly lines: string;
  /** Keys of the texts in the target that belong to no segment: a person's own. Absent: none. */
  readonly own?: readonly string[];
  /** Names what was seen as a text then: the version of the reader, and the settings that bear on it. */
  readonly reading?: string;
  /** With a lock: what both files have beside their texts, as it stood when the target was last written. */
  readonly hashes?: { readonly source: string; readonly target: string };
  /** A person changed the target's, and nobody knows for which source. */
  readonly isUnexplained?: true;
}

/** Whose baseline it is. */
export interface BaselineKey {
  readonly project: string;
  readonly language: LanguageTag;
  /** Of the source, relative to the project's root. */
  readonly path: string;
}

/** The baseline of one source in one language. */
export interface SegmentBaseline {
  /**
   * What the target holds according to us, by segment id; empty at first contact.
   * @param found hash of the target as it stands on the disk, null when none does
   */
  read(found: Hash | null): Promise<ReadonlyMap<string, SegmentRecord>>;
  /** All that is known of the target, as `read` chooses it; undefined at first contact. */
  record(found: Hash | null): Promise<BaselineRecord | undefined>;
  /**
   * Notes what the target is about to hold. Called before it is replaced: a crash in between, or before the ledger
   * hears of it, must never make our own text look like a person's edit.
   * @param replacing hash of the target that will be replaced, null when there is none
   */
  prepare(next: BaselineRecord, replacing: Hash | null): Promise<void>;
  /** What is stored of it, for a thread that reads and prepares it: only one thread has the files open. */
  readonly stored: StoredBaseline;
}

/** A baseline as bytes, whatever they mean. */
export interface StoredBaseline {
  /** Undefined when there are none. */
  read(): Promise<Uint8Array | undefined>;
  /** They are in the files when it resolves: a killed process leaves them there. */
  write(bytes: Uint8Array): Promise<void>;
}

/** Baselines that somebody else may be writing. */
export interface BaselineReader extends AsyncDisposable {
  /**
   * @param wrote hash of the target that the ledger says we left; undefined before the first delivery, or without a ledger
   * @param claim by which it is prepared; in a tree that daemons share, a stale one throws StaleClaim there. Absent: who leads prepares it
   */
  of(key: BaselineKey, wrote: Hash | undefined, claim?: Claim): SegmentBaseline;
}

/** All baselines of a state. */
export interface Baselines extends BaselineReader {
  /** The source's texts as they were when it was last seen; empty when there is no baseline. */
  sources(key: BaselineKey): Promise<readonly Pick<SegmentRecord, 'id' | 'source'>[]>;
  /** Sources were renamed: their baselines go along, all or none, also where they took each other's names. */
  move(moves: readonly BaselineMove[]): Promise<void>;
  /** For `putBack`; undefined when there is none. */
  copyOf(key: BaselineKey): Promise<Uint8Array | undefined>;
  putBack(key: BaselineKey, copy: Uint8Array): Promise<void>;
  remove(key: BaselineKey): Promise<void>;
}

export interface BaselineMove {
  readonly from: BaselineKey;
  readonly to: BaselineKey;
}

/**
 * Who wrote a text. `adopted`: it stood there at first contact, and counts as ours when its source
 * changes. `copied`: it is the source's own text, of a locked key or without a letter in it.
 */
export type Origin = 'machine' | 'human' | 'adopted' | 'copied';

export interface SegmentRecord {
  readonly id: string;
  /** Text of the source that we last saw. */
  readonly source: string;
  /** What we left in the target; null: the key was left out, or a person took the paragraph out. */
  readonly target: readonly Part[] | null;
  readonly origin: Origin;
  /**
   * `held`: no answer was fit to be written, `target` is not its translation. `conflict`: a person's text stands while
   * its source changed, a decision is open. `stale`: the same, and policy says that the person's text stays.
   */
  readonly state: 'ok' | 'held' | 'conflict' | 'stale';
  /** The source that the text in `target` belongs to, where that is no longer `source`; absent from a conflict: unknown. */
  readonly previousSource?: string;
  /** The commit that told it, where this machine never saw it. */
  readonly sourceCommit?: string;
  /** The machine's text for `source`, where a person's stands: bought once, shown beside it. */
  readonly machine?: readonly Part[];
  /** The commit on another side of a merge that had it; absent: it was bought. */
  readonly machineCommit?: string;
  /** The paragraph of the target that has its translation as well, since a person joined them; `target` is null. */
  readonly joined?: readonly Part[];
  /** What a person wrote there for an earlier source, and was replaced when that changed: back when the source is. */
  readonly replaced?: ReplacedText;
  /** What the machine wrote there for earlier sources, as hashes, the latest last; absent: nothing. */
  readonly former?: readonly string[];
  /** Why it is held. */
  readonly problem?: string;
  /** It may be paired in several ways: the lines of both files, in words. `problem` says the same in a sentence. */
  readonly unclear?: string;
  /** What a machine's text in `target` was bought with; absent: unknown. */
  readonly made?: TranslationInputs;
  /** Held until a person approves its price: it stands in a target of ours as the source's text, which was no segment then. */
  readonly awaits?: 'approval';
  /** Of one that awaits approval, what of it was no text: titles of links in a sentence that was bought. Absent: all of it. */
  readonly unseen?: readonly string[];
  /** A person is to look at the text in `target`: the lock says so to the team. */
  readonly review?: 'wanted';
  /** It says which texts belong together, as the lock has it, and nothing else: this machine never saw them. Never kept. */
  readonly isPairing?: true;
  /** It stands in a list that a person made longer, whose elements have other places in the source now. */
  readonly isOutOfOrder?: true;
  /** It is no segment but lines between them that a person and the source both changed (sequences). */
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
  /** The source's timing line when it was last written: where the target has another one, a person moved the cue. */
  readonly timing: string;
  /** What was done to fit a bought text into its cue. */
  readonly notes: readonly CueNote[];
  /** Texts for the service that begin in it: none where it goes on with a sentence, one for each speaker. */
  readonly texts?: number;
  /** On the first cue: what stood around the source's cues when the target was last written (`subtitles/frame.ts`). */
  readonly frame?: string;
}

export type CueNote = 're-cut' | 'repeated' | 'retried' | 'markup dropped';

/** What decided a machine's text beside its source, as short hashes: equal where nothing differs. */
export interface TranslationInputs {
  readonly options: string;
  /** The terms that its source holds; absent: none. */
  readonly terms?: string;
  /** Version of the style list. */
  readonly style?: string;
  /** Of the note that config gives its key; absent: none. */
  readonly note?: string;
}
