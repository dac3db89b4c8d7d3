/** What the library says about a chain, in a caller's words. Dates and names are judged here, with our own clock. */
const CHAIN_PROBLEMS: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the authority it hangs on is not trusted',
  UNABLE_TO_GET_ISSUER_CERT: 'its issuer is unknown',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its issuer is unknown',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its issuer is unknown',
  CERT_CHAIN_TOO_LONG: 'the chain is too long',
  CERT_REVOKED: 'revoked',
  CERT_REJECTED: 'rejected by its authority',
  CERT_UNTRUSTED: 'the authority it hangs on is not trusted',
  CERT_SIGNATURE_FAILURE: 'its signature is wrong',
  INVALID_CA: 'signed by something that is no authority',
  INVALID_PURPOSE: 'not meant for a server',
  PATH_LENGTH_EXCEEDED: 'the chain is too long',
};
/** Said by dates and names below. A chain may expire higher up as well: then the leaf's own dates are silent. */
const DATE_OR_NAME = /^(?:CERT_HAS_EXPIRED|CERT_NOT_YET_VALID|ERR_TLS_CERT_ALTNAME_\w+|HOSTNAME_MISMATCH)$/;

export type CertificateState = {
  readonly nowMs: number;
  readonly validFromMs: number;
  readonly validToMs: number;
  readonly isForHost: boolean;
  readonly isSelfIssued: boolean;
  /** The library's verdict on the chain: a code, or null. */
  readonly code: string | null;
};

/** Everything that is wrong, not only what a library met first; null when nothing is. */
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
