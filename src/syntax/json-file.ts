/** A JSON text opened for reading and editing: its tree, its leaves with paths, and the edits that add and remove entries. */
import type { Edit } from '../format.ts';
import type { KeyPath } from '../text/key-path.ts';
import { malformed } from '../text/position.ts';
import { insertionEdits, type JsonAddition } from './json-insert.ts';
import { type Removal, removalEdits } from './json-remove.ts';
import { JsonStrings } from './json-strings.ts';
import { type JsonChild, type JsonDialect, type JsonNode, parseJsonTree } from './json-tree.ts';

/** A string or literal with its place. */
export interface JsonLeaf {
  readonly path: KeyPath;
  readonly child: JsonChild;
  /** An element of a list. */
  readonly isElement: boolean;
}

export interface JsonFile {
  readonly text: string;
  readonly root: JsonNode;
  readonly strings: JsonStrings;
  leaves(): readonly JsonLeaf[];
  insert(additions: readonly JsonAddition[]): readonly Edit[];
  remove(removal: Removal): readonly Edit[];
}

/** Throws JobFailure `malformed` with line and column. */
export function openJson(text: string, dialect: JsonDialect, file: string): JsonFile {
  const root = parseJsonTree(text, dialect, file);
  const strings = new JsonStrings(text);
  if (dialect !== 'json5') refuseControls(text, root, file);
  return {
    text,
    root,
    strings,
    leaves: () => leavesOf(root),
    insert: (additions) => insertionEdits({ text, root, strings, file }, additions),
    remove: (removal) => removalEdits(text, root, removal),
  };
}

function leavesOf(root: JsonNode): JsonLeaf[] {
  const leaves: JsonLeaf[] = [];
  const visit = (node: JsonNode, path: KeyPath): void => {
    if (node.kind !== 'object' && node.kind !== 'list') return;
    for (const child of node.children) {
      const childPath = [...path, child.step];
      if (child.value.kind === 'string' || child.value.kind === 'literal') {
        leaves.push({ path: childPath, child, isElement: node.kind === 'list' });
      } else {
        visit(child.value, childPath);
      }
    }
  };
  visit(root, []);
  return leaves;
}

// RFC 8259 section 7: control characters must be escaped; momoa lets them pass.
function refuseControls(text: string, node: JsonNode, file: string): void {
  if (node.kind === 'object' || node.kind === 'list') {
    for (const child of node.children) refuseControls(text, child.value, file);
  } else if (node.kind === 'string') {
    for (let offset = node.start; offset < node.end; offset += 1) {
      if (text.charCodeAt(offset) < 0x20) {
        throw malformed(file, { text, offset }, 'a line break or control character in a string');
      }
    }
  }
}
