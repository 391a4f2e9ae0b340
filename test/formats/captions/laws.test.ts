/** Laws of subtitles, for any file and any answer: no cue is lost, no time moves, nothing becomes empty, nothing leaves its group. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allSteps } from '../../../src/clock.ts';
import { splitCue } from '../../../src/formats/captions/cue-text.ts';
import { deliveryProblem } from '../../../src/formats/captions/delivery-check.ts';
import { filmOf } from '../../../src/formats/captions/film.ts';
import { fitCue } from '../../../src/formats/captions/fit.ts';
import { sentenceGroups } from '../../../src/formats/captions/group.ts';
import { captionLimits } from '../../../src/formats/captions/limits.ts';
import { packSubtitles, unpackSubtitles } from '../../../src/formats/captions/packed.ts';
import { readSubtitles, type SubtitleFile } from '../../../src/formats/captions/read.ts';
import { render } from '../../../src/formats/captions/render.ts';
import { cutReply, recut, replyProblem } from '../../../src/formats/captions/reply.ts';
import type { Speech } from '../../../src/formats/captions/speech.ts';
import type { SubtitleFormat } from '../../../src/formats/captions/timing.ts';
import { parseLanguage } from '../../../src/language.ts';
import { CORPUS } from '../../corpus.ts';

const FILMS = join(CORPUS, 'subtitles');
const RULES = {
  lines: 2,
  sdh: 'translate',
  group: true,
  fallbackEncoding: 'windows-1252',
  report: false,
} as const;
const GERMAN = parseLanguage('de') ?? fail();
const LIMITS = captionLimits(RULES, GERMAN);

function fail(): never {
  throw new Error('no such language');
}

const read = (content: string | Uint8Array) =>
  readSubtitles(Buffer.from(content), { file: 'film', fallback: 'windows-1252' });

// Words, markup, punctuation and other text that people type; never a line of the file's structure.
const words = fc
  .array(
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.constantFrom('so', 'we', 'were', 'alone.', 'Why?', 'NOTE', '1984'),
      },
      fc.constantFrom(
        '<i>',
        '</i>',
        '{\\an8}',
        '- ',
        '♪',
        '[',
        ']',
        '…',
        '&',
        '<',
        '日本語',
        'é',
        '»',
      ),
      fc.string({ unit: 'grapheme', maxLength: 6 }),
    ),
    { minLength: 0, maxLength: 9 },
  )
  .map((list) => list.join(' ').replace(/[\r\n\v\f\u0085\u2028\u2029]|--|\d:\d/g, ''));
const texts = fc.array(fc.array(words, { minLength: 1, maxLength: 3 }), {
  minLength: 1,
  maxLength: 12,
});

const file = fc
  .record({
    texts,
    lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
    format: fc.constantFrom<SubtitleFormat>('srt', 'vtt'),
    mark: fc.boolean(),
    step: fc.integer({ min: 0, max: 4000 }),
  })
  .map(({ texts, lineEnd, format, mark, step }) => {
    const point = format === 'srt' ? ',' : '.';
    const at = (ms: number) => new Date(ms).toISOString().slice(11, 23).replace('.', point);
    const blocks = texts.map((lines, nth) => {
      const content = lines.filter(
        (line) => line.trim() !== '' && !/^\s*\d+\s*[.:]?\w?\s*$/.test(line),
      );
      return `${nth + 1}\n${at(nth * step)} --> ${at(nth * step + 900)}\n${content.map((line) => `${line}\n`).join('')}\n`;
    });
    const header = format === 'vtt' ? 'WEBVTT\n\nNOTE kept\n\n' : '';
    return `${mark ? '\uFEFF' : ''}${header}${blocks.join('')}`.replaceAll('\n', lineEnd);
  });

function shownOf(source: SubtitleFile, format: SubtitleFormat = source.format) {
  const film = filmOf(source, format, RULES);
  return film.cues.map((cue) => ({ ...cue, isEmpty: cue.text.trim() === '' }));
}

describe('any file', () => {
  test('written with its own texts is the same file, to the byte', () => {
    fc.assert(
      fc.property(file, (content) => {
        const source = read(content);
        const bytes = render(source, shownOf(source), source.format);
        expect(Buffer.from(bytes).toString()).toBe(content);
      }),
      { numRuns: 150 },
    );
  });

  test('in any other words passes the gate: as many cues, the same times, none newly empty', () => {
    fc.assert(
      fc.property(
        file,
        fc.infiniteStream(words),
        fc.constantFrom<SubtitleFormat>('srt', 'vtt'),
        (content, stream, to) => {
          const source = read(content);
          const answers = [...stream.take(source.cues.length)];
          const shown = shownOf(source, to).map((cue, nth) => {
            const text = (answers[nth] ?? '').replace(/[\r\n\0]/g, ' ').trim();
            const speech = { text: /\p{L}/u.test(text) ? text : 'ja', spans: [] };
            const text2 = cue.isEmpty
              ? ''
              : fitCue(
                  cue.apart,
                  cue.apart.turns.map(() => speech),
                  { format: to, language: GERMAN, limits: LIMITS },
                );
            return { ...cue, text: text2 };
          });
          const bytes = render(source, shown, to);
          expect(
            deliveryProblem(bytes, shown, { file: 'target', fallback: 'utf-8' }),
          ).toBeUndefined();
        },
      ),
      { numRuns: 150 },
    );
  });

  test('goes to the other format and back with the same times and words', () => {
    fc.assert(
      fc.property(file, (content) => {
        const source = read(content);
        const other = source.format === 'srt' ? 'vtt' : 'srt';
        const there = read(render(source, shownOf(source, other), other));
        const back = read(render(there, shownOf(there, source.format), source.format));
        expect(back.cues.map(({ start, end }) => [start, end])).toEqual(
          source.cues.map(({ start, end }) => [start, end]),
        );
      }),
      { numRuns: 100 },
    );
  });
});

describe('any answer', () => {
  const answer = fc.array(words, { minLength: 1, maxLength: 8 }).map((lines) => lines.join('\n'));

  test('gives every cue of its group some text, or is refused', () => {
    fc.assert(
      fc.property(file, answer, (content, reply) => {
        const { cues } = filmOf(read(content), 'srt', RULES);
        for (const group of sentenceGroups(cues, { joins: true })) {
          if (replyProblem(group, [reply], GERMAN) !== undefined) continue;
          const { speeches } = cutReply(group, [reply], { cues, language: GERMAN });
          expect(speeches).toHaveLength(group.members.length);
          expect(speeches.every(({ text }) => text.trim() !== '')).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });

  test('that is re-cut keeps its words in their order', () => {
    const sentence = fc.array(fc.constantFrom('eins', 'zwei,', 'und', 'drei.', 'vier', 'der'), {
      minLength: 2,
      maxLength: 40,
    });
    const cue = fc.record({ text: fc.string({ minLength: 1 }), duration: fc.nat(5000) });
    fc.assert(
      fc.property(sentence, fc.array(cue, { minLength: 2, maxLength: 6 }), (list, cues) => {
        const text = list.join(' ');
        const places = recut(text, cues, GERMAN);
        if (places === undefined) {
          expect(list.length).toBeLessThan(cues.length);
          return;
        }
        expect(places).toHaveLength(cues.length - 1);
        const bounds = [0, ...places, text.length];
        const pieces = cues.map((_, nth) => text.slice(bounds[nth], bounds[nth + 1]).trim());
        expect(pieces.every((piece) => piece !== '')).toBe(true);
        expect(pieces.join(' ')).toBe(text);
      }),
    );
  });
});

describe('groups', () => {
  test('hold every cue that is for translation once, in order, and none of the others', () => {
    fc.assert(
      fc.property(file, (content) => {
        const { cues } = filmOf(read(content), 'srt', RULES);
        const members = sentenceGroups(cues, { joins: true }).flatMap((group) => group.members);
        const sent = members.map(({ cue }) => cue);
        expect(sent).toEqual([...sent].sort((a, b) => a - b));
        const wanted = cues.flatMap((cue, nth) => (cue.treatment === 'translate' ? [nth] : []));
        expect([...new Set(sent)]).toEqual(wanted);
      }),
      { numRuns: 100 },
    );
  });
});

describe('a cue', () => {
  test('taken apart and put together with its own words says the same, and does so again', () => {
    const bare = (text: string) => text.replace(/<[^<>]*>|\{[^{}]*\}/g, '').replace(/\s+/g, '');
    fc.assert(
      fc.property(fc.array(words, { minLength: 1, maxLength: 3 }), (lines) => {
        const text = lines.join('\n');
        const once = rewritten(text);
        expect(bare(once)).toBe(bare(text));
        expect(bare(rewritten(once))).toBe(bare(once));
      }),
      { numRuns: 300 },
    );
  });
});

function rewritten(text: string): string {
  const apart = splitCue(text, 'srt');
  const speeches: Speech[] = apart.turns.map(({ speech }) => speech);
  return fitCue(apart, speeches, { format: 'srt', language: GERMAN, limits: LIMITS });
}

describe.skipIf(!existsSync(FILMS))('the corpus', () => {
  test.each(existsSync(FILMS) ? readdirSync(FILMS).filter((name) => name.endsWith('.srt')) : [])(
    '%s is written with its own texts as it was, in UTF-8',
    (name) => {
      const bytes = readFileSync(join(FILMS, name));
      const source = read(bytes);
      const written = Buffer.from(render(source, shownOf(source), 'srt')).toString();
      expect(written).toBe(`${source.mark ? '\uFEFF' : ''}${source.text}`);
    },
  );
});

test('a thread returns the file that it read, cue by cue', () => {
  fc.assert(
    fc.property(file, (content) => {
      const film = read(content);
      const unpacked = allSteps(unpackSubtitles(structuredClone(packSubtitles(film))));
      expect(unpacked).toEqual(film);
    }),
  );
});
