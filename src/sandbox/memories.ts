/** Translation memories, read only: no call creates one, so every account has the same two. */

import { readPage } from './page.ts';
import { notFound } from './refusal.ts';
import { jsonReply, type Resource } from './resource.ts';

interface TranslationMemory {
  readonly translation_memory_id: string;
  readonly name: string;
  readonly source_language: string;
  readonly target_languages: readonly string[];
  readonly segment_count: number;
  readonly creation_time: string;
  readonly updated_time: string;
}

const MEMORIES: readonly TranslationMemory[] = [
  {
    translation_memory_id: '6f1d2c3a-0b5e-4a7c-9d8e-1f2a3b4c5d6e',
    name: 'Product texts',
    source_language: 'en',
    target_languages: ['de', 'fr', 'es'],
    segment_count: 1200,
    creation_time: '2026-01-12T09:00:00.000Z',
    updated_time: '2026-03-02T10:30:00.000Z',
  },
  {
    translation_memory_id: '9b8a7c6d-5e4f-4321-8765-0a1b2c3d4e5f',
    name: 'Handbook',
    source_language: 'en',
    target_languages: ['de', 'ja'],
    segment_count: 340,
    creation_time: '2026-02-01T08:00:00.000Z',
    updated_time: '2026-02-01T08:00:00.000Z',
  },
];

/** `GET /v3/translation_memories` (docs/design/api.md, "What is not documented"). */
export const memories: Resource = () => [
  {
    method: 'GET',
    path: '/v3/translation_memories',
    answer(call) {
      const { start, end } = readPage(call.query);
      return jsonReply({ translation_memories: MEMORIES.slice(start, end) });
    },
  },
];

/** @throws Refusal 404. */
export function findMemory(id: string): TranslationMemory {
  const found = MEMORIES.find((each) => each.translation_memory_id === id.toLowerCase());
  if (found === undefined) throw notFound('Translation memory');
  return found;
}
