import { sha256Text } from './sha256-text.ts';

/**
 * One hash over many texts, such that a short path proves that a text is included. The tree is that of RFC 6962: the
 * left side has the largest power of two of leaves. Hashes are joined as hexadecimal text; the prefixes `leaf:` and
 * `node:` keep a leaf from being taken for a node.
 */
export type PathStep = { readonly side: 'left' | 'right'; readonly hash: string };

const leafOf = (text: string): string => sha256Text(`leaf:${text}`);
const nodeOf = (left: string, right: string): string => sha256Text(`node:${left}${right}`);
const EMPTY = sha256Text('');

const splitOf = (count: number): number => 2 ** Math.floor(Math.log2(count - 1));

export const merkleRoot = (texts: readonly string[]): string =>
  texts.length === 0 ? EMPTY : rootOf(texts.map(leafOf));

function rootOf(leaves: readonly string[]): string {
  const [only] = leaves;
  if (leaves.length === 1 && only !== undefined) return only;
  const split = splitOf(leaves.length);
  return nodeOf(rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)));
}

/** For each text its siblings on the way to the root, nearest first; computed together to hash no subtree twice. */
export function merklePaths(texts: readonly string[]): readonly (readonly PathStep[])[] {
  const paths: PathStep[][] = texts.map(() => []);
  const walk = (from: number, leaves: readonly string[]): string => {
    const [only] = leaves;
    if (leaves.length === 1 && only !== undefined) return only;
    const split = splitOf(leaves.length);
    const left = walk(from, leaves.slice(0, split));
    const right = walk(from + split, leaves.slice(split));
    for (let at = 0; at < leaves.length; at += 1)
      paths[from + at]?.push(at < split ? { side: 'right', hash: right } : { side: 'left', hash: left });
    return nodeOf(left, right);
  };
  if (texts.length > 0) walk(0, texts.map(leafOf));
  return paths;
}

/** The root that a text leads to along its path. */
export const rootAlong = (text: string, path: readonly PathStep[]): string =>
  path.reduce(
    (hash, step) => (step.side === 'left' ? nodeOf(step.hash, hash) : nodeOf(hash, step.hash)),
    leafOf(text),
  );
