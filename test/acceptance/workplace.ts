/** A shop with terms for two of its three languages. */
import { Rig } from '../rig.ts';

export const PROJECT = `
defaults: { settle_ms: 100 }
projects:
  shop:
    source: en
    targets: [de, fr, pl]
    glossary: { name: shop, csv: "l10n/{source}-{locale}.csv" }
    retranslate_on: [source, glossary]
    routes:
      - { from: "locales/{locale}/**/*.json" }
`;
export const TEXTS = { cart: 'Your cart is empty', pay: 'Go to checkout', help: 'Help' };
export const FILES = {
  'locales/en/app.json': `${JSON.stringify(TEXTS, null, 2)}\n`,
  'l10n/en-de.csv': 'cart,Warenkorb\ncheckout,Kasse\n',
  'l10n/en-fr.csv': 'cart,panier\n',
};

export const start = (config = PROJECT, files: Record<string, string> = FILES) =>
  Rig.start({ config, files });
