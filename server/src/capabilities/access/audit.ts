import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Principal } from '#platform/http/principal.ts';
import { newId } from '#platform/ids.ts';
import type { Db } from '#platform/postgres.ts';
import { canonicalJson } from './canonical-json.ts';
import { clientAddress } from './client-address.ts';
import { insertAudit } from './store.ts';

export type Actor = {
  /** `anonymous`: a caller without a credential; its id is the client address. */
  readonly kind: 'key' | 'session' | 'operator' | 'system' | 'anonymous';
  readonly id: string;
  readonly ip: string;
  readonly requestId: string;
};

export type AuditEntry = {
  readonly accountId: string;
  readonly actor: Actor;
  /** Noun, then verb: `key.create`. */
  readonly action: string;
  readonly target: string;
  /**
   * The state before and after the change, stored as hashes, which prove a state and reveal nothing. Null where there
   * is no such state.
   */
  readonly before: unknown;
  readonly after: unknown;
  /** A few words that may be read by the account: never a secret, an address of a mailbox or a token. */
  readonly detail?: Readonly<Record<string, string>>;
  readonly nowMs: number;
};

/** Written in the same transaction as the change, so that neither exists without the other. */
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
      detail: entry.detail ?? {},
      ip: actor.ip,
      requestId: actor.requestId,
    },
    nowMs,
  );
}

export const actorOf = (principal: Principal, request: FastifyRequest): Actor => ({
  kind: principal.kind,
  id: principal.id,
  ip: clientAddress(request),
  requestId: request.id,
});

const hashOf = (value: unknown): Buffer | null =>
  value === null || value === undefined ? null : hash('sha256', canonicalJson(value), 'buffer');
