/** Opens the shop for documents over a workspace. */
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { AtWork } from '../lanes/document/at-work.ts';
import { DocumentTill, type Shop } from '../lanes/document/shop.ts';
import { Spool } from '../lanes/document/spool.ts';
import { Turnstile } from '../lanes/document/turnstile.ts';
import type { Spending } from '../plan/spending.ts';
import { Purchases } from '../state/document-purchases.ts';
import type { Workspace, World } from './workspace.ts';

export interface ShopSources extends Pick<Shop, 'remoteRules' | 'doubt' | 'rootOf'> {
  readonly config: Config;
  readonly workspace: Pick<Workspace, 'ledger' | 'service'>;
  readonly world: Pick<World, 'clock' | 'events'>;
  readonly spending: Spending;
}

/** A kill loses what is on its way; two at a time fill a line as well as eight do. */
const DOWNLOADS = 2;

/** Money for documents that were sent before this start is set aside at once. */
export function openShop({ config, workspace, world, spending, ...asked }: ShopSources): Shop {
  const { dialect, limits, capabilities } = config.service;
  const purchases = new Purchases(workspace.ledger);
  const till = new DocumentTill({
    allow: (job, characters) => spending.allow(job, characters),
    setAside: (job, characters) => spending.setAside(job, characters),
    booked: (charges) => spending.book(charges),
  });
  for (const purchase of purchases.all()) {
    if (purchase.stage.kind === 'uploaded') till.keepReserved(purchase);
  }
  return {
    documents: workspace.service.documents,
    abilities: {
      dialect,
      limits,
      styles: capabilities.includes('document_style') ? 'accepted' : 'unknown',
    },
    purchases,
    spool: new Spool(join(config.state, 'spool')),
    ...world,
    till,
    downloads: new Turnstile(DOWNLOADS),
    looks: new Map(),
    atWork: new AtWork(),
    readings: new Map(),
    ...asked,
  };
}
