import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Secrets } from '#platform/secrets.ts';
import type { KeyRecord } from './key-records.ts';

/** Nobody's secret has this HMAC: an unknown key costs the same comparison as a known one. */
const NOBODY = randomBytes(32);

/** True when the secret is the record's current one, or the one before it while its overlap lasts. */
export function verifySecret(
  pepper: Secrets,
  record: KeyRecord | undefined,
  secret: string,
  nowMs: number,
): boolean {
  const version = record?.pepper ?? pepper.newest;
  const given = pepper.hmacUnder(version, secret);
  // The pepper of this record was taken out of the configuration: nothing can be verified under it any more.
  if (given === undefined) return false;
  if (timingSafeEqual(given, record?.hmac ?? NOBODY)) return record !== undefined;
  const previous = record?.previous ?? null;
  if (previous === null || previous.untilMs <= nowMs) return false;
  const before = previous.pepper === version ? given : pepper.hmacUnder(previous.pepper, secret);
  return before !== undefined && timingSafeEqual(before, previous.hmac);
}
