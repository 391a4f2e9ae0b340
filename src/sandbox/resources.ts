/** Every resource of the API, in the order of the document. */
import { account } from './account.ts';
import { languages } from './languages.ts';
import { memories } from './memories.ts';
import type { Resource } from './resource.ts';
import { text } from './text.ts';

export const resources: readonly Resource[] = [text, languages, memories, account];
