/** For each operation of the service, an installation whose next run makes that request. */
import type { Clock } from '../../src/clock.ts';
import { silence } from '../lanes/voice/voice-rig.ts';
import { Rig } from '../rig.ts';

export interface Place {
  readonly operation: string;
  readonly kind: keyof typeof KINDS;
  /** The change of a person after a first run without faults: the next run then makes the request. */
  readonly change?: (rig: Rig) => void;
}

const STYLE = (rule: string, prompt: string, name = 'house') =>
  `name: ${name}\nlanguage: de\nconfigured_rules: { punctuation: { apostrophe: ${rule} } }\ncustom_instructions:\n${prompt}`;
const BRIEF = '  - { label: Tone, prompt: "Be brief" }\n';
const POLITE = '  - { label: Form, prompt: "Be polite" }\n';
const STRAIGHT = 'use_straight_apostrophes';
const CURLY = 'use_curly_apostrophes';
const TEXTS = { 'locales/en/app.json': '{ "cart": "Your cart is empty", "help": "Help" }\n' };
const TEXT_ROUTE = '{ from: "locales/{locale}/**/*.json" }';

const KINDS = {
  text: { files: TEXTS, route: TEXT_ROUTE, rules: '', targets: 'de' },
  glossary: {
    files: { ...TEXTS, 'l10n/en-de.csv': 'cart,Warenkorb\n', 'l10n/en-fr.csv': '' },
    route: TEXT_ROUTE,
    rules: 'glossary: { name: shop, csv: "l10n/{source}-{locale}.csv" }',
    targets: 'de, fr',
  },
  style: {
    files: { ...TEXTS, 'style.yaml': STYLE(STRAIGHT, BRIEF) },
    route: TEXT_ROUTE,
    rules: 'style: { de: style.yaml }',
    targets: 'de',
  },
  document: {
    files: { 'in/a.txt': 'Hello world\n' },
    route: '{ from: "in/*.txt", to: "out/{locale}/{name}.txt" }',
    rules: '',
    targets: 'de',
  },
  voice: {
    files: { 'in/a.wav': silence(2) },
    route: '{ from: "in/*.wav", to: { subtitles: "out/{locale}/{name}.srt" } }',
    rules: '',
    targets: 'de',
  },
  improvement: { files: TEXTS, route: TEXT_ROUTE, rules: '', targets: 'en-GB' },
  detection: {
    files: {
      'in/app.json': '{ "cart": "Your cart is empty", "help": "We are here to help you" }\n',
    },
    route: '{ from: "in/*.json", to: "out/{locale}/{name}.json" }',
    rules: 'detect: true',
    targets: 'de',
  },
} as const;

const GLOSSARY = '/v3/glossaries/{glossary_id}';
const STYLES = '/v3/style_rules/{style_id}';

export const PLACES: readonly Place[] = [
  { operation: 'POST /v2/translate', kind: 'text' },
  { operation: 'GET /v2/usage', kind: 'text' },
  { operation: 'GET /v3/languages', kind: 'text' },
  { operation: 'GET /v3/glossaries', kind: 'glossary' },
  { operation: 'POST /v3/glossaries', kind: 'glossary' },
  {
    ...{ operation: `GET ${GLOSSARY}`, kind: 'glossary' },
    change: (rig) => rig.write('l10n/en-de.csv', 'cart,Wagen\n'),
  },
  {
    ...{ operation: `GET ${GLOSSARY}/entries`, kind: 'glossary' },
    change: (rig) => rig.write('l10n/en-de.csv', 'cart,Wagen\n'),
  },
  {
    ...{ operation: `PATCH ${GLOSSARY}`, kind: 'glossary' },
    change: (rig) => rig.write('l10n/en-de.csv', 'cart,Warenkorb\nhelp,Hilfe\n'),
  },
  {
    ...{ operation: `PUT ${GLOSSARY}/dictionaries`, kind: 'glossary' },
    change: (rig) => rig.write('l10n/en-fr.csv', 'cart,panier\n'),
  },
  {
    ...{ operation: `DELETE ${GLOSSARY}/dictionaries`, kind: 'glossary' },
    change: (rig) => rig.remove('l10n/en-de.csv'),
  },
  { operation: 'GET /v3/style_rules', kind: 'style' },
  { operation: 'POST /v3/style_rules', kind: 'style' },
  {
    ...{ operation: `GET ${STYLES}`, kind: 'style' },
    change: (rig) => rig.write('style.yaml', STYLE(CURLY, BRIEF)),
  },
  {
    ...{ operation: `PATCH ${STYLES}`, kind: 'style' },
    change: (rig) => rig.write('style.yaml', STYLE(STRAIGHT, BRIEF, 'other')),
  },
  {
    ...{ operation: `PUT ${STYLES}/configured_rules`, kind: 'style' },
    change: (rig) => rig.write('style.yaml', STYLE(CURLY, BRIEF)),
  },
  {
    ...{ operation: `POST ${STYLES}/custom_instructions`, kind: 'style' },
    change: (rig) => rig.write('style.yaml', STYLE(STRAIGHT, BRIEF + POLITE)),
  },
  {
    ...{ operation: `DELETE ${STYLES}`, kind: 'style' },
    change: (rig) => rig.write('style.yaml', STYLE(STRAIGHT, POLITE)),
  },
  { operation: 'POST /v2/document', kind: 'document' },
  { operation: 'POST /v2/document/{document_id}', kind: 'document' },
  { operation: 'POST /v2/document/{document_id}/result', kind: 'document' },
  { operation: 'POST /v1/jobs/voice/translate', kind: 'voice' },
  { operation: 'PUT /assets/{job_id}', kind: 'voice' },
  { operation: 'GET /v1/jobs/voice/translate/{job_id}', kind: 'voice' },
  { operation: 'GET /assets/{job_id}/{index}', kind: 'voice' },
  { operation: 'POST /v2/write/rephrase', kind: 'improvement' },
  { operation: 'POST /v3/detect/language', kind: 'detection' },
];

export async function openPlace({ kind, change }: Place, clock: Clock): Promise<Rig> {
  const { files, route, rules, targets } = KINDS[kind];
  const config = `
defaults: { settle_ms: 0 }
projects:
  app:
    source: ${kind === 'detection' ? 'auto' : 'en'}
    targets: [${targets}]
    ${rules}
    routes:
      - ${route}
`;
  const rig = await Rig.start({ config, files, clock });
  if (change === undefined) return rig;
  await rig.once();
  change(rig);
  return rig;
}
