import { generationOf, isSiteOfGroup } from '#domain/ransomware/index.ts';
import type { Db } from '#platform/postgres.ts';
import { DISCLAIMER } from '../contract.ts';
import type { Groups } from '../group-contract.ts';
import type { AnswerDeps } from './answer-claims.ts';
import { readAge } from './claim-basis.ts';
import { readGroupNames } from './find-group.ts';
import { generationsOf, NO_GROUPS, statusOf, valuesOf, victimsOf } from './group-facts.ts';
import {
  countGroupClaims,
  type GroupClaims,
  type GroupValue,
  type KnownGroup,
  listGroupValues,
  listKnownGroups,
} from './group-store.ts';
import { readLoaded } from './loaded-store.ts';
import { periodsAt } from './periods.ts';
import { isoOf } from './present-victims.ts';

const LIST_VALUES_MAX = 10;

/** A group of the list: a family with all of its generations, or a group without any. */
const unitOf = (key: string): string => generationOf(key)?.family ?? key;

type Unit = {
  readonly key: string;
  readonly family: string | null;
  readonly claims: readonly GroupClaims[];
  readonly known: readonly KnownGroup[];
  readonly values: readonly GroupValue[];
};
type Given = { readonly hasClaims: boolean; readonly isOld: boolean; readonly nowMs: number };
type Listed = { readonly shown: Groups['groups'][number]; readonly claims: GroupClaims | null };

export async function answerGroups(
  { clock, postgres: { db } }: AnswerDeps,
  { limit, sort }: { readonly limit: number; readonly sort: 'victims' | 'activity' },
): Promise<Groups> {
  const nowMs = clock.now();
  const { claims: hasClaims, groups: hasGroups } = await readLoaded(db);
  if (!hasClaims && !hasGroups) return { groups: [], total: null, activity: false, ...NO_GROUPS };
  const { isOld, shown: age } = await readAge(db, nowMs);
  const units = await readUnits(db, nowMs);
  const listed = units.map((unit) => listedOf(unit, { hasClaims, isOld, nowMs }));
  return {
    groups: listed
      .sort(sort === 'activity' ? byActivity : byVictims)
      .slice(0, limit)
      .map(({ shown }) => shown),
    total: listed.length,
    activity: listed.some(({ claims }) => claims !== null),
    inconclusive: isOld,
    loaded: true,
    ...age,
    disclaimer: DISCLAIMER,
  };
}

async function readUnits(db: Db, nowMs: number): Promise<readonly Unit[]> {
  const claims = Map.groupBy(await countGroupClaims(db, periodsAt(nowMs)), ({ key }) => unitOf(key));
  const { others } = await readGroupNames(db);
  // A site or tool of a group is listed beside it; it is no group.
  const described = (await listKnownGroups(db)).filter(({ name }) => !isSiteOfGroup(name));
  const known = Map.groupBy(described, ({ key }) => unitOf(others.get(key) ?? key));
  const values = Map.groupBy(await listGroupValues(db, nowMs, null), ({ key }) => unitOf(key));
  return [...new Set([...claims.keys(), ...known.keys()])].map((key) => ({
    key,
    family: generationOf(key)?.family ?? null,
    claims: claims.get(key) ?? [],
    known: known.get(key) ?? [],
    values: values.get(key) ?? [],
  }));
}

function listedOf({ key, family, ...unit }: Unit, { hasClaims, isOld, nowMs }: Given): Listed {
  const claims = totalOf(unit.claims);
  const keys = [...unit.claims, ...unit.known].map((each) => each.key);
  // Of a family, one generation that authorities hold says nothing about the next.
  const seized = unit.known.filter(({ isSeized }) => isSeized).length;
  const isSeized = family === null ? seized > 0 : seized > 0 && seized === unit.known.length;
  return {
    claims,
    shown: {
      name: family ?? claims?.name ?? unit.known.at(-1)?.name ?? key,
      family,
      generations: family === null ? [] : generationsOf(keys, unit.claims, hasClaims),
      victims: victimsOf(claims?.victims, hasClaims),
      status: statusOf({ lastClaimAtMs: claims?.lastClaimAtMs, isOld, isSeized }, nowMs),
      countries: valuesOf(unit.values, 'country', LIST_VALUES_MAX),
      sectors: valuesOf(unit.values, 'sector', LIST_VALUES_MAX),
      ...(claims === null ? {} : historyOf(claims, isOld)),
    },
  };
}

/** The claims of all generations together; null without claims. */
function totalOf(claims: readonly GroupClaims[]): GroupClaims | null {
  const [first] = claims;
  if (first === undefined) return null;
  return claims.slice(1).reduce(
    (sum, each) => ({
      key: sum.key,
      name: sum.name,
      victims: sum.victims + each.victims,
      claims30d: sum.claims30d + each.claims30d,
      claimsPrev30d: sum.claimsPrev30d + each.claimsPrev30d,
      firstClaimAtMs: Math.min(sum.firstClaimAtMs, each.firstClaimAtMs),
      lastClaimAtMs: Math.max(sum.lastClaimAtMs, each.lastClaimAtMs),
    }),
    first,
  );
}

const historyOf = (
  { claims30d, claimsPrev30d, firstClaimAtMs, lastClaimAtMs }: GroupClaims,
  isOld: boolean,
) => ({
  claims30d: isOld ? null : claims30d,
  claimsPrev30d: isOld ? null : claimsPrev30d,
  lastClaimAt: isoOf(lastClaimAtMs),
  firstClaimAt: isoOf(firstClaimAtMs),
});

const byVictims = (a: Listed, b: Listed): number =>
  (b.shown.victims ?? 0) - (a.shown.victims ?? 0) || (a.shown.name < b.shown.name ? -1 : 1);

const byActivity = (a: Listed, b: Listed): number =>
  (b.claims?.claims30d ?? 0) - (a.claims?.claims30d ?? 0) ||
  (b.claims?.lastClaimAtMs ?? 0) - (a.claims?.lastClaimAtMs ?? 0) ||
  byVictims(a, b);
