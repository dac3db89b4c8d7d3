import type { EntryKind } from './format.ts';

const SEPARATED = /[\s,;|]/;
const SEPARATORS = /[\s,;|]+/;
const HAS_SCHEME = /^\s*(?:h..ps?|ftp):/i;
/** An address, range, name or digest. A cell is split into several values only when each part looks like one. */
const LISTED = /^(?=.*[.:]|[0-9a-f]{32})[\w.:-]+(?:\/\d{1,3})?$/i;
const WORD = /^[\w:-]+$/;
/** `['a', "b"]`, as scripts print it. */
const PRINTED_LIST = /^\[\s*['"]/;
const PRINTED_ITEM = /'([^']*)'|"([^"]*)"/g;
/** A name, an address or a simple URL: the form of nearly every cell. */
const ONE_VALUE = /^[0-9A-Za-z][\w.:/?&=%-]*$/;
const NO_VALUES: readonly string[] = [];
/** How scripts print an empty value. */
const NOTHING = /^(?:\[\]|none|null|n\/a|nan|-)$/i;

/** The values of one cell: usually one, none when it is empty, several when it holds a list. */
export function valuesOfCell(cell: string, kind: EntryKind): readonly string[] {
  if (cell.includes('.') && ONE_VALUE.test(cell)) return [cell];
  const text = cell.trim();
  if (text === '' || NOTHING.test(text)) return NO_VALUES;
  const printed = printedItems(text);
  if (printed !== null) return printed;
  if (!SEPARATED.test(text) || HAS_SCHEME.test(text)) return [text];
  // `AS 64500` and `+1 415 555 2671` are one value each, so only commas and similar signs separate values there.
  const isSpaced = kind === 'asn' || kind === 'phone';
  const parts = (isSpaced ? text.split(/[,;|]+/) : text.split(SEPARATORS))
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const isList = kind === 'any' ? parts.every(isListed) : isSpaced || parts.every((part) => WORD.test(part));
  return isList ? parts : [text];
}

/** The items of a printed list, or null when the cell is not one. */
export function printedItems(text: string): readonly string[] | null {
  if (!PRINTED_LIST.test(text) || !text.endsWith(']')) return null;
  return [...text.matchAll(PRINTED_ITEM)]
    .map((item) => (item[1] ?? item[2] ?? '').trim())
    .filter((item) => item !== '');
}

const isListed = (part: string): boolean => part.length <= 300 && LISTED.test(part);
