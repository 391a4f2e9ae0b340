/** Blocks of pages as real documentation has them, each with what a person made of it in French: words, code comments, links. */

export interface Block {
  readonly name: string;
  readonly en: string;
  readonly fr: string;
  /** The source after an edit that asks for one text of it. */
  readonly edited?: readonly [from: string, to: string];
}

const block = (
  name: string,
  en: string,
  fr: string,
  edited?: readonly [string, string],
): Block => ({
  name,
  en,
  fr,
  ...(edited === undefined ? {} : { edited }),
});

export const MARKDOWN_BLOCKS: readonly Block[] = [
  block(
    'a paragraph with a link',
    'Read [the guide](/en/guide) before you start.',
    'Lisez [le guide](/fr/guide) avant de commencer.',
    ['before you start', 'before you begin'],
  ),
  block(
    'a heading with an anchor',
    '## Install the tool {#install}',
    '## Installer l’outil {#install}',
    ['Install the tool', 'Install the program'],
  ),
  block(
    'an underlined heading',
    'Getting help\n------------',
    'Obtenir de l’aide\n-----------------',
    ['Getting help', 'Getting support'],
  ),
  block(
    'a tight list',
    '- First point of all\n- Second point of all\n- Third point of all',
    '* Premier point de tous\n* Deuxième point de tous\n* Troisième point de tous',
    ['Second point of all', 'Second point of some'],
  ),
  block(
    'a nested list',
    '- Outer entry here\n  - Inner entry one\n  - Inner entry two\n- Last outer entry',
    '- Entrée extérieure ici\n    - Entrée intérieure une\n    - Entrée intérieure deux\n- Dernière entrée extérieure',
    ['Inner entry two', 'Inner entry three'],
  ),
  block(
    'steps with code',
    '1. Run this command:\n\n   ```bash\n   # install it\n   npm i tool\n   ```\n\n2. Open the page.',
    '1. Lancez cette commande :\n\n   ```bash\n   # installez-le\n   npm i tool\n   ```\n\n2. Ouvrez la page.',
    ['Open the page', 'Open the window'],
  ),
  block(
    'an alert',
    '> [!NOTE]\n> Keep the key secret.\n> Nobody else may see it.',
    '> [!NOTE]\n> Gardez la clé secrète.\n> Personne d’autre ne doit la voir.',
    ['secret', 'safe'],
  ),
  block(
    'a container',
    ':::tip Good to know\n\nUse the short form of it.\n\n:::',
    ':::tip Bon à savoir\n\nUtilisez la forme courte.\n\n:::',
    ['short form', 'long form'],
  ),
  block(
    'a tight container',
    '::: warning\nThis removes all your data.\n:::',
    '::: warning\nCela supprime toutes vos données.\n:::',
    ['removes all', 'deletes all'],
  ),
  block(
    'an admonition of MkDocs',
    '!!! note "Mind the gap"\n    The indented text of a note.',
    '!!! note "Attention à la marche"\n    Le texte indenté d’une note.',
  ),
  block(
    'a shortcode',
    '{{< note >}}\nThe words inside of a shortcode.\n{{< /note >}}',
    '{{< note >}}\nLes mots dans un shortcode.\n{{< /note >}}',
    ['The words', 'Many words'],
  ),
  block(
    'an include of Jekyll',
    '{% include alert.html kind="info" %}\n\nWords behind an include.',
    '{% include alert.html kind="info" lang="fr" %}\n\nDes mots derrière une inclusion.',
    ['Words behind', 'Text behind'],
  ),
  block(
    'a table',
    '| Name | Meaning |\n| --- | --- |\n| alpha | the first letter |\n| omega | the last letter |',
    '| Nom | Signification |\n|:----|:--------------|\n| alpha | la première lettre |\n| oméga | la dernière lettre |',
    ['the last letter', 'the final letter'],
  ),
  block(
    'details',
    '<details>\n<summary>Show the whole answer</summary>\n\nThe hidden answer stands here.\n\n</details>',
    '<details>\n<summary>Montrer toute la réponse</summary>\n\nLa réponse cachée est ici.\n\n</details>',
    ['hidden answer', 'secret answer'],
  ),
  block(
    'paragraphs of HTML',
    '<p align="center">\n  <img src="/en/logo.png" alt="Our logo">\n</p>',
    '<p align="center">\n  <img src="/fr/logo.png" alt="Notre logo">\n</p>',
  ),
  block(
    'code with a comment',
    '```ts title="app.ts"\n// start the server here\nserve();\n```',
    '```ts title="app.ts"\n// démarrez le serveur ici\nserve();\n```',
    ['serve()', 'serve(80)'],
  ),
  block(
    'a footnote',
    'This is proved elsewhere.[^1]\n\n[^1]: In the second book of it.',
    'C’est prouvé ailleurs.[^1]\n\n[^1]: Dans le deuxième livre.',
    ['second book', 'third book'],
  ),
  block(
    'a reference',
    'See [the rules][rules] of the game.\n\n[rules]: /en/rules "The rules"',
    'Voir [les règles][rules] du jeu.\n\n[rules]: /fr/regles "Les règles"',
    ['of the game', 'of the match'],
  ),
  block(
    'hard breaks',
    'One line of a poem,\\\nand another line of it.',
    'Une ligne d’un poème,\\\net une autre ligne.',
    ['another line', 'a second line'],
  ),
  block(
    'a task list',
    '- [x] Write the text down\n- [ ] Read the text again',
    '- [x] Écrire le texte\n- [ ] Relire le texte',
    ['Read the text again', 'Read the text aloud'],
  ),
  block(
    'math',
    'The sum $a + b = c$ is known.\n\n$$\nx = y\n$$',
    'La somme $a + b = c$ est connue.\n\n$$\nx = y\n$$',
    ['is known', 'is well known'],
  ),
  block(
    'an image with a title',
    '![A red house](/img/en/house.png "The house in spring")',
    '![Une maison rouge](/img/fr/house.png "La maison au printemps")',
    ['A red house', 'A blue house'],
  ),
  block(
    'a comment',
    '<!-- keep this comment -->\nText right behind a comment.',
    '<!-- garder ce commentaire -->\nTexte juste derrière un commentaire.',
  ),
  block(
    'a list in a quote',
    '> - Quoted point one here\n> - Quoted point two here',
    '> - Point cité un ici\n> - Point cité deux ici',
    ['point two', 'point three'],
  ),
  block(
    'a loose list with paragraphs',
    '- A point with more to say.\n\n  The second paragraph of the point.\n\n- Another point without more.',
    '- Un point avec plus à dire.\n\n  Le deuxième paragraphe du point.\n\n- Un autre point sans plus.',
    ['second paragraph', 'last paragraph'],
  ),
  block(
    'a bold lead',
    '**Note:** the *order* of `keys` is kept.',
    '**Remarque :** l’*ordre* des `keys` est conservé.',
    ['is kept', 'is not kept'],
  ),
  block('a rule', '---', '---'),
  block(
    'a definition list',
    'Locale\n: The language and its region.',
    'Locale\n: La langue et sa région.',
    ['and its region', 'and its country'],
  ),
  block(
    'badges',
    '[![build](https://x.test/b.svg)](https://x.test/b) [![npm](https://x.test/n.svg)](https://x.test/n)',
    '[![build](https://x.test/b.svg)](https://x.test/b) [![npm](https://x.test/n.svg)](https://x.test/n)',
  ),
  block(
    'attributes of kramdown',
    'A lead paragraph of the page.\n{: .lead}',
    'Un paragraphe de tête de la page.\n{: .lead}',
    ['of the page', 'of the site'],
  ),
];

