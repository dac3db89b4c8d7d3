import type { Domain } from '../indicator/index.ts';
import { type Brand, brandOf } from './brand.ts';
import { isBrandOfPlatform } from './brand-words.ts';
import { BRANDS, isBrandOwned } from './brands.ts';
import type { Technique } from './look-alike.ts';
import { looksLike } from './looks-like.ts';
import { skeletonOf } from './skeleton.ts';
import { slipBetween } from './slip.ts';

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

const ALL: readonly Brand[] = BRANDS.flatMap(
  (name) => brandOf({ kind: 'domain', value: name, registrable: name }) ?? [],
);

type Spelled = { readonly word: string; readonly brand: Brand };
/** An index by two numbers below 128. A flat array, because a map took a third of the search time. */
type Index = (Spelled[] | undefined)[];
const NONE: readonly Spelled[] = [];
const CODES = 128;

function note(index: Index, key: number, spelled: Spelled): void {
  const known = index[key];
  if (known === undefined) index[key] = [spelled];
  else known.push(spelled);
}

/** Letters beyond ASCII share key 0, because no brand of the table is spelled with one. */
const placeOf = (first: number, second: number): number =>
  first < CODES && second < CODES ? first * CODES + second : 0;
const pairAt = (text: string, at: number): number => placeOf(text.charCodeAt(at), text.charCodeAt(at + 1));
const outerOf = placeOf;
const newIndex = (): Index => Array.from({ length: CODES * CODES });

/**
 * Indexes of brands by what a look-alike must share with them, because comparing with every brand took fifteen times as
 * long. One typing error leaves the first or the last letter unchanged and changes the length by at most one; a joined
 * short brand begins or ends the word; a long brand may stand anywhere.
 */
const BY_FIRST = newIndex();
const BY_LAST = newIndex();
const JOINED_BEFORE = newIndex();
const JOINED_AFTER = newIndex();
const ANYWHERE = newIndex();
for (const brand of ALL) {
  for (const word of new Set([brand.label, brand.skeleton]))
    for (const length of [word.length - 1, word.length, word.length + 1]) {
      note(BY_FIRST, outerOf(word.charCodeAt(0), length), { word, brand });
      note(BY_LAST, outerOf(word.charCodeAt(word.length - 1), length), { word, brand });
    }
  const { skeleton: word, size } = brand;
  if (size === 'long') note(ANYWHERE, pairAt(word, 0), { word, brand });
  else {
    note(JOINED_BEFORE, pairAt(word, 0), { word, brand });
    note(JOINED_AFTER, pairAt(word, word.length - 2), { word, brand });
  }
}

const isNear = (meant: string, written: string): boolean =>
  meant === written || slipBetween(meant, written) !== null;

function add(candidates: Brand[], brand: Brand): void {
  if (!candidates.includes(brand)) candidates.push(brand);
}

function addNear(candidates: Brand[], written: string): void {
  const { length } = written;
  for (const { word, brand } of BY_FIRST[outerOf(written.charCodeAt(0), length)] ?? NONE)
    if (isNear(word, written)) add(candidates, brand);
  for (const { word, brand } of BY_LAST[outerOf(written.charCodeAt(length - 1), length)] ?? NONE)
    if (isNear(word, written)) add(candidates, brand);
}

/** Adds short brands that are joined to another word, before or after it. */
function addJoined(candidates: Brand[], written: string): void {
  if (written.length < 2) return;
  for (const { word, brand } of JOINED_BEFORE[pairAt(written, 0)] ?? NONE)
    if (written.startsWith(word)) add(candidates, brand);
  for (const { word, brand } of JOINED_AFTER[pairAt(written, written.length - 2)] ?? NONE)
    if (written.endsWith(word)) add(candidates, brand);
}

function addContained(candidates: Brand[], written: string): void {
  for (let at = 0; at < written.length - 1; at += 1)
    for (const { word, brand } of ANYWHERE[pairAt(written, at)] ?? NONE)
      if (written.startsWith(word, at)) add(candidates, brand);
}

function addPiece(candidates: Brand[], piece: string): void {
  if (piece === '') return;
  addNear(candidates, piece);
  addJoined(candidates, piece);
}

/**
 * The often imitated brand that the name resembles most; null if it resembles none, or belongs to a brand's owner. The brand
 * of the platform around the name never counts: a tenant of godaddysites.com does not imitate GoDaddy.
 */
export function findImitated(domain: Domain, platform: string | null = null): Imitation | null {
  const all = candidatesFor(domain);
  const candidates = platform === null ? all : all.filter(({ label }) => !isBrandOfPlatform(label, platform));
  const found = candidates.length === 0 ? null : looksLike(domain, candidates);
  return found === null
    ? null
    : { of: found.brand, technique: found.technique, detail: DETAIL[found.technique] };
}

function candidatesFor({ value, registrable }: Domain): readonly Brand[] {
  const candidates: Brand[] = [];
  if (registrable === null || isBrandOwned(registrable)) return candidates;
  const own = registrable.slice(0, registrable.indexOf('.'));
  const ownAt = value.length - registrable.length;
  addPiece(candidates, own);
  for (let from = 0; from <= ownAt; ) {
    const dot = value.indexOf('.', from);
    addLabel(candidates, value.slice(from, dot), from === ownAt ? own : null);
    from = dot + 1;
  }
  return candidates;
}

/** Adds brands that a label looks like or contains. `own` is the registered label, null for any other. */
function addLabel(candidates: Brand[], label: string, own: string | null): void {
  const look = skeletonOf(label);
  addContained(candidates, look);
  if (own !== null && look !== own) addPiece(candidates, look);
  if (look.includes('-')) for (const piece of look.split('-')) addPiece(candidates, piece);
  else if (own === null) addPiece(candidates, look);
}
