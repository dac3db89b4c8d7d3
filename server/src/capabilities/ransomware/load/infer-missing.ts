import { inferCountry, inferSector, RULES_MARK } from '#domain/ransomware/index.ts';
import type { Db } from '#platform/postgres.ts';
import type { ClaimRow } from './claim-write-store.ts';
import {
  type InferredOrigin,
  listInferable,
  listPressCountries,
  type PressVictim,
  updateOrigins,
} from './infer-store.ts';

/** A claim as trackers say it, before anything is inferred. */
export type ToldClaim = Omit<ClaimRow, 'sectorRule' | 'countryRule' | 'rulesMark'>;

type Told = PressVictim & { readonly victim: string; readonly sector: string | null };

/** Fills in sector and country where no tracker says them: from name and domain, the country also from articles. */
export async function inferMissing<T extends Told & { readonly country: string | null }>(
  tx: Db,
  claims: readonly T[],
): Promise<readonly (T & InferredOrigin)[]> {
  const read = claims.map((claim) => ({ ...claim, ...originOf(claim) }));
  const silent = read.filter(({ country }) => country === null);
  const byPress = new Map(
    (silent.length === 0 ? [] : await listPressCountries(tx, silent)).map(({ id, country }) => [id, country]),
  );
  return read.map((claim) => {
    const country = claim.country ?? byPress.get(claim.id) ?? null;
    return country === claim.country ? claim : { ...claim, country, countryRule: 'press' };
  });
}

function originOf(claim: Told & { readonly country: string | null }): InferredOrigin {
  const named = { name: claim.victim, domain: claim.domain };
  const sector = claim.sector === null ? inferSector(named) : null;
  const country = claim.country === null ? inferCountry(named) : null;
  return {
    sector: claim.sector ?? sector?.value ?? null,
    sectorRule: sector?.rule ?? null,
    country: claim.country ?? country?.value ?? null,
    countryRule: country?.rule ?? null,
    rulesMark: RULES_MARK,
  };
}

const BATCH_CLAIMS = 1_000;

/** Infers the claims after `afterId` again, one batch of them. Null: that was the last one. */
export async function inferBatch(tx: Db, afterId: string): Promise<string | null> {
  const claims = await listInferable(tx, { afterId, limit: BATCH_CLAIMS });
  if (claims.length > 0) await updateOrigins(tx, await inferMissing(tx, claims));
  return claims.length < BATCH_CLAIMS ? null : (claims.at(-1)?.id ?? null);
}

/** Infers all claims again in one transaction: articles were replaced. */
export async function inferAgain(tx: Db): Promise<void> {
  for (let after: string | null = ''; after !== null; ) after = await inferBatch(tx, after);
}
