import { describe, expect, it } from 'vitest';
import { type LanguageTag, parseLanguage } from '../../../src/language.ts';
import { openRealEngine } from '../../../src/sandbox/engines/real.ts';
import { findDirections, routeBetween } from '../../../src/sandbox/engines/real-directions.ts';
import { missingPrograms } from '../../../src/sandbox/engines/real-programs.ts';
import { utterancesOf } from '../../../src/sandbox/engines/real-speech.ts';
import { toStream, unwrap } from '../../../src/sandbox/engines/real-stream.ts';
import { startSandbox } from '../../../src/sandbox/server.ts';
import { corpusFile, corpusMissing } from '../../corpus.ts';
import { translate } from '../document-calls.ts';
import { fetchResult, put, type Result, SPEECH, settled, ticketFor } from '../voice-calls.ts';

const programs = ['apertium-wblank-mode', 'pocketsphinx_continuous', 'espeak-ng', 'ffmpeg'];
const missing = await missingPrograms(programs);
const where = missing.length > 0 ? `(skipped: not installed: ${missing.join(', ')})` : '';

describe('the stream format of apertium', () => {
  it.each([
    'Plain.',
    'a [b] {c} ^d$ @e /f \\g <h>',
    'one\ntwo\r\n\r\nthree',
    'Hello <b>you</b> {{name}}',
    '',
  ])('gives back what was wrapped: %j', (text) => {
    expect(unwrap(toStream(text, {}))).toBe(text);
  });

  it('keeps tags, placeholders and terms out of the reach of the translator', () => {
    const terms = new Map([['Widget', 'Aparato']]);
    expect(toStream('Buy <b>{n}</b> Widget', { terms })).toBe(
      'Buy [\\<b\\>][\\{n\\}][\\<\\/b\\>] [‹Aparato›][]',
    );
  });
});

describe('the way between two languages', () => {
  const directions = [
    { from: 'en', to: 'es', mode: 'a' },
    { from: 'es', to: 'pt-BR', mode: 'b' },
    { from: 'es', to: 'pt', mode: 'c' },
  ];

  it('is direct, or over a third language, or none', () => {
    expect(routeBetween(directions, 'en', 'es')?.map(({ mode }) => mode)).toEqual(['a']);
    expect(routeBetween(directions, 'en', 'pt-BR')?.map(({ mode }) => mode)).toEqual(['a', 'b']);
    expect(routeBetween(directions, 'pt', 'en')).toBeUndefined();
  });

  it('is looked for among the modes that are installed, and there may be none', async () => {
    expect(await findDirections('/nonexistent/modes')).toEqual([]);
  });
});

describe('the output of pocketsphinx', () => {
  it('becomes utterances with times, without noise and numbers of pronunciations', () => {
    const output =
      'and mr\n<s> 0.000 0.140 0.9\nand(2) 0.150 0.360 0.2\n[NOISE] 0.360 0.370 0.1\nmr 0.370 0.620 0.9\nok\nok 1.000 1.500 0.9\n';
    expect(utterancesOf(output)).toEqual([
      { start: 150, end: 620, text: 'and mr' },
      { start: 1000, end: 1500, text: 'ok' },
    ]);
  });
});

describe.skipIf(missing.length > 0)(`the real engine ${where}`, () => {
  it('translates what apertium knows, directly and over Spanish, with markup in place', async () => {
    await using engine = await openRealEngine();
    const english = { source: tag('en'), marks: [] };
    const texts = ['The house is big.', 'Hello <b>my friend</b> {{name}}.'];
    const spanish = await engine.translate(texts, { ...english, target: tag('es') });
    expect(spanish).toEqual([
      'La casa es grande.',
      expect.stringMatching(/^Hola <b>.*amigo<\/b> \{\{name\}\}\.$/),
    ]);
    const french = await engine.translate(['The house is big.'], { ...english, target: tag('fr') });
    expect(french[0]).toMatch(/maison/);
  });

  it('makes up what apertium does not know', async () => {
    await using engine = await openRealEngine();
    const recipe = { source: tag('en'), target: tag('ja'), marks: [] };
    expect((await engine.translate(['Hello'], recipe))[0]).toMatch(/^\[ja Ｈｅｌｌｏ/);
  });

  it('answers a thousand sentences in their order', async () => {
    await using engine = await openRealEngine();
    const texts = Array.from({ length: 1000 }, (_, index) => `The house number ${index} is big.`);
    const answers = await engine.translate(texts, {
      source: tag('en'),
      target: tag('es'),
      marks: [],
    });
    expect(answers.map((answer) => /\d+/.exec(answer)?.[0])).toEqual(
      texts.map((_, index) => String(index)),
    );
  });

  it('translates a document', async () => {
    await using sandbox = await startSandbox({ engine: 'real', timeScale: 2000 });
    const page = '<p>The <b>house</b> is big.</p>';
    const result = await translate(
      sandbox,
      { name: 'a.html', content: page },
      { target_lang: 'es', source_lang: 'en' },
    );
    expect(new TextDecoder().decode(result)).toMatch(/^<p>La <b>casa<\/b> es grande\.<\/p>$/);
  });

  it.skipIf(corpusMissing)('hears English speech, and speaks Spanish', async () => {
    await using sandbox = await startSandbox({ engine: 'real', timeScale: 50 });
    const content = corpusFile('audio', 'sense_and_sensibility_01_austen_64kb-0870.wav');
    const targets = [
      { language: 'en-GB', type: 'text/plain' },
      { language: 'es', type: SPEECH },
    ];
    const ticket = await ticketFor(sandbox, content.length, { targets });
    await put(ticket, content);
    const { results } = await settled(sandbox, ticket.job_id);
    expect(await (await fetchResult(results[0] as Result)).text()).toMatch(/john.*leisure.*power/s);
    expect(
      (await (await fetchResult(results[1] as Result)).arrayBuffer()).byteLength,
    ).toBeGreaterThan(100_000);
  });
});

function tag(code: string): LanguageTag {
  const language = parseLanguage(code);
  if (language === undefined) throw new Error(`${code} is a language`);
  return language;
}
