import { generationOf, groupKeyOf } from '#domain/ransomware/index.ts';
import type { Db } from '#platform/postgres.ts';
import type { Victim } from '../contract.ts';
import {
  type Claim,
  listOtherClaims,
  listPressOf,
  type OtherClaim,
  type PressOfClaim,
} from './claim-store.ts';

const PRESS_MAX = 20;
const OTHERS_MAX = 20;

export const isoOf = (ms: number): string => new Date(ms).toISOString();
export const dayOf = (ms: number): string => isoOf(ms).slice(0, 10);

export const presentPress = ({ title, url, source, publishedAtMs }: Omit<PressOfClaim, 'claimId'>) => ({
  title,
  url,
  source,
  publishedAt: isoOf(publishedAtMs),
});

/** Claims as callers see them, with what the press and other groups say of the same victims. */
export async function presentVictims(
  db: Db,
  claims: readonly Claim[],
  { withPress }: { readonly withPress: boolean },
): Promise<Victim[]> {
  const ids = claims.map(({ id }) => id);
  if (ids.length === 0) return [];
  const press = Map.groupBy(await listPressOf(db, ids), ({ claimId }) => claimId);
  const others = Map.groupBy(await listOtherClaims(db, ids), ({ claimId }) => claimId);
  return claims.map((claim) =>
    presentVictim(claim, press.get(claim.id) ?? [], { others: others.get(claim.id) ?? [], withPress }),
  );
}

function presentVictim(
  claim: Claim,
  press: readonly PressOfClaim[],
  { others, withPress }: { readonly others: readonly OtherClaim[]; readonly withPress: boolean },
): Victim {
  return {
    id: claim.id,
    victim: claim.victim,
    group: claim.group,
    family: generationOf(groupKeyOf(claim.group))?.family ?? null,
    domain: claim.domain,
    ...originOf(claim),
    discoveredAt: isoOf(claim.discoveredAtMs),
    attackDate: claim.attackedAtMs === null ? null : dayOf(claim.attackedAtMs),
    claimUrl: claim.claimUrl,
    description: claim.description,
    ...(withPress ? { press: press.slice(0, PRESS_MAX).map(presentPress) } : {}),
    status: statusOf(claim, press.length > 0),
    reference: claim.reference,
    trackers: [...claim.trackers],
    alsoClaimedBy: others.slice(0, OTHERS_MAX).map(({ otherId, group, discoveredAtMs }) => ({
      claimId: otherId,
      group,
      discoveredAt: isoOf(discoveredAtMs),
    })),
  };
}

/** Country and sector of a claim, and whether a tracker says them or a rule inferred them (decisions O65). */
export const originOf = ({ country, countryRule, sector, sectorRule }: Claim) => ({
  country,
  countryBasis: basisOf(country, countryRule),
  sector,
  sectorBasis: basisOf(sector, sectorRule),
});

const basisOf = (value: string | null, rule: string | null) =>
  value === null ? null : { inferred: rule !== null, rule };

/** An article makes a claim reported, never more; only an operator's reference confirms one (O26). */
function statusOf({ reference }: Claim, isInPress: boolean): Victim['status'] {
  if (reference !== null) return 'confirmed';
  return isInPress ? 'reported' : 'claimed';
}
