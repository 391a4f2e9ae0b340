/** Every resource of the API, in the order of the document. */
import { account } from './account.ts';
import { admin } from './admin.ts';
import { analytics } from './analytics.ts';
import { detection } from './detection.ts';
import { documents } from './documents.ts';
import { glossaries } from './glossaries.ts';
import { languages } from './languages.ts';
import { legacyGlossaries } from './legacy-glossaries.ts';
import { memories } from './memories.ts';
import { rephrase } from './rephrase.ts';
import type { Resource } from './resource.ts';
import { styles } from './styles.ts';
import { text } from './text.ts';
import { voice } from './voice.ts';

export const resources: readonly Resource[] = [
  text,
  rephrase,
  detection,
  documents,
  languages,
  glossaries,
  legacyGlossaries,
  styles,
  memories,
  voice,
  account,
  admin,
  analytics,
];
