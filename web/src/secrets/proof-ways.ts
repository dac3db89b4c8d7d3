/** The proofs of identity that `POST /auth/confirm` accepts. */
export type ProofWay = 'password' | 'code' | 'passkey';

const OF_FACTOR: Readonly<Record<string, ProofWay>> = { totp: 'code', passkey: 'passkey' };

/** The organization at whose identity provider the person must sign in again; null when another proof is enough. */
export const providerToAsk = (body: { readonly [name: string]: unknown }): string | null =>
  body.confirmationRequired === true && typeof body.organizationId === 'string' ? body.organizationId : null;

/**
 * The proofs that a refusal of the service asks for, in the order to offer them; empty when it asks for none. Recovery
 * codes are never among them, because they serve for a sign-in only.
 */
export function proofWays(
  body: { readonly [name: string]: unknown },
  hasPasskeys: boolean,
): readonly ProofWay[] {
  if (body.confirmationRequired !== true || providerToAsk(body) !== null) return [];
  const needed = body.factorNeeded;
  const ways: readonly ProofWay[] = Array.isArray(needed)
    ? needed.flatMap((name) => OF_FACTOR[String(name)] ?? [])
    : ['password', 'code', 'passkey'];
  return ways.filter((way) => way !== 'passkey' || hasPasskeys);
}
