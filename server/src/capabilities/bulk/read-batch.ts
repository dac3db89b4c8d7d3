import { isSingle, parseIndicator, type SingleIndicator } from '#domain/indicator/index.ts';

/** One unique entity of a batch: what to judge, or why it cannot be judged. */
export type BatchEntry = {
  /** The first spelling, trimmed (G20). */
  readonly entity: string;
  readonly target:
    | { readonly ok: true; readonly indicator: SingleIndicator }
    | { readonly ok: false; readonly type: 'phone' | 'unknown'; readonly reason: string };
};

export type Batch = {
  /** In the order of first occurrence. */
  readonly entries: readonly BatchEntry[];
  /** Entries that can be judged: what the batch costs. */
  readonly judged: number;
  readonly duplicates: number;
  /** Entries of less than three bytes: nothing that short is an indicator (decisions 1.4). */
  readonly short: number;
};

const ENTITY_BYTES_MIN = 3;
const RANGE = 'This is a range; send one address of it.';
const PHONE =
  'Phone numbers are not checked yet; send an IP address, domain, URL, e-mail address or file hash.';
/** E.164, or `tel:`: what nothing else can be mistaken for. */
const PHONE_NUMBER = /^(?:tel:\+?|\+)[\d\s().-]{6,24}$/i;
/** Written as at home; a number only when the caller says in which country (G18). */
const NATIONAL_NUMBER = /^[(\d][\d\s()/-]{5,24}$/;

/**
 * Trims, drops what is too short and what was there before, parses the rest once. Lower case is how entities are told
 * apart (G20), not how they are judged: a path keeps the case of its first spelling.
 */
export function readBatch(entities: readonly string[], hasCountry: boolean): Batch {
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
    const target = targetOf(entity, hasCountry);
    if (target.ok) judged += 1;
    entries.push({ entity, target });
  }
  return { entries, judged, duplicates: entities.length - short - entries.length, short };
}

/** Counting bytes is for the few that might be short: three characters are three bytes at least. */
const isShort = (entity: string): boolean =>
  entity.length < ENTITY_BYTES_MIN && Buffer.byteLength(entity) < ENTITY_BYTES_MIN;

function targetOf(entity: string, hasCountry: boolean): BatchEntry['target'] {
  const parsed = parseIndicator(entity);
  if (parsed.ok)
    return isSingle(parsed.indicator)
      ? { ok: true, indicator: parsed.indicator }
      : { ok: false, type: 'unknown', reason: RANGE };
  const isPhone = PHONE_NUMBER.test(entity) || (hasCountry && NATIONAL_NUMBER.test(entity));
  return isPhone
    ? { ok: false, type: 'phone', reason: PHONE }
    : { ok: false, type: 'unknown', reason: parsed.reason };
}

/** G18: sentences about what was left out; absent when nothing was. */
export function skippedSentences({ duplicates, short }: Batch): string[] {
  const sentences: string[] = [];
  if (duplicates > 0) sentences.push(`${skipped(duplicates, 'duplicate', 'duplicates')} and not charged.`);
  if (short > 0)
    sentences.push(`${skipped(short, 'entry', 'entries')} and not charged: less than three bytes.`);
  return sentences;
}

const skipped = (count: number, one: string, many: string): string =>
  count === 1 ? `1 ${one} was skipped` : `${count} ${many} were skipped`;
