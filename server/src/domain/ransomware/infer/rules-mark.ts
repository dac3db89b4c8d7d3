import { LEGAL_FORMS, NO_PLACES, PLACES, SUFFIXES_OF_ALL, SUFFIXES_OF_ONE } from './country-table.ts';
import {
  BESIDE_SECTOR,
  NO_SECTOR_PARTS,
  NO_SECTOR_WORDS,
  SECTOR_PARTS,
  SECTOR_SUFFIXES,
  SECTOR_WORDS,
} from './sector-table.ts';

const TABLES = [
  SECTOR_WORDS,
  NO_SECTOR_WORDS,
  BESIDE_SECTOR,
  SECTOR_PARTS,
  NO_SECTOR_PARTS,
  SECTOR_SUFFIXES,
  PLACES,
  NO_PLACES,
  SUFFIXES_OF_ALL,
  SUFFIXES_OF_ONE,
  LEGAL_FORMS.map(([form, country]) => [form.source, form.flags, country]),
];
/** FNV-1a, 32 bits. */
const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;

function hashOf(text: string): number {
  let hash = OFFSET;
  for (const sign of text) hash = Math.imul(hash ^ (sign.codePointAt(0) ?? 0), PRIME);
  // Signed, as the integer column is.
  return hash | 0;
}

/** A number that differs whenever a table of rules differs: claims with another number are inferred again. */
export const RULES_MARK: number = hashOf(JSON.stringify(TABLES));
