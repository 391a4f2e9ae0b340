/**
 * A strict reading of XLIFF after the published schemas, for what is exported: xliff-core-1.2-strict.xsd and
 * xliff_core_2.0.xsd (used by 2.1). It covers the elements below with their order and number, required and allowed attributes,
 * their value lists, and the uniqueness of ids and of codes. It knows no modules, no sub-flows and no group.
 */
import { type XmlElement as Node, parseXml } from '@rgrove/parse-xml';

interface Rule {
  /** Names of children in order, with `?`, `*` or `+`. `#text`: characters may be there. */
  readonly content: readonly string[];
  readonly required: readonly string[];
  readonly allowed: Readonly<Record<string, RegExp>>;
}

const ANY = /^[\s\S]*$/;
const LANGUAGE = /^[a-zA-Z]{2,8}(-[a-zA-Z0-9]{1,8})*$/;
const NMTOKEN = /^[\w.:-]+$/;
const STATE_1 =
  /^(?:final|needs-adaptation|needs-l10n|needs-review-adaptation|needs-review-l10n|needs-review-translation|needs-translation|new|signed-off|translated)$/;
const INLINE_1 = ['#text', 'ph*'];

const RULES_1: Readonly<Record<string, Rule>> = {
  xliff: {
    content: ['file+'],
    required: ['version'],
    allowed: { version: /^1\.2$/, xmlns: /:1\.2$/ },
  },
  file: {
    content: ['body'],
    required: ['original', 'source-language', 'datatype'],
    allowed: {
      original: ANY,
      'product-name': ANY,
      'source-language': LANGUAGE,
      'target-language': LANGUAGE,
      datatype: /^plaintext$/,
    },
  },
  body: { content: ['trans-unit*'], required: [], allowed: {} },
  'trans-unit': {
    content: ['source', 'target?', 'note*'],
    required: ['id'],
    allowed: {
      id: /./,
      resname: ANY,
      approved: /^(?:yes|no)$/,
      'xml:space': /^preserve$/,
      maxwidth: /^\d+$/,
      'size-unit': /^char$/,
    },
  },
  source: { content: INLINE_1, required: [], allowed: {} },
  target: { content: INLINE_1, required: [], allowed: { state: STATE_1 } },
  ph: { content: ['#text'], required: ['id'], allowed: { id: NMTOKEN } },
  note: { content: ['#text'], required: [], allowed: { from: ANY } },
};

const INLINE_2 = ['#text', 'ph*'];
const RULES_2: Readonly<Record<string, Rule>> = {
  xliff: {
    content: ['file+'],
    required: ['version', 'srcLang'],
    allowed: { version: /^2\.1$/, xmlns: /:2\.0$/, srcLang: LANGUAGE, trgLang: LANGUAGE },
  },
  file: { content: ['notes?', 'unit+'], required: ['id'], allowed: { id: NMTOKEN, original: ANY } },
  unit: {
    content: ['notes?', 'originalData?', 'segment+'],
    required: ['id'],
    allowed: { id: NMTOKEN, name: ANY },
  },
  notes: { content: ['note+'], required: [], allowed: {} },
  note: { content: ['#text'], required: [], allowed: { category: ANY } },
  originalData: { content: ['data+'], required: [], allowed: {} },
  data: { content: ['#text'], required: ['id'], allowed: { id: NMTOKEN } },
  segment: {
    content: ['source', 'target?'],
    required: [],
    allowed: { state: /^(?:initial|translated|reviewed|final)$/, subState: /^[^:]+:.+$/ },
  },
  source: { content: INLINE_2, required: [], allowed: { 'xml:space': /^preserve$/ } },
  target: { content: INLINE_2, required: [], allowed: { 'xml:space': /^preserve$/ } },
  ph: {
    content: [],
    required: ['id'],
    allowed: { id: NMTOKEN, dataRef: NMTOKEN, equiv: ANY, disp: ANY },
  },
};

/** @returns what the schema or the specification does not allow */
export function xliffFaults(text: string): string[] {
  const { root } = parseXml(text);
  if (root === null) return ['no root'];
  const version = root.attributes['version'] ?? '';
  const rules = version === '1.2' ? RULES_1 : RULES_2;
  return [...elementFaults(root, rules), ...(version === '1.2' ? ids1(root) : ids2(root))];
}

function elementFaults(element: Node, rules: Readonly<Record<string, Rule>>): string[] {
  const rule = rules[element.name];
  if (rule === undefined) return [`<${element.name}> is not allowed`];
  const faults: string[] = [];
  for (const name of rule.required) {
    if (!(name in element.attributes)) faults.push(`<${element.name}> has no ${name}`);
  }
  for (const [name, value] of Object.entries(element.attributes)) {
    const pattern = rule.allowed[name];
    if (pattern === undefined) faults.push(`<${element.name} ${name}> is not allowed`);
    else if (!pattern.test(value)) faults.push(`<${element.name} ${name}="${value}">`);
  }
  const names: string[] = [];
  for (const child of element.children) {
    if (child.type === 'element') {
      names.push((child as Node).name);
      faults.push(...elementFaults(child as Node, rules));
    } else if (child.type === 'text' && !rule.content.includes('#text')) {
      if ((child as unknown as { text: string }).text.trim() !== '') {
        faults.push(`<${element.name}> holds text`);
      }
    }
  }
  const order = rule.content.filter((name) => name !== '#text');
  const expression = new RegExp(
    `^${order.map((name) => name.replace(/^([\w-]+)([?*+]?)$/, '(?:$1 )$2')).join('')}$`,
  );
  const written = names.map((name) => `${name} `).join('');
  if (!expression.test(written)) faults.push(`<${element.name}> holds: ${written}`);
  return faults;
}

function all(element: Node, name: string): Node[] {
  return element.children.flatMap((child) => {
    if (child.type !== 'element') return [];
    const node = child as Node;
    return [...(node.name === name ? [node] : []), ...all(node, name)];
  });
}

function twice(nodes: readonly Node[], where: string): string[] {
  const seen = new Set<string>();
  return nodes.flatMap(({ attributes: { id = '' } }) => {
    const fault = seen.has(id) ? [`${where}: id ${id} stands twice`] : [];
    seen.add(id);
    return fault;
  });
}

function ids1(root: Node): string[] {
  return all(root, 'file').flatMap((file) => [
    ...twice(all(file, 'trans-unit'), 'file'),
    ...all(file, 'source').flatMap((source) => twice(all(source, 'ph'), 'source')),
    ...all(file, 'target').flatMap((target) => twice(all(target, 'ph'), 'target')),
  ]);
}

function ids2(root: Node): string[] {
  const files = all(root, 'file');
  return [
    ...twice(files, 'xliff'),
    ...files.flatMap((file) => twice(all(file, 'unit'), 'file')),
    ...all(root, 'unit').flatMap((unit) => [
      ...twice(all(unit, 'data'), 'unit'),
      ...all(unit, 'source').flatMap((source) => twice(all(source, 'ph'), 'source')),
      ...all(unit, 'ph').flatMap(({ attributes: { dataRef } }) =>
        all(unit, 'data').some(({ attributes }) => attributes['id'] === dataRef)
          ? []
          : [`dataRef ${dataRef} names no data`],
      ),
      ...all(unit, 'segment').flatMap((segment) =>
        segment.attributes['state'] !== 'initial' && all(segment, 'target').length === 0
          ? ['a translated segment without a target']
          : [],
      ),
    ]),
  ];
}
