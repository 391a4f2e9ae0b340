/** Engines by the name that a person types: `pseudo`, `plain`, `echo`, `real`, `phrasebook:FILE` (or just `FILE.json`). */
import type { Engine } from '../engine.ts';
import { echoEngine } from './echo.ts';
import { openPhrasebook } from './phrasebook.ts';
import { plainEngine } from './plain.ts';
import { pseudoEngine } from './pseudo.ts';
import { openRealEngine } from './real.ts';

/** @throws Error that lists the names when there is no such engine. */
export async function openEngine(name: string): Promise<Engine> {
  if (name === 'pseudo') return pseudoEngine;
  if (name === 'plain') return plainEngine;
  if (name === 'echo') return echoEngine;
  if (name === 'real') return openRealEngine();
  const file = /^phrasebook:(?<file>.+)$/u.exec(name)?.groups?.['file'];
  if (file !== undefined || name.endsWith('.json')) return openPhrasebook(file ?? name);
  throw new Error(`There is no engine '${name}': pseudo, plain, echo, real or phrasebook:FILE.`);
}
