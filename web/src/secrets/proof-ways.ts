/** What `POST /auth/confirm` takes. */
export type ProofWay = 'password' | 'code' | 'passkey';

const OF_FACTOR: Readonly<Record<string, ProofWay>> = { totp: 'code', passkey: 'passkey' };

/** The organization whose identity provider has to ask the person again; null where another proof does. */
export const providerToAsk = (body: { readonly [name: string]: unknown }): string | null =>
  body.confirmationRequired === true && typeof body.organizationId === 'string' ? body.organizationId : null;

/**
 * The proofs that a refusal asks for, the first of them offered first; none where it asks for no proof. A recovery code proves
 * a sign-in only.
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
