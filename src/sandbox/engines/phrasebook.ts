/**
 * The phrasebook engine: exact translations from a JSON file `{ "de": { "Hello": "Hallo" } }`, pseudo for everything else. The key is the
 * target language or its base; texts are compared without outer white space.
 */
import { readText } from '../../files/read-file.ts';
import { baseLanguage } from '../../language.ts';
import type { Engine, EngineRecipe } from '../engine.ts';
import { isObject } from '../fields.ts';
import { markedText } from './language-mark.ts';
import { pseudo } from './pseudo.ts';

type Phrasebook = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** @throws Error when the file cannot be read or is not a phrasebook. */
export async function openPhrasebook(file: string): Promise<Engine> {
  const book: unknown = JSON.parse(await readText(file));
  if (!isPhrasebook(book)) {
    throw new Error(`${file} is no phrasebook: { "de": { "Hello": "Hallo" } } is expected`);
  }
  return phrasebookEngine(book);
}

export function phrasebookEngine(book: Phrasebook): Engine {
  return {
    name: 'phrasebook',
    translate: (texts, recipe) =>
      texts.map((text) => lookUp(book, text, recipe) ?? pseudo(text, recipe)),
  };
}

function lookUp(book: Phrasebook, text: string, recipe: EngineRecipe): string | undefined {
  const phrase = text.trim();
  const found = [recipe.target, baseLanguage(recipe.target)]
    .map((lang) => book[lang])
    .find((phrases) => phrases !== undefined && Object.hasOwn(phrases, phrase))?.[phrase];
  if (found === undefined) return undefined;
  const start = text.indexOf(phrase);
  const written = recipe.marks.length === 0 ? found : markedText(found, recipe, 0);
  return `${text.slice(0, start)}${written}${text.slice(start + phrase.length)}`;
}

function isPhrasebook(value: unknown): value is Phrasebook {
  return isObject(value) && Object.values(value).every(isPhrases);
}

function isPhrases(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((each) => typeof each === 'string');
}
