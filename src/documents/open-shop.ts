/** Opens the shop for documents over a workspace. */
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Spending } from '../spending.ts';
import type { Workspace, World } from '../workspace.ts';
import { AtWork } from './at-work.ts';
import { Purchases } from './purchases.ts';
import { DocumentTill, type Shop } from './shop.ts';
import { Spool } from './spool.ts';
import { Turnstile } from './turnstile.ts';

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
