import type { Target } from '../../box/permalink.ts';
import type { Reading } from '../../box/reading.ts';

export type AskedRange =
  | { readonly kind: 'range'; readonly cidr: string }
  /** No range but one address, or another indicator with a page of its own. */
  | { readonly kind: 'single'; readonly target: Target }
  | { readonly kind: 'words'; readonly sentence: string; readonly isLocal: boolean };

const PREFIX = '/network/';
const NO_RANGE = 'This is not a range of addresses.';

export function askedRange(reading: Reading): AskedRange {
  if (reading.kind === 'unreadable') return words(reading.sentence, false);
  if (reading.kind !== 'one') return words(NO_RANGE, false);
  const [{ answer, word }] = reading.ways;
  if (answer.kind === 'page') return { kind: 'single', target: answer.target };
  const { lead, sentence } = answer;
  if (lead?.kind === 'path' && lead.path.startsWith(PREFIX))
    return { kind: 'range', cidr: lead.path.slice(PREFIX.length) };
  // A range without a lead is reserved, such as a private one, and the sentence says for what.
  return word === 'Range' && lead === undefined ? words(sentence, true) : words(NO_RANGE, false);
}

const words = (sentence: string, isLocal: boolean): AskedRange => ({ kind: 'words', sentence, isLocal });
