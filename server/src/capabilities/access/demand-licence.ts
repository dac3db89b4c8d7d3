import type { FastifyRequest } from 'fastify';
import { forbidden } from '#platform/errors.ts';
import type { Caller } from './caller.ts';
import { isLicence, licenceHash } from './key-format.ts';
import type { AccessView, KeyRecords } from './key-records.ts';
import { refuseStale, UNKNOWN_STALE_MAX_MS } from './refuse-stale.ts';

/** For routes whose policy requires a licence: X-License-Key must hold an active one of the calling account. */
export function demandLicence(
  deps: { readonly records: KeyRecords },
  view: AccessView,
  request: FastifyRequest,
  caller: Caller,
  nowMs: number,
): void {
  const licence = request.headers['x-license-key'];
  if (typeof licence !== 'string' || licence === '')
    throw forbidden('This route also needs an active licence: send it in the X-License-Key header.');
  if (isLicence(licence)) {
    const record = deps.records.findLicence(view, licenceHash(licence));
    if (record === undefined && nowMs - view.contactAtMs > UNKNOWN_STALE_MAX_MS)
      throw refuseStale('This licence cannot be verified right now. Try again shortly.');
    if (record?.account === caller.accountId) {
      if (record.expiresAtMs === null || record.expiresAtMs > nowMs) return;
      throw forbidden('The licence in X-License-Key has expired. Renew it to use this route.');
    }
  }
  throw forbidden('The licence in X-License-Key is not an active licence of this account.');
}
