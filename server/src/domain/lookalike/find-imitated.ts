import type { Domain } from '../indicator/index.ts';
import { type Brand, brandOf } from './brand.ts';
import { BRANDS } from './brands.ts';
import type { Technique } from './look-alike.ts';
import { looksLike } from './looks-like.ts';
import { slipBetween } from './slip.ts';
import { traceOf } from './trace.ts';

export type Imitation = {
  /** The registrable domain that is imitated. */
  readonly of: string;
  readonly technique: Technique;
  readonly detail: string;
};

const DETAIL: Readonly<Record<Technique, string>> = {
  typosquat: 'One typing error away from it.',
  homoglyph: 'Written with characters that look like its own.',
  tld: 'The same name under another suffix.',
  combosquat: 'Its name joined to other words.',
  subdomain: 'Its name to the left of another domain.',
};

const OWNED: ReadonlySet<string> = new Set(BRANDS);
const ALL: readonly Brand[] = BRANDS.flatMap(
  (name) => brandOf({ kind: 'domain', value: name, registrable: name }) ?? [],
);
const LONG = ALL.filter(({ size }) => size === 'long');
const SHORT = ALL.filter(({ size }) => size !== 'long');

/**
 * Brands by the length of their spellings or one letter away, and by one outer letter: one typing error leaves the first
 * or the last letter as it was. A comparison with every brand took fifteen times as long.
 */
type Spelled = { readonly word: string; readonly brand: Brand };
const BY_FIRST = new Map<number, Spelled[]>();
const BY_LAST = new Map<number, Spelled[]>();
const LENGTHS = 256;
const firstOf = (word: string, length: number): number => word.charCodeAt(0) * LENGTHS + length;
const lastOf = (word: string, length: number): number => word.charCodeAt(word.length - 1) * LENGTHS + length;
for (const brand of ALL)
  for (const word of new Set([brand.label, brand.skeleton]))
    for (const length of [word.length - 1, word.length, word.length + 1]) {
      const [first, last] = [firstOf(word, length), lastOf(word, length)];
      BY_FIRST.set(first, [...(BY_FIRST.get(first) ?? []), { word, brand }]);
      BY_LAST.set(last, [...(BY_LAST.get(last) ?? []), { word, brand }]);
    }

const isNear = (meant: string, written: string): boolean =>
  meant === written || slipBetween(meant, written) !== null;

const NONE: readonly Spelled[] = [];
function addNear(candidates: Set<Brand>, written: string): void {
  const { length } = written;
  for (const { word, brand } of BY_FIRST.get(firstOf(written, length)) ?? NONE)
    if (isNear(word, written)) candidates.add(brand);
  for (const { word, brand } of BY_LAST.get(lastOf(written, length)) ?? NONE)
    if (!candidates.has(brand) && isNear(word, written)) candidates.add(brand);
}

/** The often imitated brand that the name resembles most; null where it resembles none or belongs to one. */
export function findImitated(domain: Domain): Imitation | null {
  const candidates = candidatesFor(domain);
  const found = candidates.size === 0 ? null : looksLike(domain, [...candidates]);
  return found === null
    ? null
    : { of: found.brand, technique: found.technique, detail: DETAIL[found.technique] };
}

function candidatesFor(domain: Domain): ReadonlySet<Brand> {
  const candidates = new Set<Brand>();
  const { registrable } = domain;
  const trace = registrable === null || OWNED.has(registrable) ? null : traceOf(domain);
  if (trace === null || registrable === null) return candidates;
  const label = registrable.slice(0, registrable.indexOf('.'));
  for (const word of [label, ...trace.tokens]) {
    const shown = word.startsWith('=') ? word.slice(1) : word;
    addNear(candidates, shown);
    for (const brand of SHORT) if (isJoined(shown, brand.skeleton)) candidates.add(brand);
  }
  for (const brand of LONG) if (trace.spelling.includes(brand.skeleton)) candidates.add(brand);
  return candidates;
}

/** A short brand counts only joined to another word, before or after it. */
const isJoined = (word: string, skeleton: string): boolean =>
  word.startsWith(skeleton) || word.endsWith(skeleton);
