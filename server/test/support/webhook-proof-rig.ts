import type { ChildProcess } from 'node:child_process';
import { asSystem, type Postgres } from '#platform/postgres.ts';
import { createTestDatabase } from './database.ts';
import { startSending } from './webhook-load.ts';
import { type Receiver, startReceiver } from './webhook-receiver.ts';

export type WebhookProofRig = {
  readonly system: Postgres;
  readonly receiver: Receiver;
  /** Starts a process that sends webhooks and may reach the receiver; `close` kills it. */
  readonly send: (retryMs?: readonly number[]) => Promise<ChildProcess>;
  readonly close: () => Promise<void>;
};

/** A database, a TLS receiver in this process and senders in processes of their own. */
export async function openWebhookProof(name: string): Promise<WebhookProofRig> {
  const database = await createTestDatabase();
  const system = asSystem({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 4 });
  const receiver = await startReceiver();
  const senders: ChildProcess[] = [];
  const env = {
    ASSAY_ENV: 'test',
    LOG_LEVEL: 'silent',
    DATABASE_URL: database.url,
    REDIS_PREFIX: `${name}-${process.pid}`,
    WEBHOOK_ALLOW: `127.0.0.0/8:${receiver.port}`,
    WEBHOOK_CA_FILE: receiver.caFile,
  };
  return {
    system,
    receiver,
    send: async (retryMs) => {
      const sender = await startSending(env, retryMs);
      senders.push(sender);
      return sender;
    },
    close: async () => {
      for (const sender of senders) sender.kill('SIGKILL');
      await receiver.close();
      await system.close();
      await database.drop();
    },
  };
}
