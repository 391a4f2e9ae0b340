/** Results that are whole and paid, and not what was asked for: held or told of, never lost, never bought twice by themselves. */
import { describe, expect, test } from 'vitest';
import {
  agreedLanguage,
  detectedAs,
  judgeLanguage,
  samplesOf,
} from '../../../src/lanes/document/doubt.ts';
import type { LanguageTag } from '../../../src/language.ts';
import type { Engine } from '../../../src/sandbox/engine.ts';
import { billed, requests } from '../../counts.ts';
import { MINIMUM, office, RESULT, textOf, UPLOAD } from './office.ts';
import { wordFile } from './word-file.ts';

const ENGLISH =
  'The harbour was closed in winter because the ice had become so thick that even the largest ships could not leave it. In spring the people came back to the town and repaired their boats, and the children played between the nets that were hung up to dry in the sun. Nobody knew how long it would last, but everyone was glad that the long nights were over.';
const FRENCH =
  'Le port était fermé en hiver, parce que la glace était devenue si épaisse que même les plus grands navires ne pouvaient pas en sortir. Au printemps, les gens revenaient dans la ville et réparaient leurs bateaux, et les enfants jouaient entre les filets qui séchaient au soleil. Personne ne savait combien de temps cela durerait, mais tous étaient heureux que les longues nuits soient passées.';
const GERMAN =
  'Der Hafen war im Winter geschlossen, weil das Eis so dick geworden war, dass selbst die größten Schiffe ihn nicht verlassen konnten. Im Frühling kamen die Leute in die Stadt zurück und besserten ihre Boote aus, und die Kinder spielten zwischen den Netzen, die in der Sonne trockneten. Niemand wusste, wie lange es dauern würde, aber alle waren froh, dass die langen Nächte vorüber waren.';
const JAPANESE =
  '港は冬の間閉ざされていました。氷がとても厚くなり、大きな船でさえ出られなかったからです。'.repeat(
    12,
  );

/** An engine that answers everything with one text after the other. */
function answering(...texts: readonly string[]): Engine {
  let next = 0;
  return {
    name: 'fixed',
    translate: (asked) => {
      const text = texts[Math.min(next++, texts.length - 1)] ?? '';
      return asked.map(() => text);
    },
  };
}

const english = () => wordFile(ENGLISH);

describe('a result in a language that nobody asked for', () => {
  test('is held and kept, and delivered without paying again when a person accepts it', async ({
    expect,
  }) => {
    await using rig = await office({
      files: { 'in/a.docx': english() },
      sandbox: { engine: answering(FRENCH) },
    });
    const run = await rig.once();
    expect(run).toMatchObject({ code: 2, delivered: 0 });
    expect(run.held[0]).toMatchObject({
      reason: 'the translation is in French, as far as that can be told',
      next_step: expect.stringMatching(/dragoman approve .*at no cost.*dragoman retry .*50,000/),
      price_characters: null,
    });
    expect(rig.exists('out/de/a.docx')).toBe(false);
    expect(await rig.once()).toMatchObject({ code: 2, requests: 0 });
    expect((await rig.run('approve', 'out/de/a.docx', '--json')).stdout).toContain(
      '"price_characters": 0',
    );
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 1, requests: 0 });
    expect(textOf(rig, 'out/de/a.docx')).toContain('Le port');
    expect(billed(rig)).toBe(MINIMUM);
  });

  test('is bought again only when a person asks for it, after its price was shown', async ({
    expect,
  }) => {
    await using rig = await office({
      files: { 'in/a.docx': english() },
      sandbox: { engine: answering(FRENCH, GERMAN) },
    });
    await rig.once();
    const asked = await rig.run('retry', '--all');
    expect(asked).toMatchObject({ code: 2, stdout: expect.stringContaining('50,000 characters') });
    expect((await rig.run('retry', '--all', '--yes')).code).toBe(0);
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
    expect(textOf(rig, 'out/de/a.docx')).toContain('Der Hafen');
    expect(requests(rig, UPLOAD)).toBe(2);
  });

  test('stays held when a person only approves its price', async ({ expect }) => {
    await using rig = await office({
      files: { 'in/a.docx': english() },
      route: ', approve_over: 1000',
      sandbox: { engine: answering(FRENCH) },
    });
    await rig.once();
    await rig.run('approve', '--all', '--yes');
    const run = await rig.once();
    expect(run).toMatchObject({ code: 2, delivered: 0 });
    expect(run.held[0]?.reason).toContain('French');
  });

  test('is delivered when the config turns the check of languages off', async ({ expect }) => {
    await using rig = await office({
      files: { 'in/a.docx': english() },
      project: 'checks: { untranslated: off }',
      sandbox: { engine: answering(FRENCH) },
    });
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
  });
});

