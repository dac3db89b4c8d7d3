import type { FastifyInstance } from 'fastify';
import { expect } from 'vitest';
import { z } from 'zod';
import { createIdempotency } from '#capabilities/access/idempotent.ts';
import { type PlanChange, setPlan } from '#capabilities/access/index.ts';
import { openLetters } from '#capabilities/letters/index.ts';
import { webhooksRoutes } from '#capabilities/webhooks/index.ts';
import { endFailing, forget, webhooksWorkerPart } from '#capabilities/webhooks/jobs.ts';
import type { Subject } from '#capabilities/webhooks/route-events.ts';
import { type Sender, startSender } from '#capabilities/webhooks/sender.ts';
import { loadConfig } from '#platform/config.ts';
import { type DurableReader, emitAll, eventType, readDurably } from '#platform/events.ts';
import type { Principal } from '#platform/http/principal.ts';
import { createLog } from '#platform/log.ts';
import { createUrlCheck } from '#platform/outbound/check-url.ts';
import { createOutbound } from '#platform/outbound.ts';
import { asSystem, connectPostgres, type Db, type Postgres, sql } from '#platform/postgres.ts';
import { createSecrets } from '#platform/secrets.ts';
import { localGuard } from './access.ts';
import { createTestDatabase, PATIENT } from './database.ts';
import { eventually } from './eventually.ts';
import { CALLER, recordedGates, testApp } from './http-app.ts';
import { type Receiver, startReceiver } from './webhook-receiver.ts';

const AlertCreated = eventType({ name: 'alert.created', schema: z.looseObject({ n: z.int() }) });
export const WEBHOOKS_NOW = Date.UTC(2026, 10, 1, 12);
const log = createLog('silent');

