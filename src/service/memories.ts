/** Translation memories, if the deployment offers them: `GET /v3/translation_memories` (docs/design/api.md, "What is not documented"). */
import * as z from 'zod';
import { jsonAnswer } from './answer.ts';
import type { Ask, CallOptions } from './call.ts';
import { allPages, type Page, requirePage } from './paging.ts';

const TranslationMemory = z.object({
  translation_memory_id: z.string().min(1),
  name: z.string(),
  source_language: z.string(),
  target_languages: z.array(z.string()),
  segment_count: z.int().nonnegative(),
  creation_time: z.string().optional(),
  updated_time: z.string().optional(),
});
export type TranslationMemory = z.infer<typeof TranslationMemory>;

export interface MemoriesResource {
  /** One page. */
  list(page: Page, options?: CallOptions): Promise<readonly TranslationMemory[]>;
  /** All memories, page by page. */
  listAll(options?: CallOptions): Promise<readonly TranslationMemory[]>;
}

const OPERATION = 'GET /v3/translation_memories';
const readList = jsonAnswer(z.object({ translation_memories: z.array(TranslationMemory) }));

export function memoriesResource(ask: Ask): MemoriesResource {
  const list: MemoriesResource['list'] = async (page, options) => {
    requirePage(page, OPERATION);
    const { translation_memories } = await ask(
      {
        operation: OPERATION,
        query: { ...page },
        traffic: 'control',
        repeat: 'safe',
        read: readList,
      },
      options,
    );
    return translation_memories;
  };
  return { list, listAll: (options) => allPages((page) => list(page, options)) };
}
