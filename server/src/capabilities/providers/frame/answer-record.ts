import { z } from 'zod';
import type { Outcome } from '../outcome.ts';

/** Why a cached record has no value: the upstream has no entry, the target failed, or the query is not allowed. */
export type Nothing = 'absent' | 'failed' | 'refused';

export type AnswerRecord<V> = {
  readonly fetchedAtMs: number;
  readonly freshMs: number;
} & ({ readonly value: V } | { readonly nothing: Nothing });

const FORMAT = 1;
/** Clocks of two nodes may differ by this; a record from further ahead was written by a wrong clock. */
const SKEW_MAX_MS = 60_000;

const Envelope = z.object({
  format: z.literal(FORMAT),
  fetchedAtMs: z.number().min(0),
  freshMs: z.number().min(0),
  value: z.unknown().optional(),
  nothing: z.enum(['absent', 'failed', 'refused']).optional(),
});

export const writeRecord = (record: AnswerRecord<unknown>): string =>
  JSON.stringify({ format: FORMAT, ...record });

/** Null for a foreign record, an older format, or a value that no longer fits the schema. All of them are a miss. */
export function readRecord<V>(text: string, schema: z.ZodType<V>): AnswerRecord<V> | null {
  const envelope = Envelope.safeParse(parseJson(text));
  if (!envelope.success) return null;
  const { fetchedAtMs, freshMs, value, nothing } = envelope.data;
  if (nothing !== undefined) return { fetchedAtMs, freshMs, nothing };
  const read = schema.safeParse(value);
  return read.success ? { fetchedAtMs, freshMs, value: read.data } : null;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function freshMsLeft(record: AnswerRecord<unknown>, nowMs: number): number {
  const ageMs = nowMs - record.fetchedAtMs;
  return ageMs < -SKEW_MAX_MS ? 0 : record.freshMs - Math.max(0, ageMs);
}

export function outcomeOf<V>(record: AnswerRecord<V>, isStale: boolean): Outcome<V> {
  const { fetchedAtMs } = record;
  if ('value' in record) return { state: 'found', value: record.value, fetchedAtMs, isStale };
  return record.nothing === 'absent'
    ? { state: 'absent', fetchedAtMs }
    : { state: 'missing', reason: record.nothing };
}
