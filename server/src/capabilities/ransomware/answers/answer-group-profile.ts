import { claimText, generationOf, groupKeyOf, isSiteOfGroup, uniqueBy } from '#domain/ransomware/index.ts';
import { ServiceError } from '#platform/errors.ts';
import type { Db } from '#platform/postgres.ts';
import { DISCLAIMER } from '../contract.ts';
import type { Generations, GroupProfileReply } from '../group-contract.ts';
import type { AnswerDeps } from './answer-claims.ts';
import { readAge } from './claim-basis.ts';
import type { CountPeriods } from './count-store.ts';
import { findGroup } from './find-group.ts';
import { generationsOf, NO_GROUPS, statusOf, valuesOf, victimsOf } from './group-facts.ts';
import {
  countGroup,
  countGroupClaims,
  listGroupValues,
  listKnownGroups,
  listSaidOfGroup,
  type SaidOfGroup,
} from './group-store.ts';
import { readLoaded } from './loaded-store.ts';
import { periodsAt } from './periods.ts';
import { isoOf } from './present-victims.ts';

const PROFILE_VALUES_MAX = 20;

/** The tactics of an ATT&CK technique. */
export type TacticsOf = (techniqueId: string) => readonly { readonly id: string; readonly name: string }[];

export async function answerGroupProfile(
  { clock, postgres: { db }, tacticsOf }: AnswerDeps & { readonly tacticsOf: TacticsOf },
  asked: string,
): Promise<GroupProfileReply> {
  const { claims: hasClaims, groups: hasGroups } = await readLoaded(db);
  if (!hasClaims && !hasGroups) return unknownGroup(asked);
  const found = await findGroup(db, asked);
  if (found === null)
    throw new ServiceError('Not Found', 'No source of this service names a ransomware group of that name.');
  const { key, keys, claimKeys, family } = found;
  const nowMs = clock.now();
  const { isOld, shown: age } = await readAge(db, nowMs);
  const periods = periodsAt(nowMs);
  const claims = await countGroup(db, claimKeys, periods);
  const values = await listGroupValues(db, nowMs, claimKeys);
  const said = await listSaidOfGroup(db, keys);
  return {
    name: family === null ? (claims?.name ?? said[0]?.name ?? key) : key,
    family,
    generations: family === null ? [] : await readGenerations(db, family, { periods, hasClaims }),
    ...toldBy(key, said),
    status: statusOf(
      { lastClaimAtMs: claims?.lastClaimAtMs, isOld, isSeized: isSeizedAs(said, family) },
      nowMs,
    ),
    firstSeen: claims === undefined ? null : isoOf(claims.firstClaimAtMs),
    lastSeen: claims === undefined ? null : isoOf(claims.lastClaimAtMs),
    victims: victimsOf(claims?.victims, hasClaims),
    victims30d: isOld ? null : victimsOf(claims?.claims30d, hasClaims),
    countries: valuesOf(values, 'country', PROFILE_VALUES_MAX),
    sectors: valuesOf(values, 'sector', PROFILE_VALUES_MAX),
    ttps: techniquesOf(said, tacticsOf),
    tools: [],
    cves: [],
    inconclusive: isOld,
    loaded: true,
    ...age,
    disclaimer: DISCLAIMER,
  };
}

/** Of a family, one generation that authorities hold says nothing about the next. */
const isSeizedAs = (said: readonly SaidOfGroup[], family: string | null): boolean => {
  const seized = said.filter(({ isSeized }) => isSeized).length;
  return family === null ? seized > 0 : seized > 0 && seized === said.length;
};

async function readGenerations(
  db: Db,
  family: string,
  { periods, hasClaims }: { readonly periods: CountPeriods; readonly hasClaims: boolean },
): Promise<Generations> {
  const isOwn = (key: string): boolean => generationOf(key)?.family === family;
  const claims = (await countGroupClaims(db, periods)).filter(({ key }) => isOwn(key));
  const described = (await listKnownGroups(db)).filter(({ key, name }) => isOwn(key) && !isSiteOfGroup(name));
  return generationsOf(
    [...claims, ...described].map(({ key }) => key),
    claims,
    hasClaims,
  );
}

const NAME_MAX = 100;
const unknownGroup = (asked: string): GroupProfileReply => ({
  name: claimText(asked, NAME_MAX) ?? '',
  family: null,
  generations: [],
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
  ...NO_GROUPS,
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
