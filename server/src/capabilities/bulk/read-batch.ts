import { otherRouteFor, type ReadablePhone, readPhone } from '#domain/contact/index.ts';
import { isSingle, parseIndicator, type SingleIndicator } from '#domain/indicator/index.ts';

export type BatchEntry = {
  /** The first spelling that the caller sent, trimmed (G20). */
  readonly entity: string;
  readonly target:
    | { readonly ok: true; readonly indicator: SingleIndicator }
    | { readonly ok: true; readonly phone: ReadablePhone }
    | { readonly ok: false; readonly type: 'phone' | 'unknown'; readonly reason: string };
};

export type Batch = {
  readonly entries: readonly BatchEntry[];
  readonly judged: number;
  readonly duplicates: number;
  /** Entries of less than three bytes: no indicator is that short (decisions 1.4). */
  readonly short: number;
};

const ENTITY_BYTES_MIN = 3;
const RANGE = 'This is a range; send one address of it.';
/** E.164 or `tel:`, which no other indicator looks like. */
const PHONE_NUMBER = /^(?:tel:\+?|\+)[\d\s().-]{6,24}$/i;
/** A national number is recognised only when the caller names the country (G18). */
const NATIONAL_NUMBER = /^[(\d][\d\s()/-]{5,24}$/;

/**
 * Trims, drops short entries and duplicates, and parses the rest once. Duplicates are compared in lower case
 * (G20), but judged as written: a path keeps the case of its first spelling.
 */
export function readBatch(entities: readonly string[], country: string | null): Batch {
  const seen = new Set<string>();
  const entries: BatchEntry[] = [];
  let judged = 0;
  let short = 0;
  for (const submitted of entities) {
    const entity = submitted.trim();
    if (isShort(entity)) {
      short += 1;
      continue;
    }
    const known = seen.size;
    seen.add(entity.toLowerCase());
    if (seen.size === known) continue;
    const target = targetOf(entity, country);
    if (target.ok) judged += 1;
    entries.push({ entity, target });
  }
  return { entries, judged, duplicates: entities.length - short - entries.length, short };
}

/** Bytes are counted only for short texts: three characters are at least three bytes. */
const isShort = (entity: string): boolean =>
  entity.length < ENTITY_BYTES_MIN && Buffer.byteLength(entity) < ENTITY_BYTES_MIN;

function targetOf(entity: string, country: string | null): BatchEntry['target'] {
  const parsed = parseIndicator(entity);
  if (parsed.ok)
    return isSingle(parsed.indicator)
      ? { ok: true, indicator: parsed.indicator }
      : { ok: false, type: 'unknown', reason: RANGE };
  if (PHONE_NUMBER.test(entity) || (country !== null && NATIONAL_NUMBER.test(entity)))
    return phoneOf(entity, country);
  return { ok: false, type: 'unknown', reason: otherRouteFor(entity) ?? parsed.reason };
}

function phoneOf(entity: string, country: string | null): BatchEntry['target'] {
  const reading = readPhone(entity, country);
  return reading.state === 'refused'
    ? { ok: false, type: 'phone', reason: reading.reason }
    : { ok: true, phone: reading };
}

/** Sentences about skipped entries; none when nothing was skipped (G18). */
export function skippedSentences({ duplicates, short }: Batch): string[] {
  const sentences: string[] = [];
  if (duplicates > 0) sentences.push(`${skipped(duplicates, 'duplicate', 'duplicates')} and not charged.`);
  if (short > 0)
    sentences.push(`${skipped(short, 'entry', 'entries')} and not charged: less than three bytes.`);
  return sentences;
}

const skipped = (count: number, one: string, many: string): string =>
  count === 1 ? `1 ${one} was skipped` : `${count} ${many} were skipped`;
