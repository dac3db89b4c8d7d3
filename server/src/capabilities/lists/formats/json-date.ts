import { readDate } from './declared-date.ts';
import type { JsonValue } from './json-elements.ts';

/** `2025-07-24-20-23-14`, as AWS dates its ranges. */
const DASHED = /^(\d{4}-\d{2}-\d{2})-(\d{2})-(\d{2})-(\d{2})$/;

/** Epoch milliseconds of a JSON date: text, or seconds or milliseconds since 1970. Else undefined. */
export function dateOf(value: JsonValue | undefined): number | undefined {
  if (typeof value === 'number') return readDate(String(value)) ?? undefined;
  if (typeof value !== 'string') return undefined;
  return readDate(value.replace(DASHED, '$1T$2:$3:$4Z')) ?? undefined;
}
