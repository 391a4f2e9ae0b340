import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { compose } from '../../src/formats/text/compose.ts';
import type { SegmentPlacement } from '../../src/formats/text/composition.ts';
import { expectedSegments } from '../../src/formats/text/expect.ts';
import { openFile } from '../../src/formats/text/open.ts';
import { xcstrings } from '../../src/formats/xcstrings.ts';
import { parseLanguage } from '../../src/language.ts';
import { describeFormat } from '../contracts/format.ts';
import { plainText } from './literal-arbitraries.ts';

const catalog = `{
  "sourceLanguage" : "en",
  "strings" : {
    "" : {

    },
    "%lld items" : {
      "comment" : "How many",
      "localizations" : {
        "en" : {
          "variations" : {
            "plural" : {
              "one" : {
                "stringUnit" : {
                  "state" : "needs_review",
                  "value" : "%lld item"
                }
              },
              "other" : {
                "stringUnit" : {
                  "state" : "needs_review",
                  "value" : "%lld items"
                }
              }
            }
          }
        }
      }
    },
    "Brand" : {
      "shouldTranslate" : false
    },
    "Done" : {
      "extractionState" : "manual",
      "localizations" : {
        "de" : {
          "stringUnit" : {
            "state" : "translated",
            "value" : "Fertig"
          }
        },
        "en" : {
          "stringUnit" : {
            "state" : "needs_review",
            "value" : "Done it"
          }
        }
      }
    },
    "Hello" : {

    }
  },
  "version" : "1.0"
}
`;

const unit = plainText.map((value) => ({ stringUnit: { state: 'translated', value } }));
const plural = fc
  .tuple(unit, unit)
  .map(([one, other]) => ({ variations: { plural: { one, other } } }));
const language = fc.oneof(
  unit,
  plural,
  plural.map((own) => ({ variations: { device: { mac: own, other: own } } })),
  fc.tuple(unit, plural).map(([own, arg]) => ({
    ...own,
    substitutions: { n: { argNum: 1, formatSpecifier: 'lld', ...arg } },
  })),
  fc
    .array(plainText, { minLength: 1, maxLength: 3 })
    .map((values) => ({ stringSet: { state: 'new', values } })),
);
const entry = fc.oneof(
  fc.constant({}),
  fc.record({
    comment: plainText,
    localizations: fc.record({ de: language, en: language }, { requiredKeys: [] }),
  }),
  fc.record({ extractionState: fc.constantFrom('manual', 'stale') }),
);
const generated = fc
  .tuple(
    fc.uniqueArray(fc.tuple(plainText, entry), { maxLength: 5, selector: ([key]) => key }),
    fc.constantFrom(0, 2),
  )
  .map(([entries, indent]) =>
    JSON.stringify(
      { sourceLanguage: 'en', strings: Object.fromEntries(entries), version: '1.0' },
      null,
      indent,
    ),
  );

describeFormat({
  format: xcstrings,
  file: 'Localizable.xcstrings',
  fixtures: { catalog },
  generated,
  corpus: { folder: 'xcstrings' },
});

const [en, pl] = [parseLanguage('en'), parseLanguage('pl')];
const common = { file: 'Localizable.xcstrings', sourceLanguage: en } as const;

it('the key is the text where the source language has none of its own', () => {
  const { doc } = openFile(Buffer.from(catalog), xcstrings, {
    ...common,
    language: en,
    role: 'source',
  });
  expect(doc.segments.map(({ id, parts, context }) => [id, parts[0], context])).toEqual([
    ['%lld items.variations.plural.one', '%lld item', 'How many'],
    ['%lld items.variations.plural.other', '%lld items', 'How many'],
    ['Done', 'Done it', undefined],
    ['Hello', 'Hello', undefined],
  ]);
});

