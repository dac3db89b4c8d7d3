import type { Entry, FormatParser, Sink } from './format.ts';
import { dateOf } from './json-date.ts';
import { isJsonObject, type JsonObject, type JsonValue, jsonElements } from './json-elements.ts';
import { exampleOf, textsOf } from './json-entry.ts';
import { digestsOfOneFile, siblingsOf } from './same-file.ts';
import { type PatternValue, readStixPattern } from './stix-pattern.ts';

const EXAMPLE_CHARS = 80;
const REASONS = {
  notAnObject: 'This is no STIX object.',
  otherObject: 'A STIX object that is no indicator.',
  revoked: 'The publisher has revoked this indicator.',
  benign: 'The publisher marks this indicator as benign.',
  otherPattern: 'The pattern is written in another language than STIX patterning.',
  noPattern: 'The indicator has no pattern.',
  brokenPattern: 'The STIX pattern cannot be read.',
  notListed: 'The pattern compares something that is not listed (a process, a file name, a part of a name).',
} as const;

/** A STIX 2.x bundle or TAXII envelope. The patterns of its indicators become entries, each object on its own. */
export function stixBundle(sink: Sink): FormatParser {
  const stream = jsonElements(['objects[*]', '[*].objects[*]'], {
    element: (value) => takeObject(sink, value),
    oversized: sink.rejected,
    broken: sink.rejected,
  });
  return { member: stream.end, write: stream.write, end: stream.end };
}

function takeObject(sink: Sink, object: JsonValue): void {
  if (!isJsonObject(object)) sink.rejected(REASONS.notAnObject, exampleOf(object));
  else if (object.type === 'indicator') takeIndicator(sink, object);
  else sink.unsupported(REASONS.otherObject, (textsOf(object.type)[0] ?? '').slice(0, EXAMPLE_CHARS));
}

function takeIndicator(sink: Sink, object: JsonObject): void {
  const modified = dateOf(object.modified) ?? dateOf(object.created);
  if (modified !== undefined) sink.dataDate(modified);
  const { pattern } = object;
  const refusal = refusalOf(object);
  if (typeof pattern !== 'string') sink.rejected(REASONS.noPattern, exampleOf(object));
  else if (refusal !== null) sink.unsupported(refusal, pattern.slice(0, EXAMPLE_CHARS));
  else takePattern(sink, pattern, detailsOf(object));
}

function refusalOf(object: JsonObject): string | null {
  if (object.revoked === true) return REASONS.revoked;
  if (object.pattern_type !== undefined && object.pattern_type !== 'stix') return REASONS.otherPattern;
  const labels = [...textsOf(object.indicator_types), ...textsOf(object.labels)];
  return labels.includes('benign') ? REASONS.benign : null;
}

function takePattern(sink: Sink, pattern: string, details: Omit<Entry, 'text'>): void {
  const { values, unsupported, isBroken } = readStixPattern(pattern);
  if (isBroken) sink.rejected(REASONS.brokenPattern, pattern.slice(0, EXAMPLE_CHARS));
  else if (values.length === 0)
    // A comparison beside an accepted one (a port, a file name) only narrows it and is not counted separately.
    sink.unsupported(REASONS.notListed, (unsupported[0] ?? pattern).slice(0, EXAMPLE_CHARS));
  else {
    const files = filesIn(values);
    for (const { text, kind, isDigest, group } of values) {
      const siblings = isDigest ? siblingsOf(text, files.get(group) ?? []) : [];
      sink.entry({ text, kind, ...details, ...(siblings.length === 0 ? {} : { siblings }) });
    }
  }
}

/** The digests of each file, by the group of values that AND joins in one observation. */
function filesIn(values: readonly PatternValue[]): ReadonlyMap<number, readonly string[]> {
  const digests = Map.groupBy(
    values.filter(({ isDigest }) => isDigest),
    ({ group }) => group,
  );
  return new Map(
    [...digests].map(([group, each]) => [group, digestsOfOneFile(each.map(({ text }) => text))]),
  );
}

/** `valid_until` is the last day for which the publisher vouches, so it counts as the last sighting. */
function detailsOf(object: JsonObject): Omit<Entry, 'text'> {
  const firstSeenMs = dateOf(object.valid_from) ?? dateOf(object.created);
  const lastSeenMs = dateOf(object.valid_until);
  const { confidence } = object;
  const reference = referenceOf(object.external_references);
  return {
    ...(firstSeenMs === undefined ? {} : { firstSeenMs }),
    ...(lastSeenMs === undefined ? {} : { lastSeenMs }),
    ...(typeof confidence === 'number' && confidence >= 0 && confidence <= 100 ? { confidence } : {}),
    ...(reference === undefined ? {} : { reference }),
  };
}

function referenceOf(references: JsonValue | undefined): string | undefined {
  if (!Array.isArray(references)) return undefined;
  for (const reference of references as readonly JsonValue[])
    if (isJsonObject(reference) && typeof reference.url === 'string') return reference.url;
  return undefined;
}
