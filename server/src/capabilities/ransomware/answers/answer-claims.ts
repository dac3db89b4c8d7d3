import { listDatasets } from '#capabilities/datasets/index.ts';
import { groupKeyOf } from '#domain/ransomware/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { Db, Postgres } from '#platform/postgres.ts';
import { DISCLAIMER, type Feed, LOAD_CLAIMS, type Press, type Stats } from '../contract.ts';
import { POST_DATASETS } from '../definitions.ts';
import { countClaims, countPress, listClaims, listGroupsOfPress, listPress } from './claim-store.ts';
import { countBy, countTotals, topGroups } from './count-store.ts';
import { findGroup, readGroupNames } from './find-group.ts';
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
    return { victims: [], total: null, generatedAt: isoOf(nowMs), ...NO_CLAIMS };
  const claims = await listClaims(db, {}, { nowMs, limit });
  return {
    victims: await presentVictims(db, claims, { withPress: press }),
    total: await countClaims(db, {}, nowMs),
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
      ...NO_CLAIMS,
    };
  const periods = periodsAt(deps.clock.now());
  const top = { nowMs: periods.nowMs, limit: TOP };
  const { withSector, withCountry, ...totals } = await countTotals(db, periods);
  const groups = await topGroups(db, top);
  const countries = await countBy(db, 'country', top);
  const sectors = await countBy(db, 'sector', top);
  return {
    ...totals,
    topGroups: groups.map(({ value, count }) => ({ group: value, count })),
    topCountries: countries.map(({ value, count }) => ({ country: value, count })),
    topSectors: sectors.map(({ value, count }) => ({ sector: value, count })),
    coverage: { claims: totals.totalVictims, withSector, withCountry },
    updatedAt: await updatedAtOf(deps),
    loaded: true,
    disclaimer: DISCLAIMER,
  };
}

const GROUPS_MAX = 20;

async function keysOf(db: Db, groups: readonly string[]): Promise<readonly string[]> {
  const names = await readGroupNames(db);
  const found: string[] = [];
  for (const name of groups) found.push((await findGroup(db, name, names))?.key ?? groupKeyOf(name));
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