it('a new language goes beside the others, with its plural forms, and nothing else moves', () => {
  const options = { ...common, language: pl, role: 'target' } as const;
  const source = openFile(Buffer.from(catalog), xcstrings, {
    ...common,
    language: en,
    role: 'source',
  });
  const target = openFile(Buffer.from(catalog), xcstrings, options);
  const placements = new Map<string, SegmentPlacement>([
    ['Done', { kind: 'write', parts: ['Gotowe'] }],
    ['Hello', { kind: 'write', parts: ['Cześć'], state: 'translated' }],
  ]);
  for (const form of ['one', 'few', 'many', 'other']) {
    placements.set(`%lld items.variations.plural.${form}`, {
      kind: 'write',
      parts: [`%lld ${form}`],
    });
  }
  const { text } = compose({ format: xcstrings, options, source, target, placements });
  const parsed = JSON.parse(text);
  expect(Object.keys(parsed.strings['%lld items'].localizations.pl.variations.plural)).toEqual([
    'one',
    'few',
    'many',
    'other',
  ]);
  expect(parsed.strings.Hello.localizations.pl).toEqual({
    stringUnit: { state: 'translated', value: 'Cześć' },
  });
  expect(text).toContain(`        "en" : {
          "stringUnit" : {
            "state" : "needs_review",
            "value" : "Done it"
          }
        },
        "pl" : {
          "stringUnit" : {
            "state" : "needs_review",
            "value" : "Gotowe"
          }
        }
`);
  const lines = new Set(text.split('\n').map((line) => line.replace(/,$/, '')));
  for (const line of catalog.split('\n')) expect(lines).toContain(line.replace(/,$/, ''));
});

it('a text that is written over becomes one to review', () => {
  const de = { ...common, language: parseLanguage('de'), role: 'target' } as const;
  const source = openFile(Buffer.from(catalog), xcstrings, {
    ...common,
    language: en,
    role: 'source',
  });
  const target = openFile(Buffer.from(catalog), xcstrings, de);
  const placements = new Map<string, SegmentPlacement>([
    ['Done', { kind: 'write', parts: ['Erledigt'] }],
  ]);
  const { text } = compose({ format: xcstrings, options: de, source, target, placements });
  expect(text).toBe(
    catalog.replace(
      '"translated",\n            "value" : "Fertig"',
      '"needs_review",\n            "value" : "Erledigt"',
    ),
  );
});

const rich = `{
  "sourceLanguage" : "en",
  "strings" : {
    "" : {

    },
    "Found" : {
      "localizations" : {
        "en" : {
          "stringUnit" : { "state" : "translated", "value" : "Found %#@birds@" },
          "substitutions" : {
            "birds" : {
              "argNum" : 1,
              "formatSpecifier" : "lld",
              "variations" : {
                "plural" : {
                  "one" : { "stringUnit" : { "state" : "translated", "value" : "%arg bird" } },
                  "other" : { "stringUnit" : { "state" : "translated", "value" : "%arg birds" } }
                }
              }
            }
          }
        }
      }
    },
    "phrases" : {
      "localizations" : {
        "en" : { "stringSet" : { "state" : "new", "values" : [ "Order coffee", "Get a coffee" ] } }
      }
    }
  },
  "version" : "1.0"
}
`;

describeFormat({ format: xcstrings, file: 'Rich.xcstrings', fixtures: {}, irregular: { rich } });

it('a new language gets the arguments of its substitutions, and the phrases of a set', () => {
  const options = { ...common, language: pl, role: 'target' } as const;
  const source = openFile(Buffer.from(rich), xcstrings, {
    ...options,
    language: en,
    role: 'source',
  });
  const target = openFile(Buffer.from(rich), xcstrings, options);
  const wanted = expectedSegments(xcstrings, source, { language: pl });
  const placements = new Map(
    wanted.map(({ id, parts }): [string, SegmentPlacement] => [id, { kind: 'write', parts }]),
  );
  const { text } = compose({ format: xcstrings, options, source, target, placements });
  const { Found, phrases, '': none } = JSON.parse(text).strings;
  const unit = (value: string) => ({ stringUnit: { state: 'needs_review', value } });
  expect(Found.localizations.pl).toEqual({
    ...unit('Found %#@birds@'),
    substitutions: {
      birds: {
        argNum: 1,
        formatSpecifier: 'lld',
        variations: {
          plural: {
            one: unit('%arg bird'),
            few: unit('%arg birds'),
            many: unit('%arg birds'),
            other: unit('%arg birds'),
          },
        },
      },
    },
  });
  expect(phrases.localizations.pl).toEqual({
    stringSet: { state: 'needs_review', values: ['Order coffee', 'Get a coffee'] },
  });
  expect(none).toEqual({});
});
