import { randomBytes } from 'node:crypto';
import type { Secrets } from '#platform/secrets.ts';
import type { KeyRecord } from './key-records.ts';

/** A dummy HMAC that no secret matches: checking an unknown key takes as long as checking a known one. */
const NOBODY = randomBytes(32);

export function verifySecret(
  pepper: Secrets,
  record: KeyRecord | undefined,
  secret: string,
  nowMs: number,
): boolean {
  const version = record?.pepper ?? pepper.newest;
  const isCurrent = pepper.matchesUnder(version, secret, record?.hmac ?? NOBODY);
  // The pepper of this record was removed from the configuration, so nothing can be verified.
  if (isCurrent === undefined) return false;
  if (isCurrent) return record !== undefined;
  const previous = record?.previous ?? null;
  if (previous === null || previous.untilMs <= nowMs) return false;
  return pepper.matchesUnder(previous.pepper, secret, previous.hmac) === true;
}
