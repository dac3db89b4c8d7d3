import type { Entry, EntryKind, Sink } from './format.ts';
import type { JsonFields } from './format-spec.ts';
import { dateOf } from './json-date.ts';
import { isJsonObject, type JsonObject, type JsonValue } from './json-elements.ts';
import { withoutWildcard } from './listed-name.ts';
import { digestsOfOneFile, siblingsOf } from './same-file.ts';

const EXAMPLE_CHARS = 80;
const VALUES_MAX = 1_000;

const REASONS = {
  notAValue: 'This JSON value is no text and no number.',
  noField: 'This JSON object has none of the fields that hold an entry.',
  otherKind: 'The list says this one is of another kind.',
} as const;

/** Keys that hold the date of a file: at the top of a provider's ranges, or in a metadata line. */
const DATE_KEYS = [
  'creationTime',
  'createDate',
  'last_updated_timestamp',
  'lastUpdated',
  'timestamp',
  'generated',
  'generated_at',
  'dateReleased',
] as const;

export const DATE_PATHS: readonly string[] = DATE_KEYS;

/** Takes an element that is itself the entry; an array stands for its elements. */
export function takeValue(sink: Sink, value: JsonValue, kind?: EntryKind): void {
  const texts = textsOf(value);
  if (texts.length === 0) sink.rejected(REASONS.notAValue, exampleOf(value));
  for (const text of texts) sink.entry(entryOf(text, kind));
}

const entryOf = (text: string, kind: EntryKind | undefined): Entry => {
  const bare = kind === undefined || kind === 'any' ? withoutWildcard(text) : text;
  return kind === undefined ? { text: bare } : { text: bare, kind };
};

export function takeObject(sink: Sink, object: JsonObject, fields: JsonFields): void {
  const texts = fields.values.flatMap((path) => textsOf(at(object, path))).slice(0, VALUES_MAX);
  if (!isWanted(object, fields)) sink.unsupported(REASONS.otherKind, exampleOf(object));
  else if (texts.length === 0) sink.unsupported(REASONS.noField, exampleOf(object));
  else {
    const about = detailsOf(object, fields);
    const digests = fields.siblings === true ? digestsOfOneFile(texts) : [];
    for (const text of texts) {
      const siblings = siblingsOf(text, digests);
      const entry = entryOf(text, fields.entries);
      sink.entry(siblings.length === 0 ? { ...entry, ...about } : { ...entry, ...about, siblings });
    }
  }
}

/** Takes the date of the whole file, if this object holds it. */
export function takeDate(sink: Sink, object: JsonObject): void {
  for (const key of DATE_KEYS) {
    const ms = dateOf(object[key]);
    if (ms !== undefined) sink.dataDate(ms);
  }
}

function isWanted(object: JsonObject, { only }: JsonFields): boolean {
  return only === undefined || textsOf(at(object, only.field)).some((text) => only.values.includes(text));
}

function detailsOf(object: JsonObject, fields: JsonFields): Omit<Entry, 'text'> {
  const first = (path: string | undefined): string | undefined =>
    path === undefined ? undefined : textsOf(at(object, path))[0];
  const firstSeenMs = fields.firstSeen === undefined ? undefined : dateOf(at(object, fields.firstSeen));
  const lastSeenMs = fields.lastSeen === undefined ? undefined : dateOf(at(object, fields.lastSeen));
  const confidence = percentOf(first(fields.confidence));
  const reference = first(fields.reference);
  const family = first(fields.family);
  return {
    ...(firstSeenMs === undefined ? {} : { firstSeenMs }),
    ...(lastSeenMs === undefined ? {} : { lastSeenMs }),
    ...(confidence === undefined ? {} : { confidence }),
    ...(reference === undefined ? {} : { reference }),
    ...(family === undefined ? {} : { family }),
  };
}

export function percentOf(text: string | undefined): number | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const value = Number(text);
  return value >= 0 && value <= 100 ? value : undefined;
}

/** `a.b.c` inside an object; an array on the way stands for each of its elements. */
function at(value: JsonValue, path: string): JsonValue {
  let here: readonly JsonValue[] = [value];
  for (const key of path.split('.'))
    here = here
      .flatMap((each) => (Array.isArray(each) ? (each as readonly JsonValue[]) : [each]))
      .flatMap((each) => (isJsonObject(each) && each[key] !== undefined ? [each[key]] : []));
  return here.length === 1 ? (here[0] ?? null) : here;
}

/** Texts and numbers, also inside arrays; null and empty text are left out. */
export function textsOf(value: JsonValue | undefined): readonly string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value];
  if (typeof value === 'number') return [String(value)];
  if (!Array.isArray(value)) return [];
  return (value as readonly JsonValue[]).flatMap((each) => (Array.isArray(each) ? [] : textsOf(each)));
}

export function exampleOf(value: JsonValue): string {
  if (!isJsonObject(value)) return shortOf(value).slice(0, EXAMPLE_CHARS);
  return Object.entries(value)
    .slice(0, 3)
    .map(([key, held]) => `${key}: ${shortOf(held)}`)
    .join(', ')
    .slice(0, EXAMPLE_CHARS);
}

function shortOf(value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return `${value}`;
  return Array.isArray(value) ? '[...]' : '{...}';
}
