/** The pure rules of documents. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Fingerprint, Hash, JobId, Stat } from '../../../src/job.ts';
import {
  besidePath,
  type DocumentSituation,
  decideDocument,
  withoutMachine,
} from '../../../src/lanes/document/decisions/decide.ts';
import { billedFor, wrongBeginning } from '../../../src/lanes/document/decisions/kinds.ts';
import { asksForPassword } from '../../../src/lanes/document/decisions/pdf-lock.ts';
import { plainTexts } from '../../../src/lanes/document/decisions/plain-text.ts';
import { isAskedAgain } from '../../../src/lanes/document/decisions/renewal.ts';
import { notReadyDelay } from '../../../src/lanes/document/download.ts';
import type { LanguageTag } from '../../../src/language.ts';
import {
  type DocumentPurchase,
  type DocumentRecipe,
  pollDelay,
  purchaseKey,
} from '../../../src/state/document-purchase.ts';
import { LOCKED_PDF, RESTRICTED_PDF } from './locked-pdf.ts';

const hash = (name: string) => name as Hash;
const written = (name: string, by?: 'person' | 'adopted') => ({
  path: 'out/a.docx',
  hash: hash(name),
  stat: '1:1:1:1' as Stat,
  ...(by === undefined ? {} : { by }),
});

describe('what a document costs', () => {
  test('office documents and PDFs bill at least 50,000 characters, texts what they hold', () => {
    expect(['docx', 'doc', 'pptx', 'xlsx', 'pdf'].map((kind) => billedFor(kind, 7))).toEqual(
      Array.from({ length: 5 }, () => 50_000),
    );
    expect(billedFor('docx', 60_000)).toBe(60_000);
    expect(['txt', 'html', 'srt', 'xlf'].map((kind) => billedFor(kind, 7))).toEqual([7, 7, 7, 7]);
  });

  test.each([
    ['txt', 'Grüße 👋\n', 8],
    ['html', '<p title="Tip">One <b>two</b></p><script>no()</script>', 'TipOne two'.length],
    [
      'srt',
      '1\n00:00:01,000 --> 00:00:02,000\n42\nyears\n\n2\n00:00:03,000 --> 00:00:04,000\nlater\n',
      12,
    ],
    [
      'xlf',
      '<xliff version="2.1"><file><unit><segment><source>a &lt; b<ph/></source><target>weg</target></segment></unit></file></xliff>',
      5,
    ],
  ])('a %s is counted by what its readers see', (extension, text, characters) => {
    const texts = plainTexts(text, { extension, file: 'a', side: 'source' });
    expect(texts.join('')).toHaveLength(characters + (extension === 'txt' ? 1 : 0));
  });

  test('a file that is of another kind than its name says is recognized', () => {
    expect(wrongBeginning('docx', Buffer.from('d0cf11e0a1b11ae1', 'hex'))).toMatch(/password/);
    expect(wrongBeginning('pdf', Buffer.from('<html>'))).toBe('it is no PDF');
    expect(wrongBeginning('png', Buffer.from('\x89PNG', 'latin1'))).toBeUndefined();
    expect(wrongBeginning('txt', Buffer.from('anything'))).toBeUndefined();
  });
});

test('a result that the service never gives out is asked for during ten minutes, and no longer', () => {
  const delays: number[] = [];
  for (let delay = notReadyDelay(0); delay !== undefined; delay = notReadyDelay(delays.length)) {
    delays.push(delay);
  }
  const minutes = delays.reduce((sum, delay) => sum + delay, 0) / 60_000;
  expect(minutes).toBeGreaterThan(9);
  expect(minutes).toBeLessThan(12);
  expect(notReadyDelay(3, 30_000)).toBe(30_000);
  expect(notReadyDelay(3, 600_000)).toBe(120_000);
});

test('the status is asked after 1 s, each time after half as long again, and at least every 15 s', () => {
  expect([0, 1, 2, 3].map(pollDelay)).toEqual([1000, 1500, 2250, 3375]);
  fc.assert(
    fc.property(fc.nat(10_000), (polls) => {
      expect(pollDelay(polls)).toBeLessThanOrEqual(15_000);
      expect(pollDelay(polls + 1)).toBeGreaterThanOrEqual(pollDelay(polls));
    }),
  );
});

test('a purchase is named by content and rules, in any order', () => {
  const recipe: DocumentRecipe = { target_lang: 'DE', output: 'docx', formality: 'more' };
  const turned: DocumentRecipe = { formality: 'more', output: 'docx', target_lang: 'DE' };
  expect(purchaseKey(hash('a'), recipe)).toBe(purchaseKey(hash('a'), turned));
  const others = [
    purchaseKey(hash('b'), recipe),
    purchaseKey(hash('a'), { ...recipe, target_lang: 'FR' }),
    purchaseKey(hash('a'), { ...recipe, formality: 'less' }),
  ];
  expect(new Set([purchaseKey(hash('a'), recipe), ...others]).size).toBe(4);
});

test('an approval of one purchase does not count for the next', () => {
  const fingerprint = 'a.r' as Fingerprint;
  const release = { kind: 'retry', fingerprint, at: 'today' } as const;
  expect(isAskedAgain({ fingerprint, release }, {})).toBe(true);
  expect(isAskedAgain({ fingerprint, release }, { released: 'today' })).toBe(false);
  expect(isAskedAgain({ fingerprint: 'b.r' as Fingerprint, release }, {})).toBe(false);
  expect(isAskedAgain({ fingerprint, release: { ...release, kind: 'approve' } }, {})).toBe(false);
});

describe('what is done about a translated document', () => {
  const JOB = { id: 'p/de/a.docx' as JobId, fingerprint: 'new.r' as Fingerprint };
  const base: DocumentSituation = {
    job: JOB,
    left: undefined,
    delivered: null,
    isOutdated: false,
    release: undefined,
    found: undefined,
    purchase: undefined,
    policies: { existing: 'adopt', humanEdits: 'conflict', retranslateOn: new Set(['source']) },
    factsLost: false,
  };
  const OLD = 'old.r' as Fingerprint;
  const adopted = { ...base, left: written('x', 'adopted'), delivered: OLD, found: hash('x') };
  const edited = { ...base, left: written('ours'), delivered: OLD, found: hash('theirs') };
  const bought = (name: string): DocumentPurchase => ({
    key: purchaseKey(hash('new'), { target_lang: 'DE', output: 'docx' }),
    job: JOB.id,
    project: 'p',
    source: 'a.docx',
    language: 'de' as LanguageTag,
    sourceHash: hash('new'),
    extension: 'docx',
    output: 'docx',
    bytes: 1,
    minified: false,
    estimate: 50_000,
    lostAnswers: 0,
    stage: { kind: 'downloaded', hash: hash(name), size: 1 },
  });

  test.each<[string, DocumentSituation, ReturnType<typeof decideDocument>]>([
    ['nothing there', base, { kind: 'obtain', place: 'replace' }],
    [
      'nothing there, facts lost',
      { ...base, factsLost: true },
      { kind: 'hold', why: 'state-lost' },
    ],
    ['there before us', { ...base, found: hash('x') }, { kind: 'leave', by: 'adopted' }],
    [
      'appeared while we bought ours',
      { ...base, found: hash('x'), purchase: bought('r') },
      { kind: 'obtain', place: 'beside' },
    ],
    [
      'written, but not noted before the crash',
      { ...base, left: written('ours'), delivered: OLD, found: hash('r'), purchase: bought('r') },
      { kind: 'obtain', place: 'replace' },
    ],
    [
      'in place before the crash, and edited by a person since',
      { ...base, left: written('r'), found: hash('theirs'), purchase: bought('r') },
      { kind: 'leave', by: 'person' },
    ],
    [
      'ours, older source',
      { ...base, left: written('ours'), delivered: OLD, found: hash('ours') },
      { kind: 'obtain', place: 'replace' },
    ],
    ['adopted, older source', adopted, { kind: 'hold', why: 'edited-target', by: 'adopted' }],
    [
      'adopted, older source, new version paid',
      { ...adopted, purchase: bought('r') },
      { kind: 'obtain', place: 'beside' },
    ],
    [
      'adopted, older source, and config says that ours replaces it',
      { ...adopted, policies: { ...base.policies, existing: 'overwrite' } },
      { kind: 'obtain', place: 'replace-and-keep-old' },
    ],
    [
      'adopted, older source, and config keeps what people wrote',
      { ...adopted, policies: { ...base.policies, humanEdits: 'keep' } },
      { kind: 'leave', by: 'adopted' },
    ],
    ['edited, older source', edited, { kind: 'hold', why: 'edited-target', by: 'person' }],
    [
      'edited, older source, new version paid',
      { ...edited, purchase: bought('r') },
      { kind: 'obtain', place: 'beside' },
    ],
    [
      'edited, same source',
      { ...edited, delivered: JOB.fingerprint },
      { kind: 'leave', by: 'person' },
    ],
    [
      'edited, same source under a changed recipe',
      { ...edited, delivered: 'new.other' as Fingerprint },
      { kind: 'leave', by: 'person' },
    ],
    [
      'edited and then recorded as it stands, older source',
      { ...edited, left: written('theirs', 'person') },
      { kind: 'hold', why: 'edited-target', by: 'person' },
    ],
  ])('%s', (_what, situation, verdict) => {
    expect(decideDocument(situation)).toEqual(verdict);
  });

  test('the decision of a person about an edited document is obeyed', () => {
    const release = (kind: 'human' | 'machine') => ({ kind, fingerprint: JOB.fingerprint, at: '' });
    expect(decideDocument({ ...edited, release: release('human') })).toEqual({
      kind: 'leave',
      by: 'person',
    });
    expect(decideDocument({ ...edited, release: release('machine') })).toEqual({
      kind: 'obtain',
      place: 'replace-and-keep-old',
    });
  });

  test('a document of a person is never replaced without a copy in the trash', () => {
    const any = fc.record({
      found: fc.constantFrom(undefined, hash('theirs'), hash('ours'), hash('r')),
      left: fc.constantFrom(
        undefined,
        written('ours'),
        written('theirs', 'person'),
        written('theirs', 'adopted'),
      ),
      delivered: fc.constantFrom(null, OLD, JOB.fingerprint),
      release: fc.constantFrom(
        undefined,
        ...(['human', 'machine', 'retry', 'approve'] as const).map((kind) => ({
          kind,
          fingerprint: JOB.fingerprint,
          at: '',
        })),
      ),
      purchase: fc.constantFrom(undefined, bought('r')),
      policies: fc.record({
        existing: fc.constantFrom('adopt' as const, 'overwrite' as const),
        humanEdits: fc.constantFrom('conflict' as const, 'keep' as const, 'overwrite' as const),
        retranslateOn: fc.constant(new Set(['source' as const])),
      }),
      isOutdated: fc.boolean(),
      factsLost: fc.boolean(),
    });
    fc.assert(
      fc.property(any, (situation) => {
        const verdict = decideDocument({ job: JOB, ...situation });
        const isTheirs = situation.found === hash('theirs');
        if (isTheirs) expect(verdict).not.toEqual({ kind: 'obtain', place: 'replace' });
      }),
    );
  });

  test('the version beside it keeps its extension', () => {
    expect(besidePath('out/de/report.docx')).toBe('out/de/report.machine.docx');
    expect(besidePath('out.d/report')).toBe('out.d/report.machine');
    for (const path of ['out/de/report.docx', 'out.d/report', '.report', 'a.b.c']) {
      expect(withoutMachine(besidePath(path))).toBe(path);
    }
  });
});

test('a PDF asks for a password only where nobody can read it without one', () => {
  const [locked, restricted] = [LOCKED_PDF, RESTRICTED_PDF].map((pdf) => pdf.toString('latin1'));
  expect(asksForPassword(locked ?? '')).toBe(true);
  expect(asksForPassword(restricted ?? '')).toBe(false);
  // The service decides about files that dragoman does not know well enough.
  expect(asksForPassword((locked ?? '').replace('/R 3', '/R 6'))).toBe(false);
  expect(asksForPassword((locked ?? '').replace('/ID', '/XX'))).toBe(false);
  expect(asksForPassword('%PDF-1.7\n%%EOF')).toBe(false);
});
