/** The pages of the documentation site, in the order of its menu. A test asserts that no page of docs/ is missing. */

export interface PageEntry {
  /** The Markdown file, relative to the repository; absent for a page that is made from code. */
  readonly file?: string;
  /** The address within the site. */
  readonly address: string;
  readonly title: string;
}

export interface Chapter {
  readonly title: string;
  readonly pages: readonly PageEntry[];
}

export const CHAPTERS: readonly Chapter[] = [
  {
    title: 'Start',
    pages: [
      page('docs/index.md', 'What, why, five minutes'),
      page('docs/init.md', 'The first config'),
      page('docs/migrating.md', 'From another tool'),
    ],
  },
  {
    title: 'By role',
    pages: [
      page('docs/guides/developer.md', 'Developer'),
      page('docs/guides/translator.md', 'Translator'),
      page('docs/guides/operator.md', 'Operator'),
      page('docs/guides/ci.md', 'CI'),
    ],
  },
  {
    title: 'By ecosystem',
    pages: [
      page('docs/ecosystems/i18next.md', 'React and i18next'),
      page('docs/ecosystems/rails.md', 'Rails'),
      page('docs/ecosystems/android.md', 'Android'),
      page('docs/ecosystems/apple.md', 'Apple'),
      page('docs/ecosystems/flutter.md', 'Flutter'),
      page('docs/ecosystems/qt.md', 'Qt'),
      page('docs/ecosystems/gettext.md', 'gettext'),
      page('docs/ecosystems/laravel.md', 'Laravel'),
      page('docs/ecosystems/docs-sites.md', 'Documentation sites'),
    ],
  },
  {
    title: 'Files',
    pages: [
      page('docs/resource-files.md', 'Resource files'),
      page('docs/running-text.md', 'Running text'),
      page('docs/documents.md', 'Documents'),
      page('docs/subtitles.md', 'Subtitles'),
      page('docs/voice.md', 'Recordings'),
    ],
  },
  {
    title: 'Quality',
    pages: [
      page('docs/glossaries.md', 'Glossaries'),
      page('docs/styles.md', 'Style lists'),
      page('docs/review.md', 'Reviews'),
    ],
  },
  {
    title: 'Running it',
    pages: [
      page('docs/teams.md', 'Several people and runners'),
      page('docs/cluster.md', 'A tree that outlives its machine'),
      page('docs/operations.md', 'Operations'),
      page('docs/page.md', 'The web page'),
      page('docs/recovery.md', 'What do I do when'),
    ],
  },
  {
    title: 'Reference',
    pages: [
      { address: 'command-reference.html', title: 'All commands' },
      page('docs/config.md', 'All settings'),
      page('docs/commands.md', 'Commands for scripts'),
      page('docs/library.md', 'The client as a library'),
      page('CHANGELOG.md', 'What changed', 'changelog.html'),
    ],
  },
  {
    title: 'Contributing',
    pages: [
      page('ARCHITECTURE.md', 'Architecture', 'architecture.html'),
      page('docs/adding-a-format.md', 'Adding a format'),
      page('docs/adding-a-command.md', 'Adding a command'),
      page('docs/adding-a-ledger.md', 'Adding a ledger'),
      page('docs/small-changes.md', 'Small changes'),
      page('docs/torture.md', 'Torture and fuzzing'),
      page('docs/design/api.md', 'The API'),
      page('docs/design/durability.md', 'Limits, writers and files'),
    ],
  },
];

function page(
  file: string,
  title: string,
  address = file.slice('docs/'.length).replace(/\.md$/, '.html'),
): PageEntry {
  return { file, address, title };
}
