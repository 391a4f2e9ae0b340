/** Every resource of the API, in the order of the document. */
import type { Resource } from './resource.ts';

export const resources: readonly Resource[] = [];
