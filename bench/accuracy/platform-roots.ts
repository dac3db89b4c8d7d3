import { createRequire } from 'node:module';
import { isPlatformRoot, parseIndicator } from '../../server/src/domain/indicator/index.ts';

/** The suffix list as tldts packs it: nodes, the edges of each node, and all labels in one text. */
type Trie = {
  readonly nodeFlags: Uint8Array;
  readonly edgeStart: Uint32Array;
  readonly edgeLength: Uint8Array;
  readonly edgeChild: Uint32Array;
  readonly labelText: string;
  readonly rulesRoot: number;
};
const PRIVATE = 2;

/** Every name in the private section of the public suffix list; for `*.localto.net` the base. */
export function platformRoots(): readonly string[] {
  const trie = createRequire(import.meta.url)('tldts/dist/cjs/src/data/trie.js') as Trie;
  const offsets = labelOffsets(trie);
  const found = new Set<string>();
  const walk = (node: number, name: string): void => {
    if (((trie.nodeFlags[node] ?? 0) & PRIVATE) !== 0) found.add(name.replace(/^\*\./, ''));
    for (let edge = trie.edgeStart[node] ?? 0; edge < (trie.edgeStart[node + 1] ?? 0); edge += 1) {
      const from = offsets[edge] ?? 0;
      const label = trie.labelText.slice(from, from + (trie.edgeLength[edge] ?? 0));
      walk(trie.edgeChild[edge] ?? 0, name === '' ? label : `${label}.${name}`);
    }
  };
  walk(trie.rulesRoot, '');
  return [...found].filter(isRoot).sort();
}

/** Leaves out rules with a wildcard in the middle, which name no host. */
const isRoot = (name: string): boolean =>
  !name.includes('*') && parseIndicator(name).ok && isPlatformRoot(name);

function labelOffsets({ edgeLength }: Trie): Uint32Array {
  const offsets = new Uint32Array(edgeLength.length);
  for (let edge = 1; edge < offsets.length; edge += 1)
    offsets[edge] = (offsets[edge - 1] ?? 0) + (edgeLength[edge - 1] ?? 0);
  return offsets;
}
