import { hash } from 'node:crypto';
import type { Receipts } from '#platform/http/policy.ts';
import { DAY_S } from '#platform/time-units.ts';

/** How long an account has the same page again for nothing, and how long a value counts as checked (O62, O82). */
const OPENED_S = DAY_S;
const CHECKED_S = 30 * DAY_S;
/** Lengths in base64: a record is found by 48 bits in one of 4,096 fields. meter.lua has the same lengths. */
const PRINT_CHARS = 8;
const FIELD_CHARS = 2;

/** The receipts of a call: those that it gets when it pays, and those that make it free. Each is a field and a print. */
export type ReceiptAsk = {
  readonly keptS: number;
  readonly fresh: readonly string[];
  readonly frees: readonly string[];
};

export function receiptsOf({ checks, opens, freeIfChecked }: Receipts): ReceiptAsk | null {
  const frees = freeIfChecked === undefined ? [] : placeOf('checked', freeIfChecked);
  if (opens !== undefined) {
    const page = placeOf('opened', opens);
    return { keptS: OPENED_S, fresh: page, frees: [...page, ...frees] };
  }
  const fresh = (checks ?? []).flatMap((value) => placeOf('checked', value));
  return fresh.length + frees.length === 0 ? null : { keptS: CHECKED_S, fresh, frees };
}

function placeOf(kind: string, text: string): readonly [field: string, print: string] {
  const digest = hash('sha256', `${kind} ${text}`, 'base64url');
  return [digest.slice(PRINT_CHARS, PRINT_CHARS + FIELD_CHARS), digest.slice(0, PRINT_CHARS)];
}

/** The arguments of the Function, after those of the month. */
export const receiptArgs = ({ keptS, fresh, frees }: ReceiptAsk): readonly string[] => [
  String(keptS),
  String(fresh.length / 2),
  ...fresh,
  ...frees,
];
