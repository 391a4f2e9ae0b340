/** The engine contract: an engine translates texts inside the sandbox. */
import type { LanguageTag } from '../language.ts';
import type { Markup } from './markup.ts';

export interface Engine extends Partial<AsyncDisposable> {
  readonly name: string;
  /** One answer per text, in order. Deterministic: equal texts and recipe give equal answers. */
  translate(
    texts: readonly string[],
    recipe: EngineRecipe,
  ): readonly string[] | Promise<readonly string[]>;
  /** Recognises speech; absent: the voice resource uses a made-up transcript. */
  transcribe?(audio: Audio): Promise<readonly Utterance[]>;
  /** Speaks a text as 16-bit little-endian mono PCM; absent: the voice resource makes a tone. */
  speak?(speech: RecognisedSpeech): Promise<Uint8Array>;
}

/** How to translate: everything that may change the answer, with ids already resolved. */
export interface EngineRecipe extends Markup {
  readonly source: LanguageTag;
  readonly target: LanguageTag;
  /** Source phrase -> target phrase, from the dictionary of the language pair. */
  readonly terms?: ReadonlyMap<string, string>;
  /** Further options (`more`, `style-1a2b3c4d.3`): the answer shows them, so that a test can see that they were applied. */
  readonly marks: readonly string[];
}

export interface Audio {
  readonly file: string;
  readonly content_type: string;
  readonly language: LanguageTag | undefined;
}

/** Times in milliseconds from the start of the recording. */
export interface Utterance {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface RecognisedSpeech {
  readonly text: string;
  readonly language: LanguageTag;
  /** Samples per second. */
  readonly rate: number;
}
