import {
  doubtOf,
  isComparable,
  type Known,
  SECTORS,
  type Sector,
  sectorRiskOf,
} from '#domain/ransomware/index.ts';
import { DAY_MS } from '#platform/time-units.ts';
import type { SectorHistory } from '../contract.ts';
import type { AnswerDeps } from './answer-claims.ts';
import { closingOf, NOTHING, sectorNamed } from './answer-sectors.ts';
import { readBasis } from './claim-basis.ts';
import { type ClaimDay, countClaimDays, countSectorDays } from './count-store.ts';
import { readLoaded } from './loaded-store.ts';
import { dayNumber, PERIOD_DAYS, periodsAt, sumOf, victimsByDay } from './periods.ts';

export async function answerSectorHistory(
  deps: AnswerDeps,
  asked: { readonly days: number; readonly sector?: string | undefined },
): Promise<SectorHistory> {
  const { db } = deps.postgres;
  const periods = periodsAt(deps.clock.now());
  const { nowMs } = periods;
  const sector = asked.sector === undefined || asked.sector === '' ? null : sectorNamed(asked.sector);
  if (!(await readLoaded(db)).claims) return { days: asked.days, sector, points: [], ...NOTHING };
  const today = dayNumber(nowMs);
  const first = today - asked.days + 1;
  const fromMs = (first - 2 * PERIOD_DAYS + 1) * DAY_MS;
  const counted = await countSectorDays(db, fromMs, nowMs, sector);
  const bySector = new Map(
    [...Map.groupBy(counted, (row) => row.sector)].map(([name, days]) => [name, victimsByDay(days)]),
  );
  const basisOn = basisByDay(await countClaimDays(db, fromMs, nowMs), nowMs);
  const within = (victims: ReadonlyMap<number, number>) => [...victims.keys()].some((day) => day >= first);
  const shown =
    sector === null ? SECTORS.filter((each) => within(bySector.get(each) ?? new Map())) : [sector];
  const points = Array.from({ length: asked.days }, (_, at) => first + at).flatMap((day) => {
    const basis = basisOn(day);
    return shown.map((each) => pointOf(each, { day, ...basis }, bySector.get(each) ?? new Map()));
  });
  return { days: asked.days, sector, points, ...closingOf(await readBasis(db, periods), nowMs) };
}

type DayBasis = { readonly isConclusive: boolean; readonly canCompare: boolean };

/** Whether the claims up to the end of a day suffice for a conclusion about that day (decisions O65). */
function basisByDay(days: readonly ClaimDay[], nowMs: number): (day: number) => DayBasis {
  const byDay = new Map(days.map((row) => [dayNumber(Date.parse(row.day)), row]));
  const rowsTo = (lastDay: number) =>
    Array.from({ length: PERIOD_DAYS }, (_, before) => byDay.get(lastDay - before) ?? []).flat();
  const knownTo = (lastDay: number): Known => ({
    claims: rowsTo(lastDay).reduce((sum, { claims }) => sum + claims, 0),
    known: rowsTo(lastDay).reduce((sum, { withSector }) => sum + withSector, 0),
  });
  return (day) => {
    // A claim older than the 30 days is too old in any case.
    const newestMs = rowsTo(day)[0]?.newestMs ?? null;
    const windows = { newestMs, last30d: knownTo(day), prev30d: knownTo(day - PERIOD_DAYS) };
    const atMs = Math.min(nowMs, (day + 1) * DAY_MS);
    return { isConclusive: doubtOf(windows, atMs) === null, canCompare: isComparable(windows) };
  };
}

function pointOf(
  sector: Sector,
  { day, isConclusive, canCompare }: DayBasis & { readonly day: number },
  victims: ReadonlyMap<number, number>,
): SectorHistory['points'][number] {
  const date = new Date(day * DAY_MS).toISOString().slice(0, 10);
  const ofDay = victims.get(day) ?? null;
  if (!isConclusive) return { date, sector, victims: ofDay, score: null, riskLevel: 'inconclusive' };
  const before = canCompare ? sumOf(victims, day - PERIOD_DAYS) : null;
  const { score, riskLevel } = sectorRiskOf(sumOf(victims, day), before);
  return { date, sector, victims: ofDay ?? 0, score, riskLevel };
}
