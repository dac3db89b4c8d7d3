import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Principal } from '#platform/http/principal.ts';
import { newId } from '#platform/ids.ts';
import type { Db } from '#platform/postgres.ts';
import { clientAddress } from './client-address.ts';
import { insertAudit } from './store.ts';

/** Who does something, and through which request. */
export type Actor = {
  readonly kind: 'key' | 'session' | 'operator' | 'system';
  readonly id: string;
  readonly ip: string;
  readonly requestId: string;
};

export type AuditEntry = {
  readonly accountId: string;
  readonly actor: Actor;
  /** `key.create`: the noun, then the verb. */
  readonly action: string;
  /** Id of what was changed. */
  readonly target: string;
  /** Kept as hashes: they prove what was, and leak nothing. Null where there was or is nothing. */
  readonly before: unknown;
  readonly after: unknown;
  readonly nowMs: number;
};

/** In the same transaction as what it tells of, so that neither exists without the other. */
export async function recordAudit(tx: Db, entry: AuditEntry): Promise<void> {
  const { accountId, actor, action, target, nowMs } = entry;
  await insertAudit(
    tx,
    {
      id: newId('aud', nowMs),
      accountId,
      actorKind: actor.kind,
      actorId: actor.id,
      action,
      target,
      beforeHash: hashOf(entry.before),
      afterHash: hashOf(entry.after),
      ip: actor.ip,
      requestId: actor.requestId,
    },
    nowMs,
  );
}

export const actorOf = (principal: Principal, request: FastifyRequest): Actor => ({
  kind: principal.kind === 'anonymous' ? 'system' : principal.kind,
  id: principal.id,
  ip: clientAddress(request),
  requestId: request.id,
});

const hashOf = (value: unknown): Buffer | null =>
  value === null || value === undefined ? null : hash('sha256', canonicalJson(value), 'buffer');

/** JSON with sorted keys: the same thing always has the same text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part) && !(part instanceof Date)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
