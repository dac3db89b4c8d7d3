import type { Sector } from '../sectors.ts';
import {
  BESIDE_SECTOR,
  NO_SECTOR_PARTS,
  NO_SECTOR_WORDS,
  SECTOR_PARTS,
  SECTOR_SUFFIXES,
  SECTOR_WORDS,
} from './sector-table.ts';
import { agreed, type Inferred, labelOf, type NamedVictim, plain, wordsOf } from './victim-words.ts';

type Row = { readonly text: string; readonly sector: Sector | null };

const rowsOf = (table: Partial<Record<Sector, string>>, none: string): readonly Row[] =>
  [
    ...Object.entries(table).flatMap(([sector, list]) =>
      list.split(',').map((text) => ({ text: text.trim(), sector: sector as Sector })),
    ),
    ...none.split(',').map((text) => ({ text: text.trim(), sector: null })),
  ].toSorted((a, b) => b.text.length - a.text.length);

const WORDS = rowsOf(SECTOR_WORDS, NO_SECTOR_WORDS);
const PARTS = rowsOf(SECTOR_PARTS, NO_SECTOR_PARTS);
const BESIDE = BESIDE_SECTOR.split(',').map((word) => ` ${word.trim()} `);
const SUFFIXES: ReadonlyMap<string, Sector> = new Map(
  Object.entries(SECTOR_SUFFIXES).flatMap(([sector, list]) =>
    list.split(',').map((text) => [text.trim(), sector as Sector] as const),
  ),
);

/**
 * The sector that a victim's registered name or domain shows, with the rule that read it; null where no rule applies or
 * rules disagree. It is an inference, never the word of a tracker (decisions O65).
 */
export function inferSector({ name, domain }: NamedVictim): Inferred<Sector> | null {
  const words = domain === null ? wordsOf(name) : `${wordsOf(name)}${wordsOf(labelOf(domain))}`;
  if (BESIDE.some((word) => words.includes(word))) return null;
  const found = [
    ...(domain === null ? [] : bySuffix(domain)),
    ...read(words, WORDS, matchWord, 'name'),
    ...(domain === null ? [] : read(plain(labelOf(domain)), PARTS, matchPart, 'domain')),
  ];
  return agreed(found);
}

function bySuffix(domain: string): readonly Inferred<Sector>[] {
  const labels = domain.split('.').slice(1);
  return labels.flatMap((label) => {
    const sector = isSecondLevelOnly(label) && labels.length === 1 ? undefined : SUFFIXES.get(label);
    return sector === undefined
      ? []
      : [{ value: sector, rule: `suffix: .${labels.slice(labels.indexOf(label)).join('.')}` }];
  });
}

/** `ac`, `go`, `gc`, `gv`: below a country they name a sector, alone they are something else. */
const isSecondLevelOnly = (label: string): boolean => label.length === 2;

type Match = (text: string, entry: string) => string | null;

/** Reads each entry that the text has, the longest first, and removes what it read. */
function read(text: string, rows: readonly Row[], match: Match, where: string): readonly Inferred<Sector>[] {
  const found: Inferred<Sector>[] = [];
  let rest = text;
  for (const { text: entry, sector } of rows) {
    const hit = rest === '' ? null : match(rest, entry);
    if (hit === null) continue;
    rest = rest.replace(hit, ' ');
    if (sector !== null) found.push({ value: sector, rule: `${where}: ${entry.replace(/[*^$]/g, '')}` });
  }
  return found;
}

/** A whole word or phrase; with `*`, the start of a word. */
function matchWord(text: string, entry: string): string | null {
  if (!entry.endsWith('*')) return text.includes(` ${entry} `) ? ` ${entry} ` : null;
  const start = ` ${entry.slice(0, -1)}`;
  return text.includes(start) ? start : null;
}

function matchPart(text: string, entry: string): string | null {
  const part = entry.replace(/[*^$]/g, '');
  if (entry.startsWith('^')) return text.startsWith(part) && text.length > part.length ? part : null;
  if (entry.endsWith('$')) return text.endsWith(part) && text.length > part.length + 1 ? part : null;
  return text.includes(part) ? part : null;
}
