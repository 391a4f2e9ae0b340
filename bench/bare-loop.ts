/**
 * The least work of a run: the same requests at the same concurrency, and JSON.parse of the answers. For each target, one temporary file,
 * one flush and one rename; for each folder, one flush. Run as a process of its own, so that the start of Node counts on both sides.
 */
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Pool } from 'undici';

/** The requests of a run, and the files that it leaves. Written to a file for the process that does it. */
export interface BareWork {
  readonly url: string;
  readonly concurrency: number;
  readonly languages: readonly string[];
  /** Each is sent once for each language, 50 in a request. */
  readonly texts: readonly string[];
  /** Relative paths below the folder `bare/<language>`, each with a part of the texts. */
  readonly files: readonly string[];
  readonly flushes: boolean;
}

const TEXTS_OF_A_REQUEST = 50;

if (process.argv[1] === import.meta.filename) {
  const [, , file = '', folder = ''] = process.argv;
  await doBareWork(JSON.parse(readFileSync(file, 'utf8')) as BareWork, folder);
}

async function doBareWork(work: BareWork, folder: string): Promise<void> {
  const pool = new Pool(work.url, { connections: work.concurrency });
  for (const language of work.languages) {
    const answers = await translated(pool, work, language);
    writeTargets(work, answers, join(folder, 'bare', language));
  }
  await pool.close();
}

async function translated(pool: Pool, work: BareWork, target_lang: string): Promise<string[]> {
  const requests = Math.ceil(work.texts.length / TEXTS_OF_A_REQUEST);
  const answers = Array.from({ length: requests }, (): string[] => []);
  const turns = answers.keys();
  const worker = async () => {
    for (const n of turns) {
      const text = work.texts.slice(n * TEXTS_OF_A_REQUEST, (n + 1) * TEXTS_OF_A_REQUEST);
      const answer = await pool.request({
        method: 'POST',
        path: '/v2/translate',
        headers: {
          authorization: 'Service-Auth-Key sandbox',
          'content-type': 'application/json',
        },
        body: JSON.stringify({ target_lang, source_lang: 'EN', text }),
      });
      const { translations } = (await answer.body.json()) as { translations: { text: string }[] };
      answers[n] = translations.map((each) => each.text);
    }
  };
  await Promise.all(Array.from({ length: work.concurrency }, worker));
  return answers.flat();
}

function writeTargets(work: BareWork, answers: readonly string[], folder: string): void {
  const share = Math.ceil(answers.length / work.files.length);
  const folders = new Set<string>();
  for (const [nth, path] of work.files.entries()) {
    const file = join(folder, path);
    const parent = dirname(file);
    if (!folders.has(parent)) mkdirSync(parent, { recursive: true });
    folders.add(parent);
    const content = JSON.stringify(answers.slice(nth * share, (nth + 1) * share));
    const open = openSync(`${file}.part`, 'w');
    writeSync(open, content);
    if (work.flushes) fsyncSync(open);
    closeSync(open);
    renameSync(`${file}.part`, file);
  }
  if (work.flushes) for (const each of folders) flushFolder(each);
}

function flushFolder(folder: string): void {
  const open = openSync(folder, 'r');
  fsyncSync(open);
  closeSync(open);
}
