/** Sections that both pages name by the same ids are pairs, in any order: a glossary is sorted anew in each language. */
import { expect, test } from 'vitest';
import type { Format, FormatOptions } from '../../src/format.ts';
import { html } from '../../src/formats/html.ts';
import { markdown } from '../../src/formats/markdown.ts';
import { featuresOf } from '../../src/segments/features.ts';
import { pairByLikeness } from '../../src/segments/pairing.ts';

function paired(format: Format, source: string, target: string) {
  const featuresIn = (text: string, role: 'source' | 'target') => {
    const options = { file: 'page', role, sourceLanguage: 'en', language: 'fr' };
    return featuresOf(text, format.parse(text, options as unknown as FormatOptions).segments);
  };
  const [ours, theirs] = [featuresIn(source, 'source'), featuresIn(target, 'target')];
  const { pairs, ...others } = pairByLikeness(ours, theirs) ?? { pairs: [] };
  const named = [...pairs]
    .sort((one, other) => one.a - other.a)
    .map(({ a, b }) => `${ours[a]?.text.match(WORD)?.[0]} = ${theirs[b]?.text.match(WORD)?.[0]}`);
  return { named, ...others };
}

/** The first word outside of tags. */
const WORD = /(?<![<\w="/.{#])\p{L}[\p{L}’'.-]*(?![\w"]*=)(?=[ .:,]|<|$)/u;

const SEE = {
  en: 'See: <a href="auth.html">Authentication</a>',
  fr: 'Voir : <a href="auth.html">l’authentification</a>',
};

const GLOSSARY = {
  en: `<h1>Glossary</h1><p>This explains the words of this manual.</p><dl>
<dt><a name="access" id="access">Access</a></dt><dd>Limits of what somebody may open. ${SEE.en}</dd>
<dt><a name="cipher" id="cipher">Cipher</a></dt><dd>A way to hide what is in a message.</dd>
<dt><a name="directive" id="directive">Directive</a></dt><dd>Tells the server what to do. ${SEE.en}</dd>
<dt><a name="key" id="key">Key</a></dt><dd>Opens what the cipher has hidden.</dd>
</dl><p>Written by many people.</p>`,
  fr: `<h1>Glossaire</h1><p>Ceci explique les mots de ce manuel.</p><dl>
<dt><a name="cipher" id="cipher">Chiffre</a></dt><dd>Un moyen de cacher le contenu d’un message.</dd>
<dt><a name="key" id="key">Clé</a></dt><dd>Ouvre ce que le chiffre a caché.</dd>
<dt><a name="access" id="access">Contrôle</a></dt><dd>Limites de ce qu’on peut ouvrir. ${SEE.fr}</dd>
<dt><a name="directive" id="directive">Directive</a></dt><dd>Dit au serveur ce qu’il doit faire. ${SEE.fr}</dd>
</dl><p>Écrit par beaucoup de monde.</p>`,
};

test('terms with ids that are sorted anew are pairs, with their explanations', () => {
  const { named, ...others } = paired(html, GLOSSARY.en, GLOSSARY.fr);
  expect(named).toEqual([
    'Glossary = Glossaire',
    'This = Ceci',
    'Access = Contrôle',
    'Limits = Limites',
    'Cipher = Chiffre',
    'A = Un',
    'Directive = Directive',
    'Tells = Dit',
    'Key = Clé',
    'Opens = Ouvre',
    'Written = Écrit',
  ]);
  expect(others).toMatchObject({ doubts: [], added: { source: [], target: [] } });
});

test('headings with ids that are sorted anew are pairs, with their paragraphs', () => {
  const { named, ...others } = paired(
    markdown,
    '# Words\n\nAll words.\n\n## Barn {#barn}\n\nWhere hay is kept.\n\n## Dog {#dog}\n\nIt barks all day.\n\n## Horse {#horse}\n\nIt eats the hay.\n',
    '# Mots\n\nTous les mots.\n\n## Cheval {#horse}\n\nIl mange le foin.\n\n## Chien {#dog}\n\nIl aboie toujours.\n\n## Grange {#barn}\n\nOn y garde le foin.\n',
  );
  expect(named).toEqual([
    'Words = Mots',
    'All = Tous',
    'Barn = Grange',
    'Where = On',
    'Dog = Chien',
    'It = Il',
    'Horse = Cheval',
    'It = Il',
  ]);
  expect(others).toMatchObject({ doubts: [], added: { source: [], target: [] } });
});

test('a term that only the translation has stays alone, and the texts below the list are pairs', () => {
  const own = '<dt><a name="own" id="own">Nôtre</a></dt><dd>Un mot à nous, et rien d’autre.</dd>';
  const target = GLOSSARY.fr.replace('<dt><a name="directive"', `${own}\n<dt><a name="directive"`);
  const { named, ...others } = paired(html, GLOSSARY.en, target);
  expect(named).toEqual(expect.arrayContaining(['Access = Contrôle', 'Key = Clé', 'Tells = Dit']));
  expect(named).toContain('Written = Écrit');
  expect(others).toMatchObject({ doubts: [], added: { source: [], target: [8, 9] } });
});

test('ids that a program counted in each page are no names', () => {
  const page = (ids: readonly number[], texts: readonly string[]) =>
    texts
      .map((text, at) => {
        const mark = `<a id="idm${ids[at]}" class="indexterm"></a>`;
        return `<p>${text}${mark} and more of it.</p>\n`;
      })
      .join('');
  const en = page(
    [1829, 1954, 2047, 1870],
    ['Install 21 of it', 'Divert 32 of it', 'Run 43 of it', 'Details 54 of it'],
  );
  const fr = page(
    [1870, 2047, 2101, 1911],
    ['Installez 21 de cela', 'Détournez 32 de cela', 'Lancez 43 de cela', 'Détails 54 de cela'],
  );
  const { named, ...others } = paired(html, en, fr);
  expect(named).toEqual([
    'Install = Installez',
    'Divert = Détournez',
    'Run = Lancez',
    'Details = Détails',
  ]);
  expect(others).toMatchObject({ doubts: [], added: { source: [], target: [] } });
});

test('numbered ids of sections are names where both pages have the same ones', () => {
  const section = (id: number, text: string) => `<p id="step-${id}">${text}</p>\n`;
  const en = [section(1, 'Open it.'), section(2, 'Read it.'), section(3, 'Close it.')];
  const fr = [section(3, 'Fermez-le.'), section(1, 'Ouvrez-le.'), section(2, 'Lisez-le.')];
  expect(paired(html, en.join(''), fr.join('')).named).toEqual([
    'Open = Ouvrez-le.',
    'Read = Lisez-le.',
    'Close = Fermez-le.',
  ]);
});
