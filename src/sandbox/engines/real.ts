/**
 * The real engine: apertium translates, pocketsphinx recognises speech, espeak-ng speaks, ffmpeg converts, if these programs are installed.
 * Pairs that apertium does not know use the pseudo engine.
 */
import { baseLanguage, type LanguageTag } from '../../language.ts';
import type { Engine, EngineRecipe } from '../engine.ts';
import { markedText } from './language-mark.ts';
import { pseudo } from './pseudo.ts';
import { type Direction, findDirections, routeBetween } from './real-directions.ts';
import { missingPrograms } from './real-programs.ts';
import { hearSpeech, makeSpeech } from './real-speech.ts';
import { Stream, toStream, unwrap } from './real-stream.ts';

const TRANSLATING = ['bash', 'apertium-wblank-mode', 'lt-proc'];
const HEARING = ['pocketsphinx_continuous', 'ffmpeg'];
const SPEAKING = ['espeak-ng', 'ffmpeg'];

/** @throws Error that names the packages when apertium is not installed; without the other programs, voice works as with `pseudo` */
export async function openRealEngine(): Promise<Engine & AsyncDisposable> {
  const missing = await missingPrograms(TRANSLATING);
  const directions = await findDirections();
  if (missing.length > 0 || directions.length === 0) {
    throw new Error(
      'The engine "real" needs apertium: apt-get install apertium apertium-eng-spa apertium-fr-es apertium-spa-ita apertium-es-pt',
    );
  }
  const translator = new ApertiumEngine(directions);
  return {
    name: 'real',
    translate: (texts, recipe) => translator.translate(texts, recipe),
    ...((await missingPrograms(HEARING)).length === 0 && { transcribe: hearSpeech }),
    ...((await missingPrograms(SPEAKING)).length === 0 && { speak: makeSpeech }),
    [Symbol.asyncDispose]: () => translator.close(),
  };
}

class ApertiumEngine {
  readonly #directions: readonly Direction[];
  /** An open direction takes 100 to 280 MB, so it is opened when it is first used. */
  readonly #streams = new Map<Direction, Stream>();

  constructor(directions: readonly Direction[]) {
    this.#directions = directions;
  }

  async translate(texts: readonly string[], recipe: EngineRecipe): Promise<readonly string[]> {
    const route = routeBetween(
      this.#directions,
      short(recipe.source, this.#directions),
      short(recipe.target, this.#directions),
    );
    if (route === undefined) return texts.map((text) => pseudo(text, recipe));
    return Promise.all(texts.map((text) => this.#through(route, text, recipe)));
  }

  async #through(route: readonly Direction[], text: string, recipe: EngineRecipe): Promise<string> {
    let wrapped = toStream(text, recipe);
    for (const direction of route) wrapped = await this.#stream(direction).translate(wrapped);
    const answer = unwrap(wrapped);
    return recipe.marks.length === 0 ? answer : markedText(answer, recipe, 0);
  }

  #stream(direction: Direction): Stream {
    const open = this.#streams.get(direction) ?? new Stream(direction.mode);
    this.#streams.set(direction, open);
    return open;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#streams.values()].map((stream) => stream.close()));
  }
}

/** The variant if a direction has it, else the base language. */
function short(tag: LanguageTag, directions: readonly Direction[]): string {
  return directions.some(({ to }) => to === tag) ? tag : baseLanguage(tag);
}
