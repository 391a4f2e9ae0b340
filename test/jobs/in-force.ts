/** A config with one project and one route, and the planner that goes with it. */
import { join } from 'node:path';
import { parseConfig } from '../../src/config/parse.ts';
import type { LedgerView } from '../../src/ledger.ts';
import type { InForce } from '../../src/plan/in-force.ts';
import { Planner } from '../../src/plan/planner.ts';

/** The project is `app`, from English to German: `en/*.md` becomes `de/*.md`. */
export function inForceAt(root: string, ledger: LedgerView): InForce {
  const setup = parseConfig(
    JSON.stringify({
      version: 1,
      service: { url: 'http://127.0.0.1:1' },
      projects: { app: { source: 'en', targets: ['de'], routes: [{ from: '{locale}/*.md' }] } },
    }),
    { file: join(root, 'dragoman.yaml'), env: {} },
  );
  if (setup.faults !== undefined) throw new Error('the config is refused');
  const planner = new Planner({
    setup,
    ledger,
    monitor: {
      intake: { deviation: () => undefined, isLeaving: () => false, movedTo: () => undefined },
    },
    serviceDigest: '',
    languageSupport: {
      needsDocument: () => false,
      isUntagged: () => false,
      lack: () => undefined,
      lackingIn: () => [],
    },
    terminology: { files: { glossaries: new Map(), styles: new Map() } as never },
  });
  return { ...setup, planner, serviceDigest: 'mark' };
}
