import { fieldOf, itemsOf } from '#domain/text/foreign-json.ts';
import { inertText } from '#domain/text/inert-text.ts';
import { parseCveId } from './cve-id.ts';
import type { CveReading, CveRefusal, CveRefusalReason, ToldCve, ToldReference } from './told.ts';

/** Readers of fields in documents of others: a field of another type counts as missing. */
export { fieldOf };

export const TITLE_MAX = 500;
export const DESCRIPTION_MAX = 10_000;
export const NAME_MAX = 300;
export const VERSION_MAX = 256;
export const REFERENCES_MAX = 500;
export const ENTRIES_MAX = 5000;
const URL_MAX = 2048;

export const textAt = (value: unknown, name: string, max: number): string | null =>
  inertText(fieldOf(value, name), max);

export const listAt = (value: unknown, name: string, max = ENTRIES_MAX): readonly unknown[] =>
  itemsOf(fieldOf(value, name), max);

export const textsAt = (
  value: unknown,
  name: string,
  max: number,
  countMax = ENTRIES_MAX,
): readonly string[] => listAt(value, name, countMax).flatMap((item) => inertText(item, max) ?? []);

/** A number, or text that is one. */
export function numberAt(value: unknown, name: string): number | null {
  const field = fieldOf(value, name);
  const number = typeof field === 'string' && field.trim() !== '' ? Number(field) : field;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

const DATED = /^[0-9]{4}-[0-9]{2}-[0-9]{2}/;
const ZONED = /(?:Z|[+-][0-9]{2}:?[0-9]{2})$/i;
/** The first CVE ids are of 1999, some for older flaws; earlier dates are zero times of programs, such as 1970. */
const YEAR_MIN = '1988';

/** ISO 8601 in UTC. NVD and some CNAs leave out the zone and mean UTC. */
export function isoDate(text: string | null): string | null {
  if (text === null || !DATED.test(text) || text.slice(0, 4) < YEAR_MIN) return null;
  const time = Date.parse(text.length === 10 || ZONED.test(text) ? text : `${text}Z`);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

/** `2024-05-01` of a date or a time. */
export const dayOf = (text: string | null): string | null => isoDate(text)?.slice(0, 10) ?? null;

export const dateAt = (value: unknown, name: string): string | null => isoDate(textAt(value, name, 40));

export const cveIdAt = (value: unknown, name: string): string | null => {
  const text = fieldOf(value, name);
  return typeof text === 'string' ? parseCveId(text) : null;
};

const CWE = /\bCWE-([0-9]{1,5})\b/gi;
export const cwesIn = (texts: readonly (string | null)[]): readonly string[] =>
  distinct(texts.flatMap((text) => Array.from((text ?? '').matchAll(CWE), ([, number]) => `CWE-${number}`)));

export const distinct = <T>(values: readonly T[]): readonly T[] => [...new Set(values)];

/** Only addresses that a reader may follow: http and https. */
export function referenceTo(source: string, url: string | null): readonly ToldReference[] {
  return url !== null && url.length <= URL_MAX && /^https?:\/\/[^\s]+$/i.test(url) ? [{ source, url }] : [];
}

export const referencesAt = (value: unknown, name: string, source: string): readonly ToldReference[] =>
  listAt(value, name, REFERENCES_MAX).flatMap((item) =>
    referenceTo(source, textAt(item, 'url', URL_MAX + 1)),
  );

export const refusal = (document: string, reason: CveRefusalReason): CveReading => ({
  told: [],
  refused: [{ document, reason }],
});

export const readingOf = (told: readonly ToldCve[], refused: readonly CveRefusal[] = []): CveReading => ({
  told,
  refused,
});

export const joinReadings = (readings: readonly CveReading[]): CveReading => ({
  told: readings.flatMap(({ told }) => told),
  refused: readings.flatMap(({ refused }) => refused),
});

/** Parsed JSON, or undefined where the text is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
