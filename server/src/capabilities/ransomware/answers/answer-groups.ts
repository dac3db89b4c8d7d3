import { claimText, groupKeyOf, uniqueBy } from '#domain/ransomware/index.ts';
import { ServiceError } from '#platform/errors.ts';
import { DAY_MS } from '#platform/time-units.ts';
import {
  DISCLAIMER,
  type GroupProfileReply,
  type GroupStatus,
  type Groups,
  LOAD_CLAIMS,
} from '../contract.ts';
import type { AnswerDeps } from './answer-claims.ts';
import { findGroup, readGroupNames } from './find-group.ts';
import {
  countGroup,
  countGroupClaims,
  type GroupClaims,
  type GroupValue,
  type KnownGroup,
  listGroupValues,
  listKnownGroups,
  listSaidOfGroup,
  type SaidOfGroup,
} from './group-store.ts';
import { readLoaded } from './loaded-store.ts';
import { periodsAt } from './periods.ts';
import { isoOf } from './present-victims.ts';

const ACTIVE_WITHIN_MS = 90 * DAY_MS;
const LIST_VALUES_MAX = 10;
const PROFILE_VALUES_MAX = 20;

/** The tactics of an ATT&CK technique. */
export type TacticsOf = (techniqueId: string) => readonly { readonly id: string; readonly name: string }[];

type Known = {
  readonly claims: GroupClaims | undefined;
  readonly hasClaims: boolean;
  readonly isSeized: boolean;
};

/** Null: without any loaded claim nothing says whether a group is active. */
function statusOf({ claims, hasClaims, isSeized }: Known, nowMs: number): GroupStatus | null {
  if (isSeized) return 'seized';
  if (!hasClaims) return null;
  return claims !== undefined && claims.lastClaimAtMs > nowMs - ACTIVE_WITHIN_MS ? 'active' : 'inactive';
}

const valuesOf = (values: readonly GroupValue[], kind: GroupValue['kind'], max: number): string[] =>
  values
    .filter((each) => each.kind === kind)
    .slice(0, max)
    .map(({ value }) => value);

type Listed = { readonly shown: Groups['groups'][number]; readonly claims: GroupClaims | undefined };

export async function answerGroups(
  { clock, postgres: { db } }: AnswerDeps,
  { limit, sort }: { readonly limit: number; readonly sort: 'victims' | 'activity' },
): Promise<Groups> {
  const nowMs = clock.now();
  const { claims: hasClaims, groups: hasGroups } = await readLoaded(db);
  if (!hasClaims && !hasGroups) return { groups: [], total: null, activity: false, ...NOTHING };
  const claimed = new Map((await countGroupClaims(db, periodsAt(nowMs))).map((each) => [each.key, each]));
  const { others } = await readGroupNames(db);
  const known = new Map<string, KnownGroup>();
  for (const group of await listKnownGroups(db)) {
    const key = others.get(group.key) ?? group.key;
    known.set(key, { ...group, isSeized: group.isSeized || (known.get(key)?.isSeized ?? false) });
  }
  const values = Map.groupBy(await listGroupValues(db, nowMs, null), ({ key }) => key);
  const listed = [...new Set([...claimed.keys(), ...known.keys()])].map((key): Listed => {
    const claims = claimed.get(key);
    const own = values.get(key) ?? [];
    return {
      claims,
      shown: {
        name: claims?.name ?? known.get(key)?.name ?? key,
        victims: victimsOf(claims?.victims, hasClaims),
        status: statusOf({ claims, hasClaims, isSeized: known.get(key)?.isSeized ?? false }, nowMs),
        countries: valuesOf(own, 'country', LIST_VALUES_MAX),
        sectors: valuesOf(own, 'sector', LIST_VALUES_MAX),
        ...(claims === undefined ? {} : historyOf(claims)),
      },
    };
  });
  return {
    groups: listed
      .sort(sort === 'activity' ? byActivity : byVictims)
      .slice(0, limit)
      .map(({ shown }) => shown),
    total: listed.length,
    activity: claimed.size > 0,
    loaded: true,
    disclaimer: DISCLAIMER,
  };
}

const NOTHING = { loaded: false, message: LOAD_CLAIMS, disclaimer: DISCLAIMER } as const;

/** 0 was counted only where claims are loaded (decisions O77). */
const victimsOf = (counted: number | undefined, hasClaims: boolean): number | null =>
  hasClaims ? (counted ?? 0) : null;

const historyOf = ({ claims30d, claimsPrev30d, firstClaimAtMs, lastClaimAtMs }: GroupClaims) => ({
  claims30d,
  claimsPrev30d,
  lastClaimAt: isoOf(lastClaimAtMs),
  firstClaimAt: isoOf(firstClaimAtMs),
});

