import { canonicalText } from './canonical-text.ts';
import { sha256Text } from './sha256-text.ts';

/** The fields of a piece of evidence that its hash covers. */
export type EvidenceItem = {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly description: string | null;
  readonly payload: unknown;
  readonly createdAt: string;
};

export const evidenceText = ({ id, kind, title, description, payload, createdAt }: EvidenceItem): string =>
  canonicalText({ id, kind, title, description, payload, createdAt });

/** The hash that precedes the first piece of a case. */
export const firstHash = (caseId: string): string => sha256Text(caseId);
export const nextHash = (previous: string, text: string): string => sha256Text(`${previous}${text}`);

/** A piece as it is stored: its payload is the text that was hashed. */
export type StoredEvidence = Omit<EvidenceItem, 'payload'> & {
  readonly position: number;
  readonly payload: string;
  readonly hash: string;
};
/** The length and last hash of a chain, as its case records them. */
export type ChainHead = { readonly length: number; readonly hash: string };
/** The head of a chain as a daily seal recorded it. */
export type SealedHead = ChainHead & { readonly day: string };

export type ChainVerdict = {
  readonly ok: boolean;
  /** Number of pieces that are stored. */
  readonly length: number;
  /** The first position, counted from 1, that is missing or has a wrong hash. */
  readonly brokenAt: number | null;
  readonly reason: string | null;
  /** The newest seal that agrees with the chain, with the number of pieces it covers. */
  readonly sealed: SealedHead | null;
};

/** Verifies a chain by its hashes, the head of its case and every seal. Pieces and seals must be in order. */
export function judgeChain(
  caseId: string,
  head: ChainHead,
  pieces: readonly StoredEvidence[],
  seals: readonly SealedHead[],
): ChainVerdict {
  const broken = (brokenAt: number, reason: string, sealed: SealedHead | null = null): ChainVerdict => ({
    ok: false,
    length: pieces.length,
    brokenAt,
    reason,
    sealed,
  });
  let previous = firstHash(caseId);
  for (const [at, piece] of pieces.entries()) {
    const reason = faultOf(piece, at + 1, previous);
    if (reason !== null) return broken(at + 1, reason);
    previous = piece.hash;
  }
  if (pieces.length !== head.length)
    return broken(
      Math.min(pieces.length, head.length) + 1,
      `The case counts ${head.length} pieces of evidence and ${pieces.length} are there.`,
    );
  if (previous !== head.hash)
    return broken(Math.max(pieces.length, 1), 'The last piece is not the one that the case names.');
  let sealed: SealedHead | null = null;
  for (const seal of seals) {
    const from = (sealed?.length ?? 0) + 1;
    if (seal.length > pieces.length)
      return broken(
        pieces.length + 1,
        `The seal of ${seal.day} covers ${seal.length} pieces and ${pieces.length} are there.`,
        sealed,
      );
    if (pieces[seal.length - 1]?.hash !== seal.hash)
      return broken(
        from,
        `The seal of ${seal.day} has another hash at position ${seal.length}: a piece from position ${from} on was replaced.`,
        sealed,
      );
    sealed = seal;
  }
  return { ok: true, length: pieces.length, brokenAt: null, reason: null, sealed };
}

function faultOf(piece: StoredEvidence, expected: number, previous: string): string | null {
  if (piece.position !== expected) return `The piece at position ${expected} is missing.`;
  const text = storedText(piece);
  if (text === null) return `The payload at position ${expected} is not in canonical form.`;
  return nextHash(previous, text) === piece.hash
    ? null
    : `The hash at position ${expected} does not fit the piece and the hash before it.`;
}

/** The hashed text of a stored piece; null where the stored payload is not the canonical text of its value. */
export function storedText(piece: StoredEvidence): string | null {
  try {
    const payload: unknown = JSON.parse(piece.payload);
    return canonicalText(payload) === piece.payload ? evidenceText({ ...piece, payload }) : null;
  } catch {
    return null;
  }
}
