import {
  type ClaimWindows,
  type Doubt,
  doubtOf,
  isComparable,
  isOld,
  type Known,
} from '#domain/ransomware/index.ts';
import type { Db } from '#platform/postgres.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { LOAD_CLAIMS } from '../contract.ts';
import { countTotals, type TotalPeriods, type Totals } from './count-store.ts';
import { readFamilies } from './find-group.ts';
import { newestClaimMs } from './loaded-store.ts';
import { dayOf, isoOf } from './present-victims.ts';

/** The counts that answers are made of, and whether they suffice for a conclusion about today (decisions O65). */
export type ClaimBasis = {
  readonly totals: Totals;
  readonly windows: ClaimWindows;
  readonly doubt: Doubt | null;
};

export async function readBasis(db: Db, periods: TotalPeriods): Promise<ClaimBasis> {
  const totals = await countTotals(db, periods, await readFamilies(db));
  const windows = {
    newestMs: totals.newestMs,
    last30d: { claims: totals.claims30d, known: totals.withSector30d },
    prev30d: { claims: totals.claimsPrev30d, known: totals.withSectorPrev30d },
  };
  return { totals, windows, doubt: doubtOf(windows, periods.nowMs) };
}

const LOAD_NEWER =
  'The worker loads newer ones when FEEDS_ENABLED is true; `npm run admin -- ransomware import-manifest FOLDER` loads files.';
const LOAD_SECTORS =
  'The data sets ransomware-live and ransomposts-victims name sectors and countries; `npm run admin -- ransomware status` shows what is loaded.';

/** Says how old the claims are, where they are too old for a conclusion. */
export function oldWords(newestMs: number | null, nowMs: number): string | null {
  if (newestMs === null || !isOld(newestMs, nowMs)) return null;
  const days = Math.floor((nowMs - newestMs) / DAY_MS);
  return `The newest loaded claim is of ${dayOf(newestMs)}, ${days} days ago, so nothing is concluded about the time since. ${LOAD_NEWER}`;
}

const PERCENT = 100;

/** Says how few of the claims have the field. */
export function sparseWords(
  { claims, known }: Known,
  { field, period }: { readonly field: 'sector' | 'country'; readonly period: string },
): string {
  const share = claims === 0 ? 0 : Math.floor((PERCENT * known) / claims);
  const of = `${claims} ${claims === 1 ? 'claim' : 'claims'} ${period}`;
  return `A ${field} is known for ${known} of ${of} (${share} %), and a conclusion needs 20 %. ${LOAD_SECTORS}`;
}

const NOT_COMPARED =
  'The 30 days before the last 30 have no claims or too few with a sector, so there is no trend and the score is of the last 30 days alone.';

/** The sentence of an answer about sectors: why it is inconclusive, or what it could not compare. */
export function sectorWords({ windows, doubt }: ClaimBasis, nowMs: number): string | null {
  if (doubt === 'old') return oldWords(windows.newestMs, nowMs);
  if (doubt === 'sparse')
    return sparseWords(windows.last30d, { field: 'sector', period: 'of the last 30 days' });
  return isComparable(windows) ? null : NOT_COMPARED;
}

export const messageOf = (text: string | null): { readonly message?: string } =>
  text === null ? {} : { message: text };

/** How old the claims of an answer are, with the sentence where they are too old for a conclusion. */
export async function readAge(db: Db, nowMs: number) {
  const newestMs = await newestClaimMs(db, nowMs);
  return {
    isOld: isOld(newestMs, nowMs),
    shown: {
      dataAsOf: newestMs === null ? null : isoOf(newestMs),
      ...messageOf(newestMs === null ? LOAD_CLAIMS : oldWords(newestMs, nowMs)),
    },
  };
}
