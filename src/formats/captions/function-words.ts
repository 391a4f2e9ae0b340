/** The most frequent words, by language, that a line or cue should not end with, since they belong to the next word. */
import { baseLanguage, type LanguageTag } from '../../language.ts';

const FUNCTION_WORDS: Readonly<Record<string, string>> = {
  en: 'and or but that because as when if of in on with for without about to from by at into than the a an this these those my your his her its our their it not is are was were i you he she we they',
  es: 'y e o u ni que pero porque como cuando si de del en del con por para sin sobre a al el la los las un una unos unas su sus mi tu este esta lo se no me te nos le les',
  de: 'und oder aber dass weil wenn als wie von in im mit für auf an am zu zum zur aus bei nach um vor der die das den dem des ein eine einen einem einer eines mein dein sein ihr sich nicht ist sind ich du er sie es wir',
  fr: 'et ou mais que qui parce comme quand si de du des en dans avec pour par sans sur à au aux le la les un une ce cette ces mon ton son ma ta sa se ne je tu il elle on nous vous',
  it: 'e o ma che perché come quando se di del della in nel con per senza su a al da il lo la i gli le un una uno questo si non mi ti ci',
  pt: 'e ou mas que porque como quando se de do da em no na com por para sem sobre a ao o os as um uma este esta não me te',
  nl: 'en of maar dat omdat als toen van in op met voor zonder over aan te naar bij de het een deze dit mijn je zijn haar niet is ik hij ze we',
  pl: 'i lub ale że bo jak gdy jeśli z ze w we na do od po przez dla o u nie się to jest',
  sv: 'och eller men att för som när om av i på med till från utan en ett den det de min din inte är jag du han hon vi',
  ru: 'и или но что потому как когда если в во на с со из к от по для о об не это за у',
};

const SETS = new Map(
  Object.entries(FUNCTION_WORDS).map(([code, words]) => [code, new Set(words.split(' '))]),
);
const NONE: ReadonlySet<string> = new Set();

/** In lower case; empty for languages that are not listed. */
export function functionWords(language: LanguageTag): ReadonlySet<string> {
  return SETS.get(baseLanguage(language)) ?? NONE;
}
