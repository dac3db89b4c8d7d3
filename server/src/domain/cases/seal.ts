import { canonicalText } from './canonical-text.ts';
import type { ChainHead } from './evidence-chain.ts';
import { merkleRoot } from './merkle.ts';
import { sha256Text } from './sha256-text.ts';

/** The seal of an account and a day: what its audit trail and the heads of its cases were. */
export type Seal = {
  readonly accountId: string;
  readonly day: string;
  /** Hash of the seal before; for the first seal SHA-256 of the account id. */
  readonly previous: string;
  readonly auditEntries: number;
  readonly auditHash: string;
  readonly heads: number;
  readonly headsRoot: string;
};
export type CaseHead = ChainHead & { readonly caseId: string };

export const firstSealHash = (accountId: string): string => sha256Text(accountId);
export const headText = ({ caseId, length, hash }: CaseHead): string =>
  canonicalText({ caseId, length, hash });
/** Expects the heads in the order of their cases. */
export const headsRootOf = (heads: readonly CaseHead[]): string => merkleRoot(heads.map(headText));

export const sealText = (seal: Seal): string =>
  canonicalText({
    accountId: seal.accountId,
    day: seal.day,
    previous: seal.previous,
    auditEntries: seal.auditEntries,
    auditHash: seal.auditHash,
    heads: seal.heads,
    headsRoot: seal.headsRoot,
  });
export const sealHash = (seal: Seal): string => sha256Text(sealText(seal));
