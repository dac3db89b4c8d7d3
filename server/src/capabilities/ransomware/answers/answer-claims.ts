import { listDatasets } from '#capabilities/datasets/index.ts';
import { groupKeyOf, isOld, isSparse } from '#domain/ransomware/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { Db, Postgres } from '#platform/postgres.ts';
import { DISCLAIMER, type Feed, LOAD_CLAIMS, type Press, type Stats } from '../contract.ts';
import { POST_DATASETS } from '../definitions.ts';
import { messageOf, oldWords, readAge, sparseWords } from './claim-basis.ts';
import { countClaims, countPress, listClaims, listGroupsOfPress, listPress } from './claim-store.ts';
import { countBy, countTotals, type Totals, topGroups } from './count-store.ts';
import { findGroup, readFamilies, readGroupNames } from './find-group.ts';
import { readLoaded } from './loaded-store.ts';
import { periodsAt } from './periods.ts';
import { isoOf, presentPress, presentVictims } from './present-victims.ts';

export type AnswerDeps = { readonly clock: Clock; readonly postgres: Pick<Postgres, 'db'> };

const TOP = 10;
/** Articles come from a file that is loaded by hand, because its licence excludes commercial use. */
const LOAD_PRESS =
  'No articles are loaded on this service. From a file: npm run admin -- ransomware load cyberwatch FILE';
const NO_CLAIMS = { loaded: false, message: LOAD_CLAIMS, disclaimer: DISCLAIMER } as const;
const NO_TOTALS = {
  totalVictims: null,
  activeGroups: null,
  attacksThisMonth: null,
  attacksThisYear: null,
  last24h: null,
  last7d: null,
};

/** The date of the newest tracker data with posts, of which claims are made. */
export async function updatedAtOf({ postgres }: AnswerDeps): Promise<string | null> {
  const rows = (await listDatasets(postgres.db)).filter(({ id }) => POST_DATASETS.includes(id));
  const ms = Math.max(0, ...rows.map(({ dataAtMs }) => dataAtMs ?? 0));
  return ms === 0 ? null : isoOf(ms);
}

export async function answerFeed(
  { clock, postgres: { db } }: AnswerDeps,
  { limit, press }: { readonly limit: number; readonly press: boolean },
): Promise<Feed> {
  const nowMs = clock.now();
  if (!(await readLoaded(db)).claims)
    return { victims: [], total: null, dataAsOf: null, generatedAt: isoOf(nowMs), ...NO_CLAIMS };
  const claims = await listClaims(db, {}, { nowMs, limit });
  return {
    victims: await presentVictims(db, claims, { withPress: press }),
    total: await countClaims(db, {}, nowMs),
    ...(await readAge(db, nowMs)).shown,
    generatedAt: isoOf(nowMs),
    loaded: true,
    disclaimer: DISCLAIMER,
  };
}

export async function answerStats(deps: AnswerDeps): Promise<Stats> {
  const { db } = deps.postgres;
  if (!(await readLoaded(db)).claims)
    return {
      ...NO_TOTALS,
      topGroups: [],
      topCountries: [],
      topSectors: [],
      coverage: null,
      updatedAt: null,
      dataAsOf: null,
      inconclusive: true,
      ...NO_CLAIMS,
    };
  const periods = periodsAt(deps.clock.now());
  const top = { nowMs: periods.nowMs, limit: TOP };
  const families = await readFamilies(db);
  const totals = await countTotals(db, periods, families);
  const { doubts, sectors, countries } = judgeTotals(totals, periods.nowMs);
  const groups = await topGroups(db, { ...top, families });
  const bySector = sectors ? await countBy(db, 'sector', top) : [];
  const byCountry = countries ? await countBy(db, 'country', top) : [];
  return {
    ...figuresOf(totals, periods.nowMs),
    topGroups: groups.map(({ value, count }) => ({ group: value, count })),
    topCountries: byCountry.map(({ value, count }) => ({ country: value, count })),
    topSectors: bySector.map(({ value, count }) => ({ sector: value, count })),
    coverage: {
      claims: totals.totalVictims,
      withSector: totals.withSector,
      sectorInferred: totals.sectorInferred,
      withCountry: totals.withCountry,
      countryInferred: totals.countryInferred,
    },
    updatedAt: await updatedAtOf(deps),
    dataAsOf: totals.newestMs === null ? null : isoOf(totals.newestMs),
    inconclusive: doubts.length > 0,
    loaded: true,
    ...messageOf(doubts.length === 0 ? null : doubts.join(' ')),
    disclaimer: DISCLAIMER,
  };
}

/** The statistics that end today; null where the claims are too old to know the last weeks (decisions O65). */
export function figuresOf(totals: Totals, nowMs: number) {
  const { totalVictims, activeGroups, attacksThisMonth, attacksThisYear, last24h, last7d } = totals;
  if (isOld(totals.newestMs, nowMs)) return { ...NO_TOTALS, totalVictims };
  return { totalVictims, activeGroups, attacksThisMonth, attacksThisYear, last24h, last7d };
}

/** Which statistics the claims suffice for, and why not for the others. */
function judgeTotals(totals: Totals, nowMs: number) {
  const { totalVictims: claims, withSector, withCountry, newestMs } = totals;
  const ofSectors = { claims, known: withSector };
  const ofCountries = { claims, known: withCountry };
  const [sectors, countries] = [!isSparse(ofSectors), !isSparse(ofCountries)];
  const doubts = [
    oldWords(newestMs, nowMs),
    sectors ? null : sparseWords(ofSectors, { field: 'sector', period: 'in all' }),
    countries ? null : sparseWords(ofCountries, { field: 'country', period: 'in all' }),
  ].flatMap((text) => text ?? []);
  return { doubts, sectors, countries };
}

const GROUPS_MAX = 20;

async function keysOf(db: Db, groups: readonly string[]): Promise<readonly string[]> {
  const names = await readGroupNames(db);
  const found: string[] = [];
  for (const name of groups)
    found.push(...((await findGroup(db, name, names))?.claimKeys ?? [groupKeyOf(name)]));
  return found;
}

export async function answerPress(
  { clock, postgres: { db } }: AnswerDeps,
  { limit, groups }: { readonly limit: number; readonly groups: readonly string[] | null },
): Promise<Press> {
  if (!(await readLoaded(db)).press)
    return { entries: [], total: null, loaded: false, message: LOAD_PRESS, disclaimer: DISCLAIMER };
  const groupKeys = groups === null ? null : await keysOf(db, groups);
  const page = { nowMs: clock.now(), groupKeys };
  const rows = await listPress(db, { ...page, limit });
  const named = Map.groupBy(
    await listGroupsOfPress(
      db,
      rows.map(({ id }) => id),
    ),
    ({ pressId }) => pressId,
  );
  return {
    entries: rows.map((row) => ({
      id: row.id,
      ...presentPress(row),
      groups: (named.get(row.id) ?? []).slice(0, GROUPS_MAX).map(({ group }) => group),
      victim: row.victim,
    })),
    total: await countPress(db, page),
    loaded: true,
    disclaimer: DISCLAIMER,
  };
}