export type Made = { readonly id: string; readonly secret: string };
export type WebhooksRig = {
  readonly app: FastifyInstance;
  readonly receiver: Receiver;
  readonly system: Postgres;
  readonly postgres: Postgres;
  readonly clock: {
    now: () => number;
    monotonic: () => number;
    set: (ms: number) => void;
    move: (ms: number) => void;
  };
  readonly as: (caller: Principal) => void;
  /** Sets the plan of an account as operators do; webhooks follow it only after `readPlans`. */
  readonly setPlan: (change: PlanChange, accountId?: string) => Promise<void>;
  readonly readPlans: () => Promise<void>;
  readonly limitVerifications: (perHour: number) => void;
  readonly watched: { of: (subject: Subject) => readonly string[] };
  readonly call: (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
  ) => Promise<{ status: number; body: unknown }>;
  /** A webhook whose host is verified, unless `isNew` is true. */
  readonly create: (host?: number, body?: object, isNew?: boolean) => Promise<Made>;
  /** Emits the alerts `from` to `to` of an account, the caller's by default, and turns them into deliveries. */
  readonly emit: (from: number, to: number, accountId?: string) => Promise<void>;
  readonly read: () => Promise<void>;
  readonly send: (options?: { readonly placesMax?: number }) => Sender;
  readonly settled: () => Promise<void>;
  readonly endFailing: () => Promise<void>;
  readonly forget: () => Promise<void>;
  readonly runReplays: () => Promise<number>;
  readonly stopSending: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** The webhooks capability on a real database, with a real TLS receiver and a clock that tests move. */
export async function createWebhooksRig(): Promise<WebhooksRig> {
  const database = await createTestDatabase();
  const receiver = await startReceiver();
  const config = loadConfig({
    ASSAY_ENV: 'test',
    DATABASE_URL: database.url,
    SMTP_URL: 'smtp://127.0.0.1:2525',
    MAIL_FROM: 'assay@example.com',
  });
  const system = asSystem(config);
  const postgres = connectPostgres(config, 'assay_app', PATIENT);
  let nowMs = WEBHOOKS_NOW;
  const clock = {
    now: () => nowMs,
    monotonic: () => performance.now(),
    set: (ms: number) => {
      nowMs = ms;
    },
    move: (ms: number) => {
      nowMs += ms;
    },
  };
  let caller: Principal = CALLER;
  const limits = { verifications: 1_000 };
  const watched: WebhooksRig['watched'] = { of: () => [] };
  const secrets = createSecrets(config.SECRET_KEY);
  const reach = { clock, allow: [`127.0.0.0/8:${receiver.port}`] };
  const outbound = createOutbound({ ...reach, log, authorities: [receiver.ca] });
  const idempotency = createIdempotency({ postgres, clock, secrets });
  const app = testApp(
    webhooksRoutes({
      clock,
      postgres: idempotency.postgres,
      secrets,
      checkUrl: createUrlCheck(reach),
      guard: localGuard(config, clock),
      get verificationsPerHour() {
        return limits.verifications;
      },
    }),
    { gates: recordedGates({ identify: () => caller, idempotent: idempotency.idempotent }).gates },
  );
  const worker = {
    clock,
    secrets,
    outbound,
    letters: openLetters({ config, clock }),
    watchersOf: async (_tx: Db, subjects: readonly Subject[]) => subjects.map((each) => watched.of(each)),
  };
  const part = webhooksWorkerPart(worker);
  const [reader, plans] = part.readers.map((spec) =>
    readDurably({ postgres: system, log, pollMs: 60_000 }, { ...spec, from: 'start' }),
  ) as [DurableReader, DurableReader];
  const senders: Sender[] = [];
  const running = { transaction: system.transaction, signal: new AbortController().signal, log };
  const stopSending = async () => {
    for (const sender of senders.splice(0)) await sender.stop();
  };
  const call: WebhooksRig['call'] = async (method, path, body) => {
    const answer = await app.inject({ method, url: path, ...(body !== undefined && { payload: body }) });
    return { status: answer.statusCode, body: answer.body === '' ? null : JSON.parse(answer.body) };
  };
  return {
    app,
    receiver,
    system,
    postgres,
    clock,
    watched,
    call,
    as: (next) => {
      caller = next;
    },
    setPlan: async (change, accountId = CALLER.accountId) => {
      await setPlan(
        { postgres: system, clock },
        { kind: 'operator', id: 'test', ip: '', requestId: '' },
        accountId,
        change,
      );
    },
    readPlans: () => plans.flush(),
    limitVerifications: (perHour) => {
      limits.verifications = perHour;
    },
    create: async (host = 1, body = {}, isNew = false) => {
      await sql`
        insert into subscription (account_id, plan, status, updated_at) values (${caller.accountId}, 'PRO', 'active', now())
        on conflict do nothing`.execute(system.db);
      const answer = await call('POST', '/user/webhooks', {
        url: receiver.urlOf(host),
        events: ['*'],
        ...body,
      });
      expect(answer.status, JSON.stringify(answer.body)).toBe(201);
      const { webhook, secret } = answer.body as { webhook: { id: string }; secret: string };
      if (!isNew) {
        await sql`
          update webhook_endpoint set verified_at = created_at, challenge = null, challenge_until = null
           where id = ${webhook.id}`.execute(system.db);
        await sql`delete from webhook_delivery where event = 'webhook.verification'`.execute(system.db);
      }
      return { id: webhook.id, secret };
    },
    emit: async (from, to, accountId = CALLER.accountId) => {
      const ns = Array.from({ length: to - from + 1 }, (_, at) => from + at);
      await system.transaction((tx) =>
        emitAll(
          tx,
          ns.map((n) => ({ type: AlertCreated, accountId, payload: { n }, occurredAt: new Date(nowMs) })),
        ),
      );
      await reader.flush();
    },
    read: () => reader.flush(),
    send: (options = {}) => {
      const sender = startSender({ ...worker, ...options, postgres: system, log, random: () => 0 });
      senders.push(sender);
      return sender;
    },
    settled: async () => {
      await eventually('everything that is due is sent', 30_000, async () => {
        const { rows } = await sql`
          select 1 from webhook_endpoint where lane_at <= to_timestamp(${nowMs / 1000}) or claimed_by is not null
          union all select 1 from webhook_delivery where next_at <= to_timestamp(${nowMs / 1000 + 20.001})
          limit 1`.execute(system.db);
        return rows.length === 0;
      });
    },
    endFailing: () => endFailing(worker, running),
    forget: () => forget(worker, running),
    runReplays: async () => {
      const { rows } = await sql<{ payload: unknown }>`
        delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
         where t.id = j.task_id and t.identifier = 'webhooks.replay' returning j.payload`.execute(system.db);
      const job = part.jobs.find(({ name }) => name === 'webhooks.replay');
      for (const { payload } of rows) await job?.run({ ...running } as never, payload as never);
      return rows.length;
    },
    stopSending,
    close: async () => {
      await stopSending();
      await Promise.all([reader.stop(), plans.stop()]);
      await outbound.close();
      await Promise.all([system.close(), postgres.close()]);
      await receiver.close();
      await database.drop();
    },
  };
}
