/** The desk answers what commands ask: the local half of `Control`. */
import type { Control } from './control.ts';
import { askAccount } from './desk/account.ts';
import { explain } from './desk/explain.ts';
import { glossaryReports } from './desk/glossaries.ts';
import type { DeskOptions } from './desk/options.ts';
import { overview } from './desk/overview.ts';
import { planReport } from './desk/plan.ts';
import { release } from './desk/release.ts';
import { resolveConflicts } from './desk/resolve.ts';
import { statusReport } from './desk/status.ts';
import { styleReports } from './desk/styles.ts';
import { undo } from './desk/undo.ts';
import { usageReport } from './desk/usage.ts';
import type { Setup } from './planner.ts';
import { RunningBooks } from './reports/running-books.ts';

export function createDesk(options: DeskOptions & { setup(): Setup }): Control {
  const books = new RunningBooks(options.ledger);
  return {
    plan: (scope) => planReport(options, scope),
    status: (scope) => statusReport({ ...options, books: books.look() }, scope),
    explain: (file, key) => explain(options, file, key),
    release: (request) => release(options, request),
    resolve: (request) => resolveConflicts(options, request),
    undo: (request) => undo(options, request),
    usage: (scope) => usageReport(options, scope),
    account: async () => (await askAccount(options)).account,
    rules: (request) =>
      request.kind === 'glossary'
        ? glossaryReports(options, request)
        : styleReports(options, request),
    visit: async () => ({ page: options.visit() }),
    overview: async () => overview({ ...options, books: books.look() }),
    pause: () => options.pause(),
    resume: () => options.resume(),
  };
}
