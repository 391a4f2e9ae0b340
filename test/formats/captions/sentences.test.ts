/** Groups, replies, cuts and lines: how a sentence leaves its cues and comes back into them. */
import { describe, expect, test } from 'vitest';
import { countSpokenWords } from '../../../src/formats/captions/breaks.ts';
import { filmOf, filmSteps } from '../../../src/formats/captions/film.ts';
import { fitCue, wrap } from '../../../src/formats/captions/fit.ts';
import { groupSteps, sentenceGroups } from '../../../src/formats/captions/group.ts';
import { captionLimits, width } from '../../../src/formats/captions/limits.ts';
import { readSubtitles } from '../../../src/formats/captions/read.ts';
import { renderSteps } from '../../../src/formats/captions/render.ts';
import {
  cutReply,
  moveClosingSigns,
  replyProblem,
  spaceFor,
} from '../../../src/formats/captions/reply.ts';
import { reportSteps } from '../../../src/formats/captions/report.ts';
import { parseLanguage } from '../../../src/language.ts';

const RULES = {
  lines: 2,
  sdh: 'translate',
  group: true,
  fallbackEncoding: 'utf-8',
  report: false,
} as const;

function tag(code: string) {
  const parsed = parseLanguage(code);
  if (parsed === undefined) throw new Error(`no language: ${code}`);
  return parsed;
}
const [DE, ES, FR, JA] = [tag('de'), tag('es'), tag('fr'), tag('ja')];

/** Cues of 1.5 s, every 2 s unless a start in seconds is given. */
function film(...cues: readonly (string | readonly [number, string])[]) {
  const at = (ms: number) => new Date(ms).toISOString().slice(11, 23).replace('.', ',');
  const text = cues
    .map((cue, nth) => {
      const [start, content] = typeof cue === 'string' ? [nth * 2, cue] : cue;
      return `${nth + 1}\n${at(start * 1000)} --> ${at(start * 1000 + 1500)}\n${content}\n`;
    })
    .join('\n');
  const file = readSubtitles(Buffer.from(text), { file: 'film.srt', fallback: 'utf-8' });
  return filmOf(file, 'srt', RULES).cues;
}

const grouped = (cues: ReturnType<typeof film>) =>
  sentenceGroups(cues, { joins: true }).map(({ text }) => text);

test('work on a film stops after each cue, so that others have their turn', () => {
  const text = '1\n00:00:01,000 --> 00:00:02,000\nHello\n\n'.repeat(200);
  const file = readSubtitles(Buffer.from(text), { file: 'film.srt', fallback: 'utf-8' });
  const { cues } = filmOf(file, 'srt', RULES);
  const [source, target] = [tag('en'), DE];
  const rules = { format: 'srt', limits: captionLimits(RULES, DE), source, target } as const;
  const records = cues.map(({ id }) => ({
    ...{ id, source: 'Hello', target: ['Hallo'], origin: 'machine', state: 'ok' },
  }));
  const works = [
    filmSteps(file, 'srt', RULES),
    groupSteps(cues, { joins: true }),
    renderSteps(file, cues, 'srt'),
    reportSteps(records as never, rules),
  ];
  for (const work of works) expect([...work].length).toBeGreaterThanOrEqual(200);
});

test('the width of plain text is what it is beside a mark', () => {
  for (const language of [DE, JA]) {
    const both = width('plain words, 42!\u0301', language);
    expect(width('plain words, 42!', language)).toBe(both);
  }
});

