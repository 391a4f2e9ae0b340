import { expect, test } from 'vitest';
import type { LanguageTag } from '../../src/language.ts';
import { guessedSource, languageOfText } from '../../src/sandbox/language-guess.ts';

function languageOf(text: string): string {
  const guess = languageOfText(text);
  return guess.status === 'success' ? guess.language : guess.status;
}

/** A greeting and a sentence in every language that detection knows (docs/design/api.md, "Language detection"). */
const SAMPLES: Readonly<Record<string, readonly [string, string]>> = {
  en: ['Good morning', 'The train leaves at nine, please be there.'],
  de: ['Guten Tag', 'Der Zug fährt um neun Uhr, bitte seien Sie da.'],
  fr: ['Bonsoir', 'Le train part à neuf heures, merci d’être là.'],
  es: ['Buenos días', 'El tren sale a las nueve, por favor esté allí.'],
  pt: ['Bom dia', 'O trem sai às nove, por favor não se atrase.'],
  it: ['Buongiorno', 'Il treno parte alle nove, per favore non fare tardi.'],
  nl: ['Goedemorgen', 'De trein vertrekt om negen uur, kom niet te laat.'],
  pl: ['Dzień dobry', 'Pociąg odjeżdża o dziewiątej, proszę się nie spóźnić.'],
  ru: ['Добрый день', 'Поезд уходит в девять, пожалуйста, не опаздывайте.'],
  zh: ['你好', '火车九点出发，请不要迟到。'],
  ja: ['こんにちは', '電車は九時に出ます。'],
  bg: ['Добър ден', 'Влакът тръгва в девет, моля не закъснявайте.'],
  cs: ['Dobrý den', 'Vlak odjíždí v devět, prosím přijďte včas.'],
  da: ['Goddag', 'Hvad er klokken? Toget kører klokken ni.'],
  el: ['Καλημέρα', 'Το τρένο φεύγει στις εννέα.'],
  et: ['Tere hommikust', 'Rong väljub kell üheksa, palun ärge hilinege.'],
  fi: ['Hyvää päivää', 'Juna lähtee kello yhdeksän, ja se on täynnä.'],
  hu: ['Jó napot', 'A vonat kilenckor indul, kérem, ne késsen el.'],
  lt: ['Laba diena', 'Traukinys išvyksta devintą, prašome nevėluoti.'],
  lv: ['Labdien', 'Vilciens atiet deviņos, lūdzu nekavējiet.'],
  ro: ['Bună ziua', 'Trenul pleacă la nouă, vă rog nu întârziați.'],
  sk: ['Dobrý deň', 'Ako sa máte? Vlak odchádza o deviatej, ďakujem.'],
  sl: ['Dober dan', 'Vlak odpelje ob devetih, prosim ne zamujajte.'],
  sv: ['God morgon', 'Tåget går klockan nio, och jag är redan där.'],
  tr: ['Günaydın', 'Tren saat dokuzda kalkıyor, lütfen geç kalmayın.'],
  id: ['Selamat pagi', 'Kereta berangkat jam sembilan, silakan datang tepat waktu.'],
  uk: ['Доброго дня', 'Потяг відходить о дев’ятій, будь ласка, не запізнюйтесь.'],
  ko: ['안녕하세요', '기차는 아홉 시에 떠납니다.'],
  nb: ['God kveld', 'Toget går klokka ni, og jeg vet ikke hva du mener, takk.'],
  ar: ['صباح الخير', 'يغادر القطار في التاسعة.'],
  vi: ['Xin chào', 'Tàu chạy lúc chín giờ.'],
  he: ['שלום', 'הרכבת יוצאת בתשע.'],
  th: ['สวัสดี', 'รถไฟออกเก้าโมง'],
};

test.each(Object.entries(SAMPLES))('%s is found in a greeting and in a sentence', (lang, texts) => {
  expect(texts.map(languageOf)).toEqual([lang, lang]);
});

test.each(['God dag', 'Zzyzx', 'no', 'Café', 'come', 'Die', 'Bin'])(
  '"%s" may be several languages',
  (text) => {
    expect(languageOfText(text)).toEqual({ status: 'insufficient_confidence' });
  },
);

test('a name with a foreign letter does not change the language of a sentence', () => {
  expect(languageOf('The house of Müller is here, and we like it.')).toBe('en');
});

test('letters that were written with combining marks count as the same letters', () => {
  expect(languageOf('Buenos días'.normalize('NFD'))).toBe('es');
});

const LABELS: Readonly<Record<string, readonly string[]>> = {
  en: ['Settings', 'Search', 'Your password is required'],
  de: ['Speichern', 'Einstellungen', 'Anmelden', 'Datei öffnen', 'Löschen'],
  fr: ['Enregistrer', 'Paramètres', 'Se connecter', 'Ouvrir le fichier', 'Annuler'],
  es: ['Configuración', 'Iniciar sesión', 'Abrir archivo', 'Contraseña', 'Ayuda'],
};

test.each(Object.entries(LABELS))('labels of programs in %s are recognised', (lang, labels) => {
  expect(labels.map((label) => [label, languageOf(label)])).toEqual(
    labels.map((label) => [label, lang]),
  );
});

test.each(['Café', 'Die', 'OK', 'Zzyzx', '12', '', 'Բարեւ'])(
  'the language of %j is never guessed to be its target language',
  (text) => {
    for (const target of ['en-US', 'de', 'fr', 'es-419'] as LanguageTag[]) {
      expect(target).not.toMatch(new RegExp(`^${guessedSource(text, target)}`));
    }
  },
);

test('a text that is certainly in the expected language is recognised', () => {
  expect(guessedSource('Guten Tag', 'de-CH' as LanguageTag)).toBe('de');
});
