/** The library's chain errors in plain words. Dates and names are checked here, with our own clock. */
const CHAIN_PROBLEMS: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its authority is not trusted',
  UNABLE_TO_GET_ISSUER_CERT: 'its issuer is unknown',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its issuer is unknown',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its issuer is unknown',
  CERT_CHAIN_TOO_LONG: 'the chain is too long',
  CERT_REVOKED: 'revoked',
  CERT_REJECTED: 'rejected by its authority',
  CERT_UNTRUSTED: 'its authority is not trusted',
  CERT_SIGNATURE_FAILURE: 'its signature is wrong',
  INVALID_CA: 'signed by a certificate that is not an authority',
  INVALID_PURPOSE: 'not meant for a server',
  PATH_LENGTH_EXCEEDED: 'the chain is too long',
};
/**
 * Covered by the checks of dates and names below. A certificate higher in the chain may also have expired;
 * the leaf's own dates are then valid.
 */
const DATE_OR_NAME = /^(?:CERT_HAS_EXPIRED|CERT_NOT_YET_VALID|ERR_TLS_CERT_ALTNAME_\w+|HOSTNAME_MISMATCH)$/;

export type CertificateState = {
  readonly nowMs: number;
  readonly validFromMs: number;
  readonly validToMs: number;
  readonly isForHost: boolean;
  readonly isSelfIssued: boolean;
  readonly code: string | null;
};

/** All problems, not only the first that the library found; null when there is none. */
export function certificateProblem(state: CertificateState): string | null {
  const { nowMs, validFromMs, validToMs, isForHost, isSelfIssued, code } = state;
  const problems = [
    ...(nowMs > validToMs ? ['expired'] : []),
    ...(nowMs < validFromMs ? ['not valid yet'] : []),
    ...(isForHost ? [] : ['for another name']),
    ...chainProblems(code, isSelfIssued),
  ];
  if (problems.length > 0) return problems.join('; ');
  return code === null ? null : 'a certificate above it is not valid';
}

function chainProblems(code: string | null, isSelfIssued: boolean): string[] {
  if (code === null) return [];
  if (isSelfIssued) return ['self-signed'];
  return DATE_OR_NAME.test(code) ? [] : [CHAIN_PROBLEMS[code] ?? 'its chain does not verify'];
}
