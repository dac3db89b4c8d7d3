import {
  type Extraction,
  extractIndicators,
  type FoundIndicator,
  type RejectedText,
  type SpecialPurpose,
  specialPurposeOf,
} from '@assay/server/indicator';
import { type Group, type Preview, SENT_KINDS, SHOWN_MAX, type Shortened } from './preview.ts';
import { slicesOf } from './slices.ts';

/** About 10 ms of reading, so that key presses and frames are handled between two pieces. */
const SLICE_CHARS = 16_000;

/**
 * Reads a text with the server's parser in pieces and yields after each. This module includes the public suffix list:
 * import it lazily.
 */
export function* readPreview(text: string): Generator<undefined, Preview> {
  const tally = new Tally();
  for (const slice of slicesOf(text, SLICE_CHARS)) {
    tally.add(extractIndicators(slice));
    yield;
  }
  return previewOf(tally);
}

class Tally {
  readonly found = new Map<string, FoundIndicator>();
  readonly rejected = new Map<string, RejectedText>();

  add({ found, rejected }: Extraction): void {
    for (const one of found) merge(this.found, `${one.indicator.kind} ${one.indicator.value}`, one);
    for (const one of rejected) merge(this.rejected, one.raw, one);
  }
}

function merge<T extends { readonly count: number }>(into: Map<string, T>, key: string, one: T): void {
  const known = into.get(key);
  into.set(key, known === undefined ? one : { ...known, count: known.count + one.count });
}

function previewOf({ found, rejected }: Tally): Preview {
  const all = [...found.values()].map((one) => ({ ...one, aside: asideOf(one) }));
  const open = all.filter(({ aside }) => aside === null);
  const groups = SENT_KINDS.map((kind): Group => {
    const here = open.filter(({ indicator }) => indicator.kind === kind);
    return {
      kind,
      values: here.map(({ indicator }) => indicator.value),
      occurrences: here.reduce((sum, { count }) => sum + count, 0),
    };
  });
  return {
    groups: groups.filter(({ values }) => values.length > 0),
    reserved: shortened(
      all.filter(({ aside }) => aside !== null),
      ({ indicator, aside }) => ({
        value: indicator.value,
        why: aside === null ? '' : `${aside.name}, ${aside.rfc}`,
      }),
    ),
    ranges: shortened(
      open.filter(({ indicator }) => indicator.kind === 'cidr'),
      ({ indicator }) => indicator.value,
    ),
    rejected: shortened([...rejected.values()], ({ raw, reason }) => ({ raw, reason })),
  };
}

/**
 * The special purpose (IANA) of an address or URL host that is not sent; null for others. Special addresses that are
 * reachable from the Internet, such as tunnels and anycast, are sent.
 */
function asideOf({ indicator, special }: FoundIndicator): SpecialPurpose | null {
  const purpose =
    indicator.kind === 'url' && indicator.host.kind === 'ip' ? specialPurposeOf(indicator.host) : special;
  return purpose?.isReachable === false ? purpose : null;
}

const shortened = <A extends { readonly count: number }, B>(
  all: readonly A[],
  show: (one: A) => B,
): Shortened<B> => ({
  total: all.length,
  occurrences: all.reduce((sum, { count }) => sum + count, 0),
  shown: all.slice(0, SHOWN_MAX).map(show),
});
