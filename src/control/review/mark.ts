/** `review mark`: a person has looked at translations, or wants somebody to; the lock says so to the team. */
import type { Statement } from '../../segments/statements.ts';
import type { ReviewMarkRequest } from '../control.ts';
import { pairsIn, type ReviewPair, targetOf } from './files.ts';
import type { ReviewText } from './parsers.ts';
import type { ReviewLine, ReviewMarkReport } from './report.ts';
import { speak } from './save.ts';
import type { ReviewTexts } from './texts.ts';

export async function reviewMark(
  reviews: ReviewTexts,
  request: ReviewMarkRequest,
): Promise<ReviewMarkReport> {
  const { options } = reviews;
  const { lock = null } = options.inForce.config;
  const marked: ReviewLine[] = [];
  const refused: ReviewMarkReport['refused'][number][] = [];
  let unchanged = 0;
  if (lock === null) return { lock, marked, unchanged, refused };
  if (options.condition().state === 'not running') await options.look();
  const { projects, languages, file, mark } = request;
  for (const pair of pairsIn(options, { projects, languages, paths: [file] })) {
    const read = await reviews.read(pair);
    if (typeof read === 'string') {
      const line = { file: targetOf(pair), language: pair.language, key: '', line: 1 };
      refused.push({ ...line, reason: read });
      continue;
    }
    const spoken: Statement[] = [];
    for (const text of read.texts) {
      if (!isMeant(text, request)) continue;
      const verdict = judge(text, mark);
      if (verdict.kind === 'has') unchanged += 1;
      else if (verdict.kind === 'refused') {
        refused.push({ ...lineOf(pair, text), reason: verdict.reason });
      } else {
        spoken.push(verdict.statement);
        marked.push(lineOf(pair, text));
      }
    }
    if (spoken.length > 0) await speak(options, pair, { spoken, renewed: new Set() });
  }
  return { lock, marked, unchanged, refused };
}

/** People write keys as they stand in the file. */
function isMeant({ id, key }: ReviewText, request: ReviewMarkRequest): boolean {
  return request.key === undefined || request.key === id || request.key === key;
}

type Verdict =
  | { readonly kind: 'has' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'speaks'; readonly statement: Statement };

function judge(text: ReviewText, review: ReviewMarkRequest['mark']): Verdict {
  const { state, unit, sourceHash: source, targetHash: target, mark } = text;
  switch (state) {
    case 'missing':
      return { kind: 'refused', reason: 'it is not translated yet' };
    case 'held':
      return { kind: 'refused', reason: 'no translation of it was fit to be written' };
    case 'stale':
      return { kind: 'refused', reason: 'its source changed since it was translated' };
    case 'unreviewed':
    case 'reviewed':
    case 'done':
      if (state === (review === 'reviewed' ? 'reviewed' : 'unreviewed')) return { kind: 'has' };
      return { kind: 'speaks', statement: { unit, source, target, mark, review } };
  }
}

const EXCERPT = 60;

/** How a text is told to people. */
export function lineOf(pair: ReviewPair, { key, source, line }: ReviewText): ReviewLine {
  const words = source.replace(/\s+/g, ' ').trim();
  const excerpt = words.length > EXCERPT ? `${words.slice(0, EXCERPT)}…` : words;
  return {
    file: targetOf(pair),
    language: pair.language,
    key: key === '' ? excerpt : key,
    line,
  };
}
