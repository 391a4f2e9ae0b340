/** YAML as plain data, with the line and column of every setting. Pure. */
import {
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type Scalar,
  visit,
  type YAMLMap,
} from 'yaml';
import type { SettingPath } from '../setting.ts';
import { type Fault, settingPathName } from './fault.ts';
import { yamlDataWords, yamlWords } from './yaml-words.ts';

/** The place that a fault points at: the name of the setting or its value. */
export type Anchor = 'name' | 'value';

/** Rewrites a string value of the file, before the data is read. */
export type Rewrite = (text: string, fault: (message: string) => void) => string;

// A line may hold a key although that is forbidden. Such a line must not get into logs together with a message.
const MAY_HOLD_SECRET = /(key|secret|token|password|authorization)['"]?\s*:|:\/\/[^/\s]*@/i;

export class YamlText {
  /** Objects, arrays, strings, numbers, booleans, null. Undefined when the text is not YAML. */
  readonly data: unknown;
  /** Faults of the YAML syntax and of the rewriting. */
  readonly faults: readonly Fault[];
  readonly #file: string;
  readonly #lines: readonly string[];
  readonly #counter = new LineCounter();
  readonly #document: Document;

  /** @param rewrite is given every string value, never a key */
  constructor(text: string, { file, rewrite }: { file: string; rewrite: Rewrite }) {
    this.#file = file;
    this.#lines = text.split(/\r\n|\r|\n/);
    this.#document = parseDocument(text, {
      lineCounter: this.#counter,
      prettyErrors: false,
      merge: true,
      // Faults are returned; the library must not print warnings of its own.
      logLevel: 'silent',
    });
    const faults = this.#syntaxFaults();
    if (faults.length === 0) {
      this.#rewriteStrings(rewrite, faults);
      this.data = this.#plainData(faults);
    }
    this.faults = faults;
  }

  /** A fault about the setting at `path`; its place is that of the nearest existing setting above, where `path` does not exist. */
  fault(path: SettingPath, message: string, anchor: Anchor = 'value'): Fault {
    return this.#faultAt(this.#offset(path, anchor), { path: settingPathName(path), message });
  }

  /** 1-based line and column of the setting's value. */
  position(path: SettingPath): { line: number; column: number } {
    return this.#position(this.#offset(path, 'value'));
  }

  #syntaxFaults(): Fault[] {
    const errors = [...this.#document.errors, ...this.#document.warnings];
    const tooDeep = errors.find(({ message }) => message.includes('call stack'));
    if (tooDeep !== undefined) {
      return [this.#faultAt(tooDeep.pos[0], { path: '', message: 'is nested too deeply' })];
    }
    // The parser reports follow-up errors after the first one; these say nothing new.
    return errors
      .filter((error, index) => index === 0 || error.code !== 'UNEXPECTED_TOKEN')
      .map((error) => this.#faultAt(error.pos[0], { path: '', message: yamlWords(error) }));
  }

  #rewriteStrings(rewrite: Rewrite, faults: Fault[]): void {
    visit(this.#document, {
      Scalar: (key, node, ancestors) => {
        if (key === 'key' || typeof node.value !== 'string') return;
        const report = (message: string) => {
          const path = settingPathName(pathOf(node, ancestors));
          faults.push(this.#faultAt(node.range?.[0] ?? 0, { path, message }));
        };
        node.value = rewrite(node.value, report);
      },
    });
  }

  #plainData(faults: Fault[]): unknown {
    try {
      return this.#document.toJS({ maxAliasCount: 100 });
    } catch (error) {
      // Too many aliases of aliases, an alias without an anchor, or a merge of a value that is not a map.
      const message = error instanceof Error ? error.message : String(error);
      faults.push(this.#faultAt(0, { path: '', message: yamlDataWords(message) }));
      return undefined;
    }
  }

  #offset(path: SettingPath, anchor: Anchor): number {
    let node: unknown = this.#document.contents;
    let offset = rangeStart(node) ?? 0;
    for (const [depth, step] of path.entries()) {
      const found = this.#child(node, step);
      if (found === undefined) break;
      const last = depth === path.length - 1;
      const name = rangeStart(found.key);
      // A missing setting is shown at the name of the setting that should contain it.
      const here = last && anchor === 'value' ? (rangeStart(found.value) ?? name) : name;
      offset = here ?? rangeStart(found.value) ?? offset;
      node = found.value;
    }
    return offset;
  }

  #child(parent: unknown, step: string | number): { key?: unknown; value: unknown } | undefined {
    const node = isAlias(parent) ? parent.resolve(this.#document) : parent;
    if (isMap(node)) return findPair(node, String(step)) ?? this.#merged(node, step);
    if (isSeq(node) && typeof step === 'number' && step < node.items.length) {
      return { value: node.items[step] };
    }
    return undefined;
  }

  #merged(map: YAMLMap, step: string | number): { key?: unknown; value: unknown } | undefined {
    const merge = findPair(map, '<<');
    if (merge === undefined || step === '<<') return undefined;
    const sources = isSeq(merge.value) ? merge.value.items : [merge.value];
    for (const source of sources) {
      // A merge key may name the map that holds it. toJS has refused that before; a fault may still ask for a place.
      const from = isAlias(source) ? source.resolve(this.#document) : source;
      const found = isMap(from) && from !== map ? findPair(from, String(step)) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #faultAt(offset: number, { path, message }: { path: string; message: string }): Fault {
    const position = this.#position(offset);
    const line = this.#lines[position.line - 1];
    const excerpt = line === undefined || MAY_HOLD_SECRET.test(line) ? {} : { excerpt: line };
    return { file: this.#file, ...position, path, message, ...excerpt };
  }

  #position(offset: number): { line: number; column: number } {
    const { line, col } = this.#counter.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  }
}

function findPair(map: YAMLMap, name: string): Pair | undefined {
  return map.items.find((pair) => String(isScalar(pair.key) ? pair.key.value : pair.key) === name);
}

function rangeStart(node: unknown): number | undefined {
  if (node === null || typeof node !== 'object' || !('range' in node)) return undefined;
  const range = (node as Node).range;
  return range === null || range === undefined ? undefined : range[0];
}

function pathOf(node: Scalar, ancestors: readonly unknown[]): (string | number)[] {
  const chain = [...ancestors, node];
  return chain.flatMap((ancestor, depth): (string | number)[] => {
    if (isPair(ancestor)) return [String(isScalar(ancestor.key) ? ancestor.key.value : '')];
    return isSeq(ancestor) ? [ancestor.items.indexOf(chain[depth + 1])] : [];
  });
}
