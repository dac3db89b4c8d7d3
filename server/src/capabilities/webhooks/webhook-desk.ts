import { type Actor, recordAudit } from '#capabilities/access/index.ts';
import type { Clock } from '#platform/clock.ts';
import { notFound, ServiceError } from '#platform/errors.ts';
import type { Postgres } from '#platform/postgres.ts';
import { lockRoom } from './allowance.ts';
import { accountOfEndpoint, countFailing, type DeskPage, lockForDesk, selectDesk } from './desk-store.ts';
import { isWebhookId } from './keep-endpoints.ts';
import { enableEndpoint } from './store.ts';

/** What operators see of the webhooks of all accounts, and what they may do. Needs the system role. */
export const openWebhookDesk = (system: Postgres, clock: Clock) => ({
  list: (wanted: DeskPage) => selectDesk(system.db, wanted),
  countFailing: () => countFailing(system.db),
  enable: (actor: Actor, id: string): Promise<void> =>
    system.transaction(async (tx) => {
      const nowMs = clock.now();
      const accountId = isWebhookId(id) ? await accountOfEndpoint(tx, id) : undefined;
      const room = accountId === undefined ? undefined : await lockRoom(tx, accountId);
      const row = room === undefined ? undefined : await lockForDesk(tx, id);
      if (room === undefined || row === undefined) throw notFound('Webhook', id);
      if (!row.enabled && room.enabled >= room.allowed)
        throw new ServiceError(
          'Conflict',
          `${row.accountId} has ${room.enabled} enabled webhooks; its plan has ${room.allowed}. Change its plan first.`,
        );
      await enableEndpoint(tx, id, nowMs);
      await recordAudit(tx, {
        accountId: row.accountId,
        actor,
        action: 'webhook.change',
        target: id,
        before: { enabled: row.enabled },
        after: { enabled: true },
        nowMs,
      });
    }),
});