describe('a group', () => {
  test('goes on until a sentence ends', () => {
    expect(grouped(film('When I came', 'home last night,', 'it rained.', 'Why?'))).toEqual([
      'When I came\nhome last night,\nit rained.',
      'Why?',
    ]);
  });

  test('finds the end of a sentence behind a closing quote', () => {
    expect(grouped(film('“Come in.”', 'she said'))).toEqual(['“Come in.”', 'she said']);
    for (const quoted of ['„Komm rein.“', '»Komm rein.«', '‚Komm rein.‘', '›Komm rein.‹']) {
      expect(grouped(film(quoted, 'sagte sie'))).toEqual([quoted, 'sagte sie']);
    }
  });

  test('finds the end of a sentence in Arabic, Urdu and Hindi', () => {
    for (const ended of ['أين أنت؟', 'وہ آیا۔', 'वह आया।']) {
      expect(grouped(film(ended, 'x'))).toEqual([ended, 'x']);
    }
  });

  test('ends at a pause, at a name, at a dialogue and around songs', () => {
    expect(grouped(film([0, 'we were'], [9, 'alone']))).toEqual(['we were', 'alone']);
    expect(grouped(film('we were', 'BOB: alone'))).toEqual(['we were', 'alone']);
    expect(grouped(film('we were', '- One\n- Two', 'alone'))).toEqual([
      'we were',
      'One',
      'Two',
      'alone',
    ]);
    expect(grouped(film('we were', '♪ la la ♪', 'alone'))).toEqual(['we were', 'la la', 'alone']);
  });

  test('leaves apart what begins at the same time: a sign above, speech below', () => {
    expect(grouped(film([0, 'Closed'], [0, 'we were'], [1.6, 'alone.']))).toEqual([
      'Closed',
      'we were\nalone.',
    ]);
  });

  test('has at most six cues and 400 characters', () => {
    expect(
      sentenceGroups(film(...Array(8).fill('and so')), { joins: true })[0]?.members,
    ).toHaveLength(6);
    expect(grouped(film('a '.repeat(150), 'b '.repeat(150)))).toHaveLength(2);
  });

  test('is one cue where the route says so', () => {
    expect(sentenceGroups(film('we were', 'alone.'), { joins: false })).toHaveLength(2);
  });

  test('carries markup around some words as pairs', () => {
    const [group] = sentenceGroups(film('We were <i>so</i>', 'alone.'), { joins: true });
    expect(group?.parts).toMatchObject([
      'We were ',
      { raw: '<i>', pair: { side: 'open' } },
      'so',
      { raw: '</i>', pair: { side: 'close' } },
      '\nalone.',
    ]);
  });
});

describe('a reply', () => {
  const cues = film('When I came home last night,', 'nobody was there.');
  const [group] = sentenceGroups(cues, { joins: true });
  const cut = (reply: string, language = DE) => {
    if (group === undefined) throw new Error('no group');
    const { cutting, speeches } = cutReply(group, [reply], { cues, language });
    return [cutting, ...speeches.map(({ text }) => text)];
  };

  test('with as many lines as cues is taken as it is', () => {
    expect(cut('Als ich gestern Abend heimkam,\nwar niemand da.')).toEqual([
      'as sent',
      'Als ich gestern Abend heimkam,',
      'war niemand da.',
    ]);
  });

  test('with lost, added or misplaced lines is cut again, at the comma', () => {
    for (const reply of [
      'Als ich gestern Abend heimkam, war niemand da.',
      'Als ich gestern\nAbend heimkam,\nwar niemand da.',
      'Als\nich gestern Abend heimkam, war niemand da.',
    ]) {
      expect(cut(reply)).toEqual(['re-cut', 'Als ich gestern Abend heimkam,', 'war niemand da.']);
    }
  });

  test('with fewer words than cues is shown in each of them', () => {
    expect(cut('Niemandaufdererde')).toEqual([
      'repeated',
      'Niemandaufdererde',
      'Niemandaufdererde',
    ]);
  });

  test('that is empty or far too short is none', () => {
    const text = 'When I came home last night, nobody was there.';
    expect(replyProblem({ text }, [' \n '], DE)).toBe('the translation is empty');
    expect(replyProblem({ text }, ['Ja'], DE)).toMatch(/something is lost/);
    expect(replyProblem({ text }, ['昨夜誰も'], JA)).toBeUndefined();
  });

  test('in Japanese is cut between words, and never before a full stop', () => {
    const [, first, second] = cut('昨夜家に帰ったとき誰もいなかった。', JA);
    expect(`${first}${second}`).toBe('昨夜家に帰ったとき誰もいなかった。');
    expect(second).not.toMatch(/^[。、]/);
    expect(first?.length).toBeGreaterThan(4);
  });
});

