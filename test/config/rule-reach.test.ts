import { expect, test } from 'vitest';
import { faultLine } from '../../src/config/fault.ts';
import { parseConfig } from '../../src/config/parse.ts';

const STRINGS = '{ from: "locales/{locale}/*.json" }';
const OFFICE = '{ from: "in/*.{docx,pptx}", to: "out/{locale}/{name}.{ext}" }';
const SPEECH = '{ from: "in/*.mp3", to: { transcript: "out/{locale}/{name}.txt" } }';
const ANY = '{ from: "in/**", to: "out/{locale}/{dir}/{name}.{ext}" }';

interface Written {
  readonly rule: string;
  readonly route: string;
  readonly targets?: string;
  readonly service?: string;
}

function faults({ rule, route, targets = '[de]', service = '' }: Written): string[] {
  const text = `version: 1
service: { url: "http://127.0.0.1:1", key: { env: KEY }${service} }
projects:
  shop:
    source: en
    targets: ${targets}
    ${rule}
    routes: [${route}]
`;
  const parsed = parseConfig(text, { file: '/repo/dragoman.yaml', env: {} });
  return (parsed.faults ?? []).map((fault) => faultLine(fault, '/repo'));
}

test.for<[string, Written]>([
  ['style: nothing in this project takes it', { rule: 'style: { de: a.yaml }', route: OFFICE }],
  ['glossary: nothing in this project takes it', { rule: 'glossary: { id: x }', route: SPEECH }],
  ['formality: nothing in this project takes it', { rule: 'formality: more', route: SPEECH }],
  ['context: nothing in this project takes it', { rule: 'context: Boats', route: OFFICE }],
  [
    'improve: nothing in this project takes it',
    { rule: 'improve: { tone: friendly }', route: OFFICE },
  ],
  [
    'formality: text improvement takes none',
    { rule: 'formality: more', route: STRINGS, targets: '[en-GB]' },
  ],
  [
    'custom_instructions: text improvement takes none',
    { rule: 'custom_instructions: [Be brief]', route: STRINGS, targets: '[en-GB]' },
  ],
  [
    'style.en-GB: en-GB is a variant of en',
    { rule: 'style: { en-GB: a.yaml }', route: STRINGS, targets: '[de, en-GB]' },
  ],
  [
    'style.en_gb: en_gb is a variant of en',
    { rule: 'style: { en_gb: a.yaml }', route: STRINGS, targets: '[de, en-GB]' },
  ],
])('a rule that nothing can apply is a fault with its place: %s', ([fault, written]) => {
  expect(faults(written)).toEqual([expect.stringContaining(`projects.shop.${fault}`)]);
  expect(faults(written)[0]).toMatch(/^dragoman\.yaml:7:\d+ /);
});

test.for<Written>([
  { rule: 'style: { de: a.yaml }', route: `${OFFICE}, ${STRINGS}` },
  { rule: 'style: { de: a.yaml }', route: OFFICE, service: ', capabilities: [document_style]' },
  { rule: 'style: { de: a.yaml }', route: ANY },
  { rule: 'glossary: { id: x }', route: OFFICE },
  { rule: 'formality: more', route: STRINGS, targets: '[de, en-GB]' },
  { rule: 'improve: { tone: friendly }', route: STRINGS, targets: '[en-GB]' },
])('a rule that something can apply is none: %j', (written) => {
  expect(faults(written)).toEqual([]);
});