describe('a result that is not whole by its structure', () => {
  test('is held and kept, and a person may accept it without paying again', async ({ expect }) => {
    const page = '<html><body><p>Hello</p></body></html>\n';
    await using rig = await office({
      files: { 'in/a.html': page },
      faults: [{ kind: 'wrong_result', text: '<html><body><p>Hallo', operation: RESULT }],
    });
    const run = await rig.once();
    expect(run).toMatchObject({ code: 2, delivered: 0 });
    expect(run.held[0]?.reason).toBe('the result is incomplete: its </html> is missing');
    await rig.run('approve', '--all');
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 1, requests: 0 });
    expect(rig.read('out/de/a.html')).toBe('<html><body><p>Hallo');
  });

  test('the page of a proxy is held in place of a text, and kept', async ({ expect }) => {
    const page = '<!DOCTYPE html>\r\n<html><body><h1>Blocked by policy</h1></body></html>\r\n';
    await using rig = await office({
      files: { 'in/a.txt': 'Hello there\n' },
      faults: [{ kind: 'wrong_result', text: page, operation: RESULT }],
    });
    const run = await rig.once();
    expect(run).toMatchObject({ code: 2, delivered: 0 });
    expect(run.held[0]?.reason).toContain('the result is a page of HTML');
    expect(rig.exists('out/de/a.txt')).toBe(false);
  });

  test.each([
    ['cut inside a character', 'Gr\u00c3\u00bc\u00c3'],
    ['with bytes that no character has', 'H\u00ff\u00fei'],
  ])('a text %s is held, and kept', async (_how, text) => {
    await using rig = await office({
      files: { 'in/a.txt': 'Hello there\n' },
      faults: [{ kind: 'wrong_result', text, encoding: 'latin1', operation: RESULT }],
    });
    const run = await rig.once();
    expect(run).toMatchObject({ code: 2, delivered: 0 });
    expect(run.held[0]?.reason).toContain('no text in UTF-8');
    expect(rig.exists('out/de/a.txt')).toBe(false);
  });

  test('a text in Latin-1 is delivered when its source is one', async ({ expect }) => {
    await using rig = await office({
      files: { 'in/a.txt': Buffer.from('Caf\u00e9 opens\n', 'latin1') },
      faults: [
        { kind: 'wrong_result', text: 'Caf\u00e9 auf\n', encoding: 'latin1', operation: RESULT },
      ],
    });
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
  });

  test('a page with a text of the four in its source is held, and kept', async ({ expect }) => {
    const page =
      '<html><head><title>T</title></head><body><h1>One</h1><p>Two</p><p>Three</p></body></html>\n';
    await using rig = await office({
      files: { 'in/a.html': page },
      faults: [{ kind: 'wrong_result', text: '<html>Login</html>', operation: RESULT }],
    });
    const run = await rig.once();
    expect(run).toMatchObject({ code: 2, delivered: 0 });
    expect(run.held[0]?.reason).toBe('the translation has 1 of the 4 texts of its source');
  });

  test('a text that is a page is delivered when its source is one', async ({ expect }) => {
    const page = '<html><body><p>Hello there</p></body></html>\n';
    await using rig = await office({ files: { 'in/a.txt': page } });
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
  });

  test('a result without a word is held: its source has words, or it would not have been sent', async ({
    expect,
  }) => {
    await using rig = await office({
      files: { 'in/a.docx': english(), 'in/b.html': '<html><body><p>Hello</p></body></html>\n' },
      sandbox: { engine: answering('') },
    });
    const run = await rig.once();
    expect(run).toMatchObject({ code: 2, delivered: 0 });
    expect(run.held.map(({ reason }) => reason)).toEqual(
      Array(2).fill('the translation has no words'),
    );
  });

  test('is delivered when its source has the same gaps', async ({ expect }) => {
    await using rig = await office({ files: { 'in/a.html': '<html><body><p>Hello there\n' } });
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
  });

  test('is delivered when its source has the same gaps, and comes from a disk whose clock is ahead', async ({
    expect,
  }) => {
    await using rig = await office({
      files: { 'in/a.html': '<html><body><p>Hello there\n' },
      time: 'behind',
    });
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
  });
});

