import { canonicalText, evidenceText, isDeeperThan, nextHash } from '#domain/cases/index.ts';
import { badRequest, forbidden, ServiceError } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import type { Db } from '#platform/postgres.ts';
import { evidenceBytesOf, takeEvidence } from './account-store.ts';
import { EVIDENCE_MAX, PAYLOAD_BYTES_MAX, PAYLOAD_DEPTH_MAX } from './contract.ts';
import { type CaseRow, insertEvidence } from './store.ts';

const CASE_BYTES_MAX = 4 * 1024 * 1024;

/** Limits that hold after adding a piece: pieces and bytes of the case, bytes of all cases of the account. */
export type Room = { readonly pieces: number; readonly bytes: number; readonly accountBytes: number | null };

export const roomOfPlan = (accountBytes: number): Room => ({
  pieces: EVIDENCE_MAX,
  bytes: CASE_BYTES_MAX,
  accountBytes,
});
/** Wider limits for changes of status, so that a case can be resolved and closed when its evidence is at the limit. */
export const ROOM_FOR_STATUS: Room = {
  pieces: EVIDENCE_MAX + 100,
  bytes: Number.POSITIVE_INFINITY,
  accountBytes: null,
};

type Piece = {
  readonly kind: string;
  readonly title: string;
  readonly description: string | null;
  readonly payload: object;
};

/** Part of a transaction that holds the lock of the case: writes the piece and returns the case with its new head. */
export async function append(
  tx: Db,
  row: CaseRow,
  piece: Piece,
  nowMs: number,
  room: Room,
): Promise<CaseRow> {
  if (row.evidenceCount >= room.pieces)
    throw new ServiceError(
      'Conflict',
      `This case has ${row.evidenceCount} pieces of evidence, which is the maximum. Open another case for more.`,
    );
  const payload = payloadText(piece.payload);
  const item = { ...piece, id: newId('cev', nowMs), createdAt: new Date(nowMs).toISOString() };
  const text = evidenceText(item);
  const bytes = Buffer.byteLength(text);
  const evidenceBytes = row.evidenceBytes + bytes;
  if (evidenceBytes > room.bytes)
    throw new ServiceError(
      'Conflict',
      'The evidence of this case would pass 4 MiB, which is the maximum. Open another case for more.',
    );
  if (!(await takeEvidence(tx, row.accountId, bytes, room.accountBytes)))
    throw await refusedByPlan(tx, row.accountId, bytes, room.accountBytes ?? 0);
  const hash = nextHash(row.head, text);
  const position = row.evidenceCount + 1;
  await insertEvidence(
    tx,
    { ...item, payload, hash, position, caseId: row.id, accountId: row.accountId },
    nowMs,
  );
  return { ...row, evidenceCount: position, evidenceBytes, head: hash };
}

async function refusedByPlan(
  tx: Db,
  accountId: string,
  bytes: number,
  bytesMax: number,
): Promise<ServiceError> {
  const left = Math.max(0, bytesMax - (await evidenceBytesOf(tx, accountId)));
  return forbidden(
    `This piece has ${bytes} bytes; the plan of this account has room for ${left} of its ${bytesMax} bytes of evidence. Evidence is never deleted: send a digest, or take a larger plan.`,
  );
}

function payloadText(payload: object): string {
  if (isDeeperThan(payload, PAYLOAD_DEPTH_MAX))
    throw refused(`It is nested deeper than ${PAYLOAD_DEPTH_MAX} levels.`);
  try {
    const text = canonicalText(payload);
    if (Buffer.byteLength(text) <= PAYLOAD_BYTES_MAX) return text;
  } catch (error) {
    if (error instanceof RangeError) throw refused(error.message);
    throw error;
  }
  throw refused('It is larger than 64 KiB. Save a check as a report and link that, or send a digest.');
}

const refused = (message: string): ServiceError =>
  badRequest('This payload cannot be kept as evidence.', [{ path: 'payload', message }]);