export const MDX_BLOCKS: readonly Block[] = [
  block(
    'imports',
    "import { Tabs, TabItem } from '../../components'\nimport Card from '../../card.astro'",
    "import { Tabs, TabItem } from '../../../components'\nimport Card from '../../../card.astro'",
  ),
  block(
    'tabs',
    '<Tabs>\n  <TabItem label="Windows users">\n\n  Download the setup file.\n\n  </TabItem>\n  <TabItem label="Linux users">\n\n  Use your package manager.\n\n  </TabItem>\n</Tabs>',
    '<Tabs>\n  <TabItem label="Utilisateurs de Windows">\n\n  Téléchargez le fichier.\n\n  </TabItem>\n  <TabItem label="Utilisateurs de Linux">\n\n  Utilisez votre gestionnaire.\n\n  </TabItem>\n</Tabs>',
    ['Download the setup file', 'Download the archive'],
  ),
  block(
    'a card',
    '<Card\n  title="Fast and small"\n  href="/en/fast"\n>\n  It starts in no time.\n</Card>',
    '<Card\n  title="Rapide et petit"\n  href="/fr/rapide"\n>\n  Il démarre en un rien de temps.\n</Card>',
    ['in no time', 'at once'],
  ),
  block(
    'an export',
    'export const year = 2024 // the year of it',
    'export const year = 2024 // son année',
  ),
  block(
    'an expression',
    'It is the year {year} today.\n\n{/* a comment of ours */}',
    'Nous sommes en {year} aujourd’hui.\n\n{/* un commentaire */}',
    ['today', 'now'],
  ),
  block(
    'steps',
    '<Steps>\n\n1. Make a new project.\n\n2. Start the development server.\n\n</Steps>',
    '<Steps>\n\n1. Créez un nouveau projet.\n\n2. Démarrez le serveur de développement.\n\n</Steps>',
    ['a new project', 'a second project'],
  ),
  block(
    'inline elements',
    'Press <kbd>Ctrl</kbd> and <Key name="F5" /> to reload.',
    'Appuyez sur <kbd>Ctrl</kbd> et <Key name="F5" /> pour recharger.',
    ['to reload', 'to start'],
  ),
  block(
    'an aside',
    '<Aside type="caution">The old way still works.</Aside>',
    '<Aside type="caution">L’ancienne façon marche encore.</Aside>',
    ['old way', 'former way'],
  ),
];