describe('repairs', () => {
  const pieces = (...texts: string[]) => texts.map((text) => ({ text, spans: [] }));
  const repaired = (...texts: string[]) =>
    moveClosingSigns(pieces(...texts)).map(({ text }) => text);

  test('closing signs go to the cue before', () => {
    expect(repaired('Er sagte', '. Dann ging er')).toEqual(['Er sagte.', 'Dann ging er']);
    expect(repaired('„Komm', '“ sagte er')).toEqual(['„Komm', '“ sagte er']);
    expect(repaired('“Come', '” he said')).toEqual(['“Come”', 'he said']);
  });

  test('dots that go on after a pause, apostrophes and lone signs stay', () => {
    expect(repaired('Warte', '...ich komme')).toEqual(['Warte', '...ich komme']);
    expect(repaired('Es war', '’s Nachts')).toEqual(['Es war', '’s Nachts']);
    expect(repaired('Was', '?!')).toEqual(['Was', '?!']);
  });

  test('French binds its high signs with a no-break space, others do not', () => {
    expect(spaceFor({ text: '« Quoi ? »', spans: [] }, FR).text).toBe('«\u00a0Quoi\u00a0?\u00a0»');
    expect(spaceFor({ text: 'Was ?', spans: [] }, DE).text).toBe('Was ?');
  });
});

test('words are counted also in languages without blanks between them', () => {
  expect(['Right.', 'Oh, no!', 'はい。', 'お元気ですか'].map(countSpokenWords)).toEqual([
    1, 2, 1, 4,
  ]);
});

describe('lines', () => {
  const ROOM = { lineLength: 42, lines: 2, indent: 0 };
  const wrapped = (text: string, language = ES) => wrap({ text, spans: [] }, ROOM, language).text;

  test('a text that fits stays on one line', () => {
    expect(wrapped('Tu diste la señal con esa bengala.')).not.toContain('\n');
  });

  test('a longer one is broken after punctuation, else before a small word, never behind one', () => {
    expect(wrapped('Cuando llegué a casa anoche, no había nadie en la cocina.')).toBe(
      'Cuando llegué a casa anoche,\nno había nadie en la cocina.',
    );
    const [first] = wrapped('Los hombres del barco esperaban en el puerto de la ciudad').split(
      '\n',
    );
    expect(first).not.toMatch(/ (?:el|de|la|en|del)$/);
  });

  test('no line is longer than the limit where words allow it', () => {
    const text = 'Nunca habíamos visto algo parecido en todos estos años de trabajo juntos aquí';
    expect(
      wrapped(text)
        .split('\n')
        .every((line) => line.length <= 42),
    ).toBe(true);
  });

  test('a text too long for its lines gets no more of them', () => {
    expect(wrapped('palabra '.repeat(20).trim()).split('\n')).toHaveLength(2);
  });

  test('Japanese counts full-width characters, and breaks between words', () => {
    expect(width('日本go', JA)).toBe(3);
    const { lineLength } = captionLimits(RULES, JA);
    const text = '私たちは昨日の夜に東京から大阪へ行きました。';
    const lines = wrap({ text, spans: [] }, { lineLength, lines: 2, indent: 0 }, JA).text.split(
      '\n',
    );
    expect(lines).toHaveLength(2);
    expect(lines.every((line) => width(line, JA) <= lineLength)).toBe(true);
    expect(lines.join('')).toBe(text);
  });

  test('speakers share the lines of a cue, and markup follows its words', () => {
    const [cue] = film('- Hello <i>my friend</i>.\n- Bye.');
    const speeches = [
      { text: 'Hola amigo mío.', spans: [{ open: '<i>', close: '</i>', start: 5, end: 10 }] },
      { text: 'Adiós.', spans: [] },
    ];
    if (cue === undefined) throw new Error('no cue');
    const screen = { format: 'srt', language: ES, limits: captionLimits(RULES, ES) } as const;
    expect(fitCue(cue.apart, speeches, screen)).toBe('- Hola <i>amigo</i> mío.\n- Adiós.');
  });
});
