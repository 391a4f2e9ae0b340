/** Opens what document purchases share, over a workspace. */
import { join } from 'node:path';
import { type Config, spoolOf } from '../config.ts';
import { Semaphore } from '../files/semaphore.ts';
import { DocumentReservations, type PurchaseContext } from '../lanes/document/purchase-context.ts';
import { SharedDocuments } from '../lanes/document/shared-documents.ts';
import { Spool } from '../lanes/document/spool.ts';
import { InProgress } from '../lanes/remote-purchase.ts';
import type { Spending } from '../plan/spending.ts';
import { Purchases } from '../state/document-purchases.ts';
import { whereWritable } from './where-writable.ts';
import type { Workspace, World } from './workspace.ts';

export interface DocumentPurchaseSources
  extends Pick<PurchaseContext, 'remoteRules' | 'doubt' | 'rootOf' | 'serviceMark'> {
  readonly config: Config;
  readonly workspace: Pick<Workspace, 'ledger' | 'service' | 'team' | 'tree'>;
  readonly world: Pick<World, 'clock' | 'events'>;
  readonly spending: Spending;
}

/** Downloads at a time: two fill the connection as well as eight do, and a kill loses less. */
const DOWNLOADS = 2;

/** The parts that all document purchases share. Reserves the price of documents that an earlier process has sent. */
export function openDocumentPurchases({
  config,
  workspace,
  world,
  spending,
  ...asked
}: DocumentPurchaseSources): PurchaseContext {
  const { dialect, limits, capabilities } = config.service;
  const spool = new Spool(join(spoolOf(config), 'spool'));
  const team = workspace.team?.purchases;
  const keepMs = () => config.keep.spool;
  const { tree } = workspace;
  const ledgers = tree === undefined ? 'many' : 'one';
  const shared = team && new SharedDocuments({ team, spool, ledgers, keepMs });
  const purchases = new Purchases(workspace.ledger, shared);
  tree?.hearRemotes((record) => purchases.learn(record));
  const reservations = new DocumentReservations({
    allow: whereWritable(asked.rootOf, spending.allow.bind(spending)),
    setAside: (job, characters) => spending.setAside(job, characters),
    booked: (charges) => spending.book(charges),
  });
  for (const purchase of purchases.all()) {
    if (purchase.stage.kind === 'uploaded') reservations.keepReserved(purchase);
  }
  return {
    documents: workspace.service.documents,
    abilities: {
      dialect,
      limits,
      styles: capabilities.includes('document_style') ? 'accepted' : 'unknown',
    },
    purchases,
    spool,
    ...(shared === undefined ? {} : { shared }),
    ...world,
    reservations,
    downloads: new Semaphore(DOWNLOADS),
    looks: new Map(),
    inProgress: new InProgress(),
    readings: new Map(),
    ...asked,
  };
}