const byVictims = (a: Listed, b: Listed): number =>
  (b.shown.victims ?? 0) - (a.shown.victims ?? 0) || (a.shown.name < b.shown.name ? -1 : 1);

const byActivity = (a: Listed, b: Listed): number =>
  (b.claims?.claims30d ?? 0) - (a.claims?.claims30d ?? 0) ||
  (b.claims?.lastClaimAtMs ?? 0) - (a.claims?.lastClaimAtMs ?? 0) ||
  byVictims(a, b);

export async function answerGroupProfile(
  { clock, postgres: { db }, tacticsOf }: AnswerDeps & { readonly tacticsOf: TacticsOf },
  asked: string,
): Promise<GroupProfileReply> {
  const { claims: hasClaims, groups: hasGroups } = await readLoaded(db);
  if (!hasClaims && !hasGroups) return unknownGroup(asked);
  const found = await findGroup(db, asked);
  if (found === null)
    throw new ServiceError('Not Found', 'No source of this service names a ransomware group of that name.');
  const { key, keys } = found;
  const nowMs = clock.now();
  const claims = await countGroup(db, key, periodsAt(nowMs));
  const values = await listGroupValues(db, nowMs, key);
  const said = await listSaidOfGroup(db, keys);
  return {
    name: claims?.name ?? said[0]?.name ?? key,
    ...toldBy(key, said),
    status: statusOf({ claims, hasClaims, isSeized: said.some(({ isSeized }) => isSeized) }, nowMs),
    firstSeen: claims === undefined ? null : isoOf(claims.firstClaimAtMs),
    lastSeen: claims === undefined ? null : isoOf(claims.lastClaimAtMs),
    victims: victimsOf(claims?.victims, hasClaims),
    victims30d: victimsOf(claims?.claims30d, hasClaims),
    countries: valuesOf(values, 'country', PROFILE_VALUES_MAX),
    sectors: valuesOf(values, 'sector', PROFILE_VALUES_MAX),
    ttps: techniquesOf(said, tacticsOf),
    tools: [],
    cves: [],
    loaded: true,
    disclaimer: DISCLAIMER,
  };
}

const NAME_MAX = 100;
const unknownGroup = (asked: string): GroupProfileReply => ({
  name: claimText(asked, NAME_MAX) ?? '',
  aliases: [],
  description: null,
  status: null,
  firstSeen: null,
  lastSeen: null,
  victims: null,
  victims30d: null,
  countries: [],
  sectors: [],
  locations: [],
  ttps: [],
  tools: [],
  cves: [],
  notes: null,
  references: [],
  ...NOTHING,
});

/** Joins what sources say of a group, without repetitions; of several descriptions the longest. */
function toldBy(key: string, said: readonly SaidOfGroup[]) {
  const names = said.flatMap((each) => (each.key === key ? each.aliases : [each.name, ...each.aliases]));
  const descriptions = said.flatMap(({ description }) => description ?? []);
  return {
    aliases: [...uniqueBy(names, groupKeyOf)].filter((name) => groupKeyOf(name) !== key),
    description: descriptions.toSorted((a, b) => b.length - a.length)[0] ?? null,
    locations: uniqueBy(
      // For each site, an entry that tells whether it is available comes before one that does not.
      said
        .flatMap(({ locations }) => locations)
        .toSorted((a, b) => Number(a.available === null) - Number(b.available === null)),
      ({ fqdn }) => fqdn,
    ).map(({ fqdn, available, lastCheckedAtMs }) => ({
      fqdn,
      available,
      lastCheckedAt: lastCheckedAtMs === null ? null : isoOf(lastCheckedAtMs),
    })),
    notes: said.some(({ hasNotes }) => hasNotes),
    references: [
      ...uniqueBy(
        said.flatMap(({ references }) => references),
        (url) => url,
      ),
    ],
  };
}

const TTPS_MAX = 200;

function techniquesOf(said: readonly SaidOfGroup[], tacticsOf: TacticsOf): GroupProfileReply['ttps'] {
  const techniques = uniqueBy(
    said.flatMap(({ techniques: each }) => each),
    ({ techniqueId }) => techniqueId,
  );
  return techniques
    .flatMap(({ techniqueId, technique }): GroupProfileReply['ttps'] => {
      const tactics = tacticsOf(techniqueId);
      if (tactics.length === 0) return [{ tacticId: null, tactic: null, techniqueId, technique }];
      return tactics.map(({ id, name }) => ({ tacticId: id, tactic: name, techniqueId, technique }));
    })
    .slice(0, TTPS_MAX);
}
