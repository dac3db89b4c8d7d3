export { domainOf, readEmailDomain } from './email-domain.ts';
export { type Claims, type JudgedIdentity, judgeClaims } from './judge-claims.ts';
export { PROOF_HOST, proofRecord, showsProof } from './proof-record.ts';
