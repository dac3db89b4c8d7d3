import type { Reading } from '../../box/reading.ts';
import type { CheckTarget } from './check-state.ts';
import { isPlain, type PageType } from './plain-target.ts';

export type Asked =
  /** The text may not be canonical: the parser, which is still loading, must read it before a request is sent. */
  | { readonly kind: 'reading'; readonly raw: string }
  | { readonly kind: 'target'; readonly target: CheckTarget; readonly unicode: string | null }
  /** The canonical permalink differs from the address, so the page redirects to it. */
  | { readonly kind: 'elsewhere'; readonly target: CheckTarget }
  /** Answered without a request: private, reserved, a range, or no indicator. */
  | { readonly kind: 'words'; readonly raw: string; readonly sentence: string; readonly isLocal: boolean };

export const askedAtOnce = (type: PageType, raw: string): Asked =>
  isPlain(type, raw)
    ? { kind: 'target', target: { type, value: raw }, unicode: null }
    : { kind: 'reading', raw };

export function askedWithoutReader(type: PageType, raw: string): Asked {
  const asked = askedAtOnce(type, raw);
  return asked.kind === 'reading' ? { kind: 'words', raw, sentence: NO_READER, isLocal: false } : asked;
}

export function askedOf(type: PageType, raw: string, reading: Reading): Asked {
  if (reading.kind === 'unreadable')
    return { kind: 'words', raw, sentence: reading.sentence, isLocal: false };
  if (reading.kind !== 'one') return { kind: 'words', raw, sentence: MANY, isLocal: false };
  // A URL can also be read as its host; the type in the path says which one is meant.
  const pages = reading.ways.flatMap(({ answer, unicode }) =>
    answer.kind === 'page' ? [{ target: answer.target, unicode }] : [],
  );
  const [first] = reading.ways;
  if (first.answer.kind === 'words')
    return { kind: 'words', raw, sentence: first.answer.sentence, isLocal: true };
  const [page] = pages;
  if (page === undefined) return { kind: 'words', raw, sentence: MANY, isLocal: false };
  return page.target.type === type && page.target.value === raw
    ? { kind: 'target', ...page }
    : { kind: 'elsewhere', target: page.target };
}

const NO_READER = 'A part of this page could not be loaded. Reload it when the connection is back.';
const MANY = 'A page is about one indicator; send several through bulk triage.';
