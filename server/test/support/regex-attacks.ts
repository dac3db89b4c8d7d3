import { type Atom, parseRegex, type RegexNode } from './regex-tree.ts';

/** A text that grows: `prefix`, then `pump` as often as asked, then `suffix`. */
export type Attack = { readonly prefix: string; readonly pump: string; readonly suffix: string };

export const attackText = ({ prefix, pump, suffix }: Attack, times: number): string =>
  prefix + pump.repeat(times) + suffix;

/** Letters and digits first, so that a sample is readable. */
const CANDIDATES = [
  ...Array.from('a1A ./-_:'),
  ...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)),
  ...Array.from('\u00e9\u00a0\u2028\u200b\u3002\ufffd'),
];
const SAMPLES_MAX = 8;
const PREFIXES_MAX = 6;
const OUTSIDE_MAX = 3;

/**
 * Attacks made from the expression itself. Each repetition is reached by a text that matches what stands before it, and
 * pumped with each kind of character and each text that its body takes, and with its own beginning (`<a<a<a` for `<a[^>]*>`,
 * where every start scans to the end). The end is one that the repetition does not take, so that the search goes back.
 */
export function attacksOn(expression: RegExp): Attack[] {
  const { root } = parseRegex(expression);
  const alphabet = alphabetOf(root);
  const attacks = new Map<string, Attack>();
  for (const { body, prefixes } of repeatsIn(root, [''], alphabet)) {
    const bodies =
      body.kind === 'atom' ? alphabet.filter((char) => body.has(char)) : samplesOf(body, alphabet);
    const first = atomsIn(body);
    const outside = alphabet.filter((char) => !first.some((has) => has(char))).slice(0, OUTSIDE_MAX);
    for (const prefix of new Set(['', ...outside.slice(0, 1), ...prefixes]))
      for (const pump of new Set([...bodies, prefix, ...bodies.slice(0, 2).map((text) => prefix + text)]))
        for (const suffix of ['', '\u0001', '\n', ...outside])
          if (pump !== '') attacks.set(JSON.stringify([prefix, pump, suffix]), { prefix, pump, suffix });
  }
  return [...attacks.values()];
}

function atomsIn(node: RegexNode): Atom[] {
  if (node.kind === 'atom') return [node.has];
  if (node.kind === 'seq') return node.items.flatMap(atomsIn);
  if (node.kind === 'alt') return node.options.flatMap(atomsIn);
  return 'body' in node ? atomsIn(node.body) : [];
}

/** One character for each set of characters that no atom of the expression tells apart. */
function alphabetOf(root: RegexNode): string[] {
  const atoms = [...new Set(atomsIn(root))];
  const kinds = new Map<string, string>();
  for (const char of CANDIDATES) {
    const kind = atoms.map((has) => (has(char) ? '1' : '0')).join('');
    if (!kinds.has(kind)) kinds.set(kind, char);
  }
  return [...kinds.values()];
}

/** A few texts that the node matches, lookarounds and back references aside. */
function samplesOf(node: RegexNode, alphabet: readonly string[]): string[] {
  switch (node.kind) {
    case 'atom':
      return alphabet.filter((char) => node.has(char)).slice(0, SAMPLES_MAX);
    case 'seq':
      return node.items.reduce<string[]>((before, item) => joined(before, samplesOf(item, alphabet)), ['']);
    case 'alt':
      return spread(node.options.map((option) => samplesOf(option, alphabet)));
    case 'repeat': {
      const texts = samplesOf(node.body, alphabet);
      const least = texts.map((text) => text.repeat(Math.max(node.min, 1)));
      return (node.min === 0 ? ['', ...least] : least).slice(0, SAMPLES_MAX);
    }
    case 'group':
      return samplesOf(node.body, alphabet);
    default:
      return [''];
  }
}

/** Pairs each text before with one after, so that the number of samples does not multiply. */
function joined(before: readonly string[], after: readonly string[]): string[] {
  const many = Math.max(before.length, after.length);
  if (before.length === 0 || after.length === 0) return [];
  return Array.from(
    { length: Math.min(many, SAMPLES_MAX) },
    (_, at) => `${before[at % before.length]}${after[at % after.length]}`,
  );
}

const spread = (lists: readonly (readonly string[])[]): string[] =>
  lists.flatMap((list) => list.slice(0, Math.max(1, Math.floor(SAMPLES_MAX / lists.length)))).slice(0, 24);

type Repeat = { readonly body: RegexNode; readonly prefixes: readonly string[] };

function repeatsIn(node: RegexNode, prefixes: readonly string[], alphabet: readonly string[]): Repeat[] {
  switch (node.kind) {
    case 'seq': {
      let before = prefixes;
      return node.items.flatMap((item) => {
        const found = repeatsIn(item, before, alphabet);
        before = joined(before, samplesOf(item, alphabet)).slice(0, PREFIXES_MAX);
        return found;
      });
    }
    case 'alt':
      return node.options.flatMap((option) => repeatsIn(option, prefixes, alphabet));
    case 'repeat':
      return [
        ...(node.max > 1 ? [{ body: node.body, prefixes }] : []),
        ...repeatsIn(node.body, prefixes, alphabet),
      ];
    case 'look':
    case 'group':
      return repeatsIn(node.body, prefixes, alphabet);
    default:
      return [];
  }
}
