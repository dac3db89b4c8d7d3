import { findSector, SECTORS, type Sector, sectorRiskOf } from '#domain/ransomware/index.ts';
import { ServiceError } from '#platform/errors.ts';
import { DAY_MS } from '#platform/time-units.ts';
import {
  DISCLAIMER,
  LOAD_CLAIMS,
  type SectorFigures,
  type SectorHistory,
  type SectorRiskReply,
  type SectorVictims,
} from '../contract.ts';
import { type AnswerDeps, updatedAtOf } from './answer-claims.ts';
import { countClaims, listClaims, listPressOf } from './claim-store.ts';
import {
  countBy,
  countSectorDays,
  countTotals,
  ofSector,
  type SectorDay,
  type TotalPeriods,
  topGroupsBySector,
} from './count-store.ts';
import { newestClaimMs, readLoaded } from './loaded-store.ts';
import { periodsAt } from './periods.ts';
import { isoOf, presentPress, presentVictims } from './present-victims.ts';

const TOP_GROUPS = 5;
const COUNTRIES_MAX = 20;
const RECENT_MAX = 20;
const VICTIMS_MAX = 100;
const PRESS_MAX = 50;
const PERIOD_DAYS = 30;

function sectorNamed(text: string): Sector {
  const sector = findSector(text);
  if (sector === null)
    throw new ServiceError('Not Found', `There is no such sector. Use one of: ${SECTORS.join(', ')}.`);
  return sector;
}

/** The figures of every known sector, the riskiest first. A sector without claims has zeros (O27). */
async function figuresOf(
  { postgres: { db } }: AnswerDeps,
  periods: TotalPeriods,
): Promise<readonly SectorFigures[]> {
  const days = Map.groupBy(
    await countSectorDays(db, periods.prev30dMs, periods.nowMs, null),
    ({ sector }) => sector,
  );
  const groups = Map.groupBy(await topGroupsBySector(db, periods), ({ sector }) => sector);
  const today = dayNumber(periods.nowMs);
  return SECTORS.map((sector) => {
    const victims = victimsByDay(days.get(sector) ?? []);
    const victims30d = sumOf(victims, today);
    const victimsPrev30d = sumOf(victims, today - PERIOD_DAYS);
    const top = (groups.get(sector) ?? []).slice(0, TOP_GROUPS).map(({ group }) => group);
    const { riskLevel, score, trend } = sectorRiskOf(victims30d, victimsPrev30d);
    return { sector, riskLevel, score, victims30d, victimsPrev30d, trend, topGroups: top };
  }).sort((a, b) => b.score - a.score || (a.sector < b.sector ? -1 : 1));
}

const dayNumber = (ms: number): number => Math.floor(ms / DAY_MS);

const victimsByDay = (days: readonly SectorDay[]): ReadonlyMap<number, number> =>
  new Map(days.map(({ day, victims }) => [dayNumber(Date.parse(day)), victims]));

/** The number of victims in the 30 days that end with `lastDay`. */
function sumOf(victims: ReadonlyMap<number, number>, lastDay: number): number {
  let sum = 0;
  for (let day = lastDay - PERIOD_DAYS + 1; day <= lastDay; day += 1) sum += victims.get(day) ?? 0;
  return sum;
}

/** The end of every answer about sectors: what was counted, and how new it is. */
async function closingOf({ postgres: { db } }: AnswerDeps, periods: TotalPeriods) {
  const { totalVictims, withSector } = await countTotals(db, periods);
  const newestMs = await newestClaimMs(db, periods.nowMs);
  return {
    coverage: { claims: totalVictims, withSector },
    dataAsOf: newestMs === null ? null : isoOf(newestMs),
    loaded: true,
    disclaimer: DISCLAIMER,
  };
}

/** Without claims nothing was counted: a score of 0 would read as a sector that nobody attacks (decisions O77). */
const NOTHING = {
  coverage: null,
  dataAsOf: null,
  loaded: false,
  message: LOAD_CLAIMS,
  disclaimer: DISCLAIMER,
} as const;
const NO_FIGURES = {
  riskLevel: 'inconclusive',
  score: null,
  victims30d: null,
  victimsPrev30d: null,
  trend: null,
  topGroups: [],
  countries: [],
  recentVictims: [],
} satisfies Partial<SectorRiskReply>;

