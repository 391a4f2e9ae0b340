/** Locks of other tools, in the form that the tools write. */
import { expect, test } from 'vitest';
import { LOCKS } from '../../../src/cli/init/from/tool-lock.ts';
import type { LanguageTag } from '../../../src/language.ts';
import { sourceHash } from '../../../src/segments/statements.ts';

const de = 'de' as LanguageTag;

test('DeepL sync: the text of the last run, another text, a review, and a failure', () => {
  const entry = (text: string, made: object) => ({
    source_hash: 'now',
    source_text: text,
    translations: { de: { hash: 'now', status: 'translated', ...made } },
  });
  const lock = LOCKS.get('DeepL sync')?.read(
    {
      version: 1,
      entries: {
        'locales/en.json': {
          same: entry('Save', {}),
          lagging: entry('Open', { hash: 'before' }),
          reviewed: entry('Close', { review_status: 'human_reviewed' }),
          failed: entry('Quit', { status: 'failed' }),
        },
      },
    },
    'en',
  );
  const said = (key: string, language = de) =>
    lock?.({ path: 'locales/en.json', key, language, text: 'whatever' });
  expect(said('same')).toEqual({ source: sourceHash('Save'), mark: 'machine' });
  expect(said('lagging')).toEqual({ source: '--------', mark: 'machine' });
  expect(said('reviewed')).toMatchObject({ review: 'reviewed' });
  expect(said('failed')).toBeUndefined();
  expect(said('unknown')).toBeUndefined();
  expect(said('same', 'fr' as LanguageTag)).toBeUndefined();
});

test('lingo.dev: checksums of texts, under the checksum of the path’s pattern', () => {
  // Made by the tool itself for these texts and this path.
  const lock = LOCKS.get('lingo.dev')?.read(
    {
      version: 1,
      checksums: {
        '17462cde20b0614eede3bfcb96108fdb': {
          'portfolio.skills': '158888d8c2f63d0fbe5db8d56df43fbc',
          'portfolio/a%20b': 'd54d950e3c2eee15eccd58910b326bbf',
        },
      },
    },
    'en',
  );
  const path = 'src/utils/dictionaries/en.json';
  const said = (key: string, text: string) => lock?.({ path, key, text, language: de });
  expect(said('portfolio.skills', 'SKILLS')).toEqual({
    source: sourceHash('SKILLS'),
    mark: 'adopted',
  });
  expect(said('portfolio.skills', 'Skills')).toEqual({ source: '--------', mark: 'adopted' });
  expect(said('portfolio.a b', 'OTHER')).toMatchObject({ source: sourceHash('OTHER') });
  expect(said('portfolio.new', 'NEW')).toBeUndefined();
});
