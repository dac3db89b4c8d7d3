import {
  findSector,
  isComparable,
  isSparse,
  SECTORS,
  type Sector,
  sectorRiskOf,
} from '#domain/ransomware/index.ts';
import { ServiceError } from '#platform/errors.ts';
import {
  DISCLAIMER,
  LOAD_CLAIMS,
  type SectorFigures,
  type SectorRiskReply,
  type SectorVictims,
} from '../contract.ts';
import { type AnswerDeps, updatedAtOf } from './answer-claims.ts';
import { type ClaimBasis, messageOf, readBasis, sectorWords, sparseWords } from './claim-basis.ts';
import { countClaims, listClaims, listPressOf } from './claim-store.ts';
import {
  countBy,
  countKnown,
  countSectorDays,
  ofSector,
  type TotalPeriods,
  topGroupsBySector,
} from './count-store.ts';
import { readFamilies } from './find-group.ts';
import { readLoaded } from './loaded-store.ts';
import { dayNumber, PERIOD_DAYS, periodsAt, sumOf, victimsByDay } from './periods.ts';
import { isoOf, presentPress, presentVictims } from './present-victims.ts';

const TOP_GROUPS = 5;
const COUNTRIES_MAX = 20;
const RECENT_MAX = 20;
const VICTIMS_MAX = 100;
const PRESS_MAX = 50;

export function sectorNamed(text: string): Sector {
  const sector = findSector(text);
  if (sector === null)
    throw new ServiceError('Not Found', `There is no such sector. Use one of: ${SECTORS.join(', ')}.`);
  return sector;
}

const INCONCLUSIVE = {
  riskLevel: 'inconclusive',
  score: null,
  victims30d: null,
  victimsPrev30d: null,
  trend: null,
} as const;

/**
 * The figures of every known sector, the riskiest first. A sector without claims has zeros (O27), unless the claims are too
 * old or too few of them have a sector: then no sector has figures (decisions O65).
 */
async function figuresOf(
  { postgres: { db } }: AnswerDeps,
  periods: TotalPeriods,
  { windows, doubt }: ClaimBasis,
): Promise<readonly SectorFigures[]> {
  const groups = Map.groupBy(
    await topGroupsBySector(db, periods, await readFamilies(db)),
    ({ sector }) => sector,
  );
  const topOf = (sector: Sector) => (groups.get(sector) ?? []).slice(0, TOP_GROUPS).map(({ group }) => group);
  if (doubt !== null)
    return SECTORS.toSorted().map((sector) => ({ sector, ...INCONCLUSIVE, topGroups: topOf(sector) }));
  const days = Map.groupBy(
    await countSectorDays(db, periods.prev30dMs, periods.nowMs, null),
    ({ sector }) => sector,
  );
  const today = dayNumber(periods.nowMs);
  return SECTORS.map((sector) => {
    const victims = victimsByDay(days.get(sector) ?? []);
    const victims30d = sumOf(victims, today);
    const victimsPrev30d = isComparable(windows) ? sumOf(victims, today - PERIOD_DAYS) : null;
    const { riskLevel, score, trend } = sectorRiskOf(victims30d, victimsPrev30d);
    return { sector, riskLevel, score, victims30d, victimsPrev30d, trend, topGroups: topOf(sector) };
  }).sort((a, b) => b.score - a.score || (a.sector < b.sector ? -1 : 1));
}

/** The end of every answer about sectors: what was counted, how new it is, and whether it suffices for a conclusion. */
export function closingOf(basis: ClaimBasis, nowMs: number) {
  const {
    totalVictims: claims,
    withSector,
    sectorInferred,
    claims30d,
    withSector30d,
    newestMs,
  } = basis.totals;
  return {
    coverage: { claims, withSector, sectorInferred, claims30d, withSector30d },
    dataAsOf: newestMs === null ? null : isoOf(newestMs),
    inconclusive: basis.doubt !== null,
    loaded: true,
    ...messageOf(sectorWords(basis, nowMs)),
    disclaimer: DISCLAIMER,
  };
}

/** Without claims nothing was counted: a score of 0 would read as a sector that nobody attacks (decisions O77). */
export const NOTHING = {
  coverage: null,
  dataAsOf: null,
  inconclusive: true,
  loaded: false,
  message: LOAD_CLAIMS,
  disclaimer: DISCLAIMER,
} as const;
const NO_FIGURES = {
  ...INCONCLUSIVE,
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
  const basis = await readBasis(deps.postgres.db, periods);
  const sectors = await figuresOf(deps, periods, basis);
  const closing = { updatedAt: await updatedAtOf(deps), ...closingOf(basis, periods.nowMs) };
  const figures = sectors.find((each) => each.sector === sector);
  if (sector === null || figures === undefined) return { sectors: [...sectors], ...closing };
  const { doubt, ...detail } = await detailOf(deps, sector, { nowMs: periods.nowMs, press: asked.press });
  const words = [closing.message, doubt].flatMap((text) => text ?? []).join(' ');
  return { ...figures, ...detail, ...closing, ...messageOf(words === '' ? null : words) };
}

async function detailOf(
  { postgres: { db } }: AnswerDeps,
  sector: Sector,
  { nowMs, press }: { readonly nowMs: number; readonly press: boolean },
) {
  const of = ofSector(sector);
  const known = await countKnown(db, 'country', { nowMs, of });
  const doubt = isSparse(known) ? sparseWords(known, { field: 'country', period: 'in this sector' }) : null;
  const countries = doubt === null ? await countBy(db, 'country', { nowMs, of, limit: COUNTRIES_MAX }) : [];
  const claims = await listClaims(db, { sector }, { nowMs, limit: RECENT_MAX });
  const articles = press
    ? await listPressOf(
        db,
        claims.map(({ id }) => id),
      )
    : [];
  return {
    doubt,
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

export async function answerSectorVictims(deps: AnswerDeps, text: string): Promise<SectorVictims> {
  const { db } = deps.postgres;
  const periods = periodsAt(deps.clock.now());
  const sector = sectorNamed(text);
  if (!(await readLoaded(db)).claims)
    return { sector, riskLevel: 'inconclusive', total: null, victims: [], ...NOTHING };
  const basis = await readBasis(db, periods);
  const figures = (await figuresOf(deps, periods, basis)).find((each) => each.sector === sector);
  const claims = await listClaims(db, { sector }, { nowMs: periods.nowMs, limit: VICTIMS_MAX });
  return {
    sector,
    riskLevel: figures?.riskLevel ?? 'inconclusive',
    total: await countClaims(db, { sector }, periods.nowMs),
    victims: await presentVictims(db, claims, { withPress: false }),
    ...closingOf(basis, periods.nowMs),
  };
}
