/** Speech recognition with pocketsphinx, which knows only English, and speech with espeak-ng; ffmpeg converts both ways. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { baseLanguage, type LanguageTag } from '../../language.ts';
import type { Audio, RecognisedSpeech, Utterance } from '../engine.ts';
import { run } from './real-programs.ts';

/** @throws Error for languages other than English, and for files that ffmpeg cannot read */
export async function hearSpeech({ file, language }: Audio): Promise<readonly Utterance[]> {
  if (language !== undefined && baseLanguage(language) !== 'en') {
    throw new Error(`The engine "real" recognises English only, not ${language}.`);
  }
  await using folder = await temporaryFolder();
  const wave = join(folder.path, 'speech.wav');
  // pocketsphinx accepts only 16 kHz mono 16 bit.
  await run('ffmpeg', [
    '-v',
    'error',
    '-i',
    file,
    '-vn',
    '-ac',
    '1',
    '-ar',
    '16000',
    '-c:a',
    'pcm_s16le',
    wave,
  ]);
  const words = await run('pocketsphinx_continuous', [
    '-infile',
    wave,
    '-time',
    'yes',
    '-logfn',
    '/dev/null',
  ]);
  return utterancesOf(words.toString('utf8'));
}

/** `word start end confidence`, one per line; lines of whole utterances are between them. */
const WORD_LINE = /^(\S+) (\d+\.\d+) (\d+\.\d+) \d+\.\d+$/;
/** Silence, breath, noise: `<sil>`, `[NOISE]`, `++UM++`. */
const NOISE = /^[<[+]/;
/** The most characters of a subtitle. */
const MAX_LETTERS = 80;

/** Reads the output of pocketsphinx. */
export function utterancesOf(output: string): readonly Utterance[] {
  const utterances: Utterance[] = [];
  let isNew = true;
  for (const line of output.split('\n')) {
    const [, word, start, end] = WORD_LINE.exec(line) ?? [];
    if (word === undefined) isNew = true;
    if (word === undefined || NOISE.test(word)) continue;
    // The number distinguishes pronunciations: `leisure(2)`.
    const heard = {
      start: Number(start) * 1000,
      end: Number(end) * 1000,
      text: word.replace(/\(\d+\)$/, ''),
    };
    const last = utterances.at(-1);
    if (isNew || last === undefined || last.text.length > MAX_LETTERS) utterances.push(heard);
    else
      utterances[utterances.length - 1] = {
        ...last,
        end: heard.end,
        text: `${last.text} ${heard.text}`,
      };
    isNew = false;
  }
  return utterances;
}

/** 16-bit little-endian mono PCM. @throws Error for languages that espeak-ng has no voice for */
export async function makeSpeech({ text, language, rate }: RecognisedSpeech): Promise<Uint8Array> {
  const wave = await run('espeak-ng', ['-v', voiceOf(language), '--stdin', '--stdout'], text);
  // espeak-ng uses 22,050 Hz, and writes no length into a header when it cannot seek back to it.
  return run(
    'ffmpeg',
    ['-v', 'error', '-i', 'pipe:0', '-f', 's16le', '-ac', '1', '-ar', String(rate), 'pipe:1'],
    wave,
  );
}

const VOICES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    zh: 'cmn',
    'zh-Hans': 'cmn',
    'zh-Hant': 'cmn',
    'pt-BR': 'pt-br',
    'en-US': 'en-us',
    'es-419': 'es-419',
  }),
);

function voiceOf(language: LanguageTag): string {
  return VOICES.get(language) ?? baseLanguage(language);
}

async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'dragoman-speech-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
