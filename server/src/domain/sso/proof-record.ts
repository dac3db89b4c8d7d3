/** The label below the domain at which its owner publishes the proof. */
export const PROOF_HOST = '_assay-sso';
const PREFIX = 'assay-sso=';

export const proofRecord = (
  domain: string,
  token: string,
): { readonly name: string; readonly value: string } => ({
  name: `${PROOF_HOST}.${domain}`,
  value: `${PREFIX}${token}`,
});

/** True when one record is exactly the proof; other records may stand beside it. */
export const showsProof = (records: readonly string[], token: string): boolean =>
  records.some((text) => text.trim() === `${PREFIX}${token}`);
