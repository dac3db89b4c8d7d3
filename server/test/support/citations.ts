import { proseOf } from './prose.ts';
import type { SourceFile } from './scan-source.ts';

/** A rule that a comment, a test title or a page cites, and the anchor that must exist for it. */
export type Citation = {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  /**
   * `docs/contract.md#G13`; a bare path where the page itself is cited; null where the citation is
   * incomplete.
   */
  readonly target: string | null;
};

const CONTRACT = 'docs/contract.md';
const SCORING = 'docs/scoring.md';
const RELIABILITY = 'docs/reliability.md';
const FOUNDATION = 'ARCHITECTURE.md';

type Found = { readonly at: number; readonly end: number; readonly target: string | null };
type Unit = (number: string) => string;

/** The words before a number, and the unit that the number then names. */
const HEADS: readonly (readonly [RegExp, Unit, 'dotted' | 'plain'])[] = [
  [/\bcontract(?:\s+sections?)?\s+(?=\d)/gi, (n) => `${CONTRACT}#contract-${n}`, 'dotted'],
  [/\bdecisions(?:\s+sections?)?\s+(?=\d|[GOC]\d)/gi, (n) => `${CONTRACT}#decisions-${n}`, 'dotted'],
  [/\btraps?\s+(?=\d)/gi, (n) => `${CONTRACT}#trap-${n}`, 'plain'],
  [/\breliability\s+(?=[1-9]\.\d)/gi, (n) => `${RELIABILITY}#${n}`, 'dotted'],
  [/\breliability,?\s+findings?\s+(?=\d)/gi, (n) => `${RELIABILITY}#finding-${n}`, 'plain'],
  [/\bscoring,?\s+findings?\s+(?=\d)/gi, (n) => `${SCORING}#finding-${n}`, 'plain'],
  [/\bscoring(?:\s+sections?)?\s+(?=\d)/gi, (n) => `${SCORING}#section-${n}`, 'plain'],
  [/\brulings?\s+(?=\d)/gi, (n) => `${SCORING}#ruling-${n}`, 'plain'],
  [/\bfoundation\s+rules?\s+(?=\d)/gi, (n) => `${FOUNDATION}#foundation-rule-${n}`, 'plain'],
];

/**
 * The page of a bare "rule", "section" or "finding". A page may cite itself. One migration writes "rule N"
 * for a rule of the foundation, and an applied migration never changes.
 */
const HOMES: readonly (readonly [path: string, units: Readonly<Partial<Record<Kind, Unit>>>])[] = [
  [CONTRACT, { section: (n) => `${CONTRACT}#contract-${n}` }],
  [SCORING, { section: (n) => `${SCORING}#section-${n}`, finding: (n) => `${SCORING}#finding-${n}` }],
  [RELIABILITY, { section: (n) => `${RELIABILITY}#${n}`, finding: (n) => `${RELIABILITY}#finding-${n}` }],
  ['server/migrations/0006_', { rule: (n) => `${FOUNDATION}#foundation-rule-${n}` }],
];
type Kind = 'rule' | 'section' | 'finding';

export function citationsOf({ path, text }: SourceFile): readonly Citation[] {
  const prose = proseOf({ path, text });
  const lists = HEADS.flatMap(([head, unit, form]) =>
    [...prose.matchAll(head)].flatMap((match) => readList(prose, match, unit, form)),
  );
  const found = [...lists, ...idsIn(prose), ...pagesIn(path, prose)];
  found.push(...namelessIn(path, prose, lists));
  return found
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, end, target }) => ({
      path,
      line: text.slice(0, at).split('\n').length,
      text: prose.slice(at, end).replace(/\s+/g, ' '),
      target,
    }));
}