export async function answerSectorRisk(
  deps: AnswerDeps,
  asked: { readonly sector?: string | undefined; readonly press: boolean },
): Promise<SectorRiskReply> {
  const periods = periodsAt(deps.clock.now());
  const sector = asked.sector === undefined || asked.sector === '' ? null : sectorNamed(asked.sector);
  if (!(await readLoaded(deps.postgres.db)).claims) {
    const nothing = { updatedAt: null, ...NOTHING };
    return sector === null ? { sectors: [], ...nothing } : { sector, ...NO_FIGURES, ...nothing };
  }
  const sectors = await figuresOf(deps, periods);
  const closing = { updatedAt: await updatedAtOf(deps), ...(await closingOf(deps, periods)) };
  const figures = sectors.find((each) => each.sector === sector);
  if (sector === null || figures === undefined) return { sectors: [...sectors], ...closing };
  return {
    ...figures,
    ...(await detailOf(deps, sector, { nowMs: periods.nowMs, press: asked.press })),
    ...closing,
  };
}

async function detailOf(
  { postgres: { db } }: AnswerDeps,
  sector: Sector,
  { nowMs, press }: { readonly nowMs: number; readonly press: boolean },
) {
  const countries = await countBy(db, 'country', { nowMs, of: ofSector(sector), limit: COUNTRIES_MAX });
  const claims = await listClaims(db, { sector }, { nowMs, limit: RECENT_MAX });
  const articles = press
    ? await listPressOf(
        db,
        claims.map(({ id }) => id),
      )
    : [];
  return {
    countries: countries.map(({ value }) => value),
    recentVictims: await presentVictims(db, claims, { withPress: press }),
    ...(press
      ? {
          press: [...new Map(articles.map((each) => [each.url, presentPress(each)])).values()].slice(
            0,
            PRESS_MAX,
          ),
        }
      : {}),
  };
}

export async function answerSectorHistory(
  deps: AnswerDeps,
  asked: { readonly days: number; readonly sector?: string | undefined },
): Promise<SectorHistory> {
  const periods = periodsAt(deps.clock.now());
  const sector = asked.sector === undefined || asked.sector === '' ? null : sectorNamed(asked.sector);
  if (!(await readLoaded(deps.postgres.db)).claims)
    return { days: asked.days, sector, points: [], ...NOTHING };
  const today = dayNumber(periods.nowMs);
  const first = today - asked.days + 1;
  const fromMs = (first - 2 * PERIOD_DAYS + 1) * DAY_MS;
  const counted = await countSectorDays(deps.postgres.db, fromMs, periods.nowMs, sector);
  const bySector = new Map(
    [...Map.groupBy(counted, (row) => row.sector)].map(([name, days]) => [name, victimsByDay(days)]),
  );
  const within = (victims: ReadonlyMap<number, number>) => [...victims.keys()].some((day) => day >= first);
  const shown =
    sector === null ? SECTORS.filter((each) => within(bySector.get(each) ?? new Map())) : [sector];
  const points = Array.from({ length: asked.days }, (_, at) => first + at).flatMap((day) =>
    shown.map((each) => pointOf(each, day, bySector.get(each) ?? new Map())),
  );
  return {
    days: asked.days,
    sector,
    points,
    ...(await closingOf(deps, periods)),
  };
}

function pointOf(
  sector: Sector,
  day: number,
  victims: ReadonlyMap<number, number>,
): SectorHistory['points'][number] {
  const { score, riskLevel } = sectorRiskOf(sumOf(victims, day), sumOf(victims, day - PERIOD_DAYS));
  return {
    date: new Date(day * DAY_MS).toISOString().slice(0, 10),
    sector,
    victims: victims.get(day) ?? 0,
    score,
    riskLevel,
  };
}

export async function answerSectorVictims(deps: AnswerDeps, text: string): Promise<SectorVictims> {
  const { db } = deps.postgres;
  const periods = periodsAt(deps.clock.now());
  const sector = sectorNamed(text);
  if (!(await readLoaded(db)).claims)
    return { sector, riskLevel: 'inconclusive', total: null, victims: [], ...NOTHING };
  const figures = (await figuresOf(deps, periods)).find((each) => each.sector === sector);
  const claims = await listClaims(db, { sector }, { nowMs: periods.nowMs, limit: VICTIMS_MAX });
  return {
    sector,
    riskLevel: figures?.riskLevel ?? 'low',
    total: await countClaims(db, { sector }, periods.nowMs),
    victims: await presentVictims(db, claims, { withPress: false }),
    ...(await closingOf(deps, periods)),
  };
}
