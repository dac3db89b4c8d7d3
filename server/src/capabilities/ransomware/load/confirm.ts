import type { Clock } from '#platform/clock.ts';
import { badRequest, notFound } from '#platform/errors.ts';
import type { Postgres } from '#platform/postgres.ts';
import { confirmClaim, withdrawConfirmation } from './claim-write-store.ts';

const REFERENCE_MAX = 500;

export type ConfirmedClaim = { readonly id: string; readonly reference: string | null };

/**
 * An operator vouches for a claim with a public page, such as the victim's own statement. Without a reference the
 * confirmation is withdrawn. Nothing else makes a claim confirmed (O26).
 */
export async function confirm(
  { clock, system }: { readonly clock: Clock; readonly system: Postgres },
  id: string,
  reference: string | null,
): Promise<ConfirmedClaim> {
  const url = reference === null ? null : referenceUrl(reference);
  const isDone = await system.transaction((tx) =>
    url === null ? withdrawConfirmation(tx, id) : confirmClaim(tx, { id, atMs: clock.now(), reference: url }),
  );
  if (!isDone) throw notFound('Claim', id);
  return { id, reference: url };
}

function referenceUrl(text: string): string {
  const url = URL.canParse(text) && text.length <= REFERENCE_MAX ? new URL(text) : null;
  const isPublic = url?.protocol === 'https:' && !url.hostname.endsWith('.onion') && url.username === '';
  if (url === null || !isPublic)
    throw badRequest('The reference has to be a public https address, never a leak site.');
  return url.href;
}