const NUMBER = /\d{1,2}(?:\.\d{1,2})?a?(?![\w%]|\.\d)/y;
const ID = /[A-Z]\d{1,2}(?:\s*-\s*[A-Z]\d{1,2})?\b|\d\.[A-Z]\b/y;
const SEPARATOR = /\s*(?:,\s*and\b|,\s*or\b|,|and\b|or\b|with\b)\s*/y;
const RANGE = /\s*(?:-|to\b)\s*/y;
const RULES = /,?\s+rules?\s+(?=\d)/y;
/** A number followed by a word counts something else, as in "trap 53, 20 links". */
const ENDS = /\s*(?:[),.;:\]`'"|-]|$|\band\b|\bor\b|\bto\b|rules?\b)/y;

/** The numbers after a head, with ranges and rules of a section. Ids among them are found by `idsIn`. */
function readList(
  prose: string,
  { index, 0: head }: RegExpMatchArray,
  unit: Unit,
  form: 'dotted' | 'plain',
): readonly Found[] {
  const found: Found[] = [];
  let [start, i] = [index ?? 0, (index ?? 0) + head.length];
  for (;;) {
    const number = at(NUMBER, prose, i);
    if (number !== null && (found.length === 0 || isContinued(prose, number, i, form)))
      i = readNumber(prose, { start, i, number }, unit, found);
    else {
      const id = at(ID, prose, i);
      // A number of another form, such as one with three levels, is a citation that cannot be resolved.
      if (id === null && i === start + head.length) found.push({ at: start, end: i + 5, target: null });
      if (id === null) return found;
      i += id.length;
    }
    const separator = at(SEPARATOR, prose, i);
    if (separator === null) return found;
    i += separator.length;
    start = i;
  }
}

type Place = { readonly start: number; readonly i: number; readonly number: string };

/** One number with its rules, or a range of numbers. Returns the end offset. */
function readNumber(prose: string, { start, i, number }: Place, unit: Unit, found: Found[]): number {
  let end = i + number.length;
  const rules = at(RULES, prose, end);
  if (rules !== null) {
    const ofSection: Unit = (n) => `${unit(number)}-rule-${n}`;
    const match = Object.assign([rules], { index: end }) as unknown as RegExpMatchArray;
    const inner = readList(prose, match, ofSection, 'plain');
    found.push(...inner.map((one, nth) => (nth === 0 ? { ...one, at: start } : one)));
    return inner.at(-1)?.end ?? end;
  }
  const range = at(RANGE, prose, end);
  const last = range === null ? null : at(NUMBER, prose, end + range.length);
  if (range !== null && last !== null) {
    end += range.length + last.length;
    for (const n of between(number, last)) found.push({ at: start, end, target: unit(n) });
  } else found.push({ at: start, end, target: unit(number) });
  return end;
}

const isContinued = (prose: string, number: string, i: number, form: 'dotted' | 'plain'): boolean =>
  form === 'dotted' && number.includes('.') ? true : at(ENDS, prose, i + number.length) !== null;

function at(sticky: RegExp, text: string, i: number): string | null {
  sticky.lastIndex = i;
  return sticky.exec(text)?.[0] ?? null;
}

/** `2.1` to `2.6`, `9` to `16a`. A backward range gives its two ends. */
function between(first: string, last: string): readonly string[] {
  const cut = first.lastIndexOf('.') + 1;
  const [from, to] = [Number.parseInt(first.slice(cut), 10), Number.parseInt(last.slice(cut), 10)];
  if (first.slice(0, cut) !== last.slice(0, cut) || to < from) return [first, last];
  const numbers = Array.from({ length: to - from + 1 }, (_, n) => `${first.slice(0, cut)}${from + n}`);
  return numbers.includes(last) ? numbers : [...numbers, last];
}

/** Excludes C2 (command and control) and C0 and C1 (sets of control characters). */
const IDS = /\b(?!C0\b|C2\b|C1 controls)([GOCADFQRSW])(\d{1,2})(?:\s*-\s*\1(\d{1,2}))?\b(?![-%.]\w|\()/g;
const THREATS = /\b[Rr]eliability\s+(\d\.[A-Z])\b|\b(3\.[A-Z])\b/g;

function idsIn(prose: string): readonly Found[] {
  const ids = [...prose.matchAll(IDS)].flatMap(({ index, 0: text, 1: letter, 2: first, 3: last }): Found[] =>
    between(first ?? '', last ?? first ?? '').map((n) => ({
      at: index,
      end: index + text.length,
      target: `${'GOC'.includes(letter ?? '') ? CONTRACT : RELIABILITY}#${letter}${n}`,
    })),
  );
  const threats = [...prose.matchAll(THREATS)].map(({ index, 0: text, 1: named, 2: bare }) => ({
    at: index,
    end: index + text.length,
    target: `${RELIABILITY}#${named ?? bare}`,
  }));
  return [...ids, ...threats];
}

/** `docs/decisions/0008`, `(0008)` on a page, and `migration 0006`. The target is a path prefix. */
function pagesIn(path: string, prose: string): readonly Found[] {
  const written = /\bdocs\/decisions\/(\d{4})|\bmigration (\d{4})\b/g;
  const found = [...prose.matchAll(written)].map(({ index, 0: text, 1: decision, 2: migration }) => ({
    at: index,
    end: index + text.length,
    target: decision === undefined ? `server/migrations/${migration}_` : `docs/decisions/${decision}-`,
  }));
  if (!path.endsWith('.md')) return found;
  const bare = [...prose.matchAll(/(?<![\w.:+/-])(?<!migration )(00\d\d)(?![\w:/-]|\.\d)/g)];
  return [
    ...found,
    ...bare.map(({ index, 0: text }) => ({
      at: index,
      end: index + text.length,
      target: `docs/decisions/${text}-`,
    })),
  ];
}

const NAMELESS = /\b(rule|section|finding)s?\s+(\d{1,2}(?:\.\d{1,2})?|[a-z](?=[,:;)]))/gi;
/** Names of pages outside this repository, and sections of external standards. */
const STRANGERS =
  /\b(?:interface|specification|performance|style|ecosystem|ingest|ux)(?:,?\s+(?:section|rule))?\s+(?:\d|[a-z](?=[,:;)]))/gi;
const STANDARD = /(?:\bRFC \d+|\bSTIX [\d.]+|\bTAXII [\d.]+)\s+$/;

function namelessIn(path: string, prose: string, named: readonly Found[]): readonly Found[] {
  const nameless = [...prose.matchAll(NAMELESS)].flatMap(
    ({ index, 0: text, 1: word, 2: number }): Found[] => {
      if (named.some((one) => one.at <= index && index < one.end)) return [];
      if (named.some((one) => index < one.at && one.at <= index + text.length)) return [];
      if (STANDARD.test(prose.slice(Math.max(0, index - 40), index))) return [];
      const home = HOMES.find(([start]) => path.startsWith(start))?.[1][word?.toLowerCase() as Kind];
      return [{ at: index, end: index + text.length, target: home?.(number ?? '') ?? null }];
    },
  );
  const strangers = [...prose.matchAll(STRANGERS)].map(({ index, 0: text }) => ({
    at: index,
    end: index + text.length,
    target: null,
  }));
  return [...nameless, ...strangers];
}