describe('a result that is not translated', () => {
  const same = { engine: answering(`${ENGLISH} Indeed.`) };

  test('is delivered and reported', async ({ expect }) => {
    await using rig = await office({ files: { 'in/a.docx': english() }, sandbox: same });
    const { code, stderr } = await rig.run('once');
    expect(code).toBe(0);
    expect(stderr).toContain('doubt   in/a.docx -> de: the translation is in English');
  });

  test('is held when the config says so', async ({ expect }) => {
    await using rig = await office({
      files: { 'in/a.docx': english() },
      project: 'checks: { untranslated: hold }',
      sandbox: same,
    });
    const run = await rig.once();
    expect(run).toMatchObject({ code: 2, delivered: 0 });
    expect(run.held[0]?.reason).toContain('English');
  });
});

describe('the detection of languages', () => {
  const tag = (code: string) => code as LanguageTag;

  test('short texts are not checked, and long texts are checked at a few positions', () => {
    expect(samplesOf(['Hello world'])).toEqual([]);
    expect(samplesOf([ENGLISH])).toHaveLength(1);
    expect(samplesOf(Array.from({ length: 500 }, () => ENGLISH))).toHaveLength(8);
    expect(samplesOf([ENGLISH.repeat(3).replaceAll('. ', '.\n')]).length).toBeGreaterThan(1);
  });

  test('a text with a few quotations in another language keeps its language', () => {
    expect(agreedLanguage(['fr', 'fr', 'fr', undefined])).toBe('fr');
    expect(agreedLanguage(['fr', 'fr', 'de', 'de'])).toBeUndefined();
    expect(agreedLanguage(['fr', undefined, undefined])).toBeUndefined();
    expect(agreedLanguage([])).toBeUndefined();
  });

  test.each([
    ['de', 'en', 'de', 'fits'],
    ['en', 'en', 'de', 'source'],
    ['fr', 'en', 'de', 'another'],
    ['zh', 'en', 'zh-Hant', 'fits'],
    ['no', 'en', 'nb', 'fits'],
    ['ms', 'en', 'id', 'fits'],
    ['sk', 'en', 'cs', 'fits'],
    ['fr', undefined, 'de', 'source'],
  ])('%s from %s for %s: %s', (told, source, target, verdict) => {
    const asked = { source: source === undefined ? undefined : tag(source), target: tag(target) };
    expect(judgeLanguage(told, asked)).toBe(verdict);
  });

  test('every language of the API can be detected', async () => {
    const { eld } = await import('eld/extrasmall');
    const known = Object.values(eld.info().Languages);
    const asked =
      'ar bg cs da de el en es et fi fr he hu id it ja ko lt lv nb nl pl pt ro ru sk sl sv th tr uk vi zh'.split(
        ' ',
      );
    expect(asked.filter((code) => !known.includes(detectedAs(tag(code))))).toEqual([]);
    for (const [text, code] of [
      [FRENCH, 'fr'],
      [GERMAN, 'de'],
      [JAPANESE, 'ja'],
    ] as const) {
      expect(eld.detect(text)).toMatchObject({ language: code });
    }
  });
});
