import { callerOf } from '#capabilities/access/index.ts';
import { bytesInWords } from '#domain/text/bytes.ts';
import { forbidden } from '#platform/errors.ts';
import type { Gates } from '#platform/http/gates.ts';
import type { Postgres } from '#platform/postgres.ts';
import { selectRoom } from './store.ts';

export type StorageDeps = { readonly postgres: Pick<Postgres, 'withAccount'> };

/**
 * Refuses a request that would store something where the account has no room for its body. What one request adds beyond
 * its body is bounded by the route, so an account may exceed its bytes by what its requests in flight add.
 */
export const createStorageGate =
  ({ postgres }: StorageDeps): NonNullable<Gates['admitStored']> =>
  async (request, principal) => {
    const caller = callerOf(principal);
    if (caller === null) return;
    const { accountId, limits } = caller;
    const { bytes, isUnclaimed } = await postgres.withAccount(accountId, (tx) => selectRoom(tx, accountId));
    if (isUnclaimed)
      throw forbidden(
        'Nobody has claimed this account yet, so it stores nothing. Open the link in the email that came with the key, or ask for it again with POST /auth/resend-verification.',
      );
    const added = request.exchange?.bodyBytes ?? 0;
    if (bytes + added > limits.storageBytes)
      throw forbidden(
        `This account stores ${bytesInWords(bytes)} of ${bytesInWords(limits.storageBytes)}, and this request has ${bytesInWords(added)}. Delete what you no longer need, or take a larger plan. GET /metrics/subscription shows what takes the space.`,
      );
  };
