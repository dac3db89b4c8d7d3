import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { AnswerMemory } from '#capabilities/providers/frame/answer-memory.ts';
import { createLookup, type FramedLookup } from '#capabilities/providers/frame/create-lookup.ts';
import { createKeptAnswers, type KeptAnswers } from '#capabilities/providers/frame/kept-answers.ts';
import { createRedisRoom } from '#capabilities/providers/frame/redis-room.ts';
import type { Observation } from '#capabilities/providers/observation.ts';
import { type Provider, ProviderFailure } from '#capabilities/providers/provider.ts';
import { type Clock, systemClock } from '#platform/clock.ts';
import { createLog, type Log } from '#platform/log.ts';
import { createOutbound, type Outbound } from '#platform/outbound.ts';
import { connectPostgres, type Postgres } from '#platform/postgres.ts';
import type { Redis } from '#platform/redis.ts';
import { createTestDatabase, PATIENT } from './database.ts';
import { type ModalPeer, startModalPeer } from './peers/peer-mode.ts';
import { connectTestRedis, removeKeys, testPrefix } from './redis.ts';

export const Fact = z.object({ name: z.string().max(100), size: z.int().min(0) });
export type Fact = z.infer<typeof Fact>;

export type LiveRig = {
  readonly peer: ModalPeer;
  readonly outbound: Outbound;
  readonly redis: Redis;
  readonly prefix: string;
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly pass: (ms: number) => void;
  readonly lines: readonly Record<string, unknown>[];
  readonly log: Log;
  readonly observed: readonly Observation[];
  readonly provider: (changes?: Partial<Provider<string, Fact>>) => Provider<string, Fact>;
  /** A separate process: its memory is empty, Redis and PostgreSQL are shared. */
  readonly process: (changes?: Partial<Provider<string, Fact>>, parts?: ProcessParts) => LiveProcess;
  readonly close: () => Promise<void>;
};
export type ProcessParts = { readonly redis?: Redis; readonly postgres?: Postgres };
export type LiveProcess = FramedLookup<string, Fact> & { readonly kept: KeptAnswers };

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

const say = (response: ServerResponse, status: number, body: unknown) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

/**
 * `/absent…` is unknown, `/target…` is a failure of the target; every other path is answered with its name.
 */
const answer: Handle = (request, response) => {
  const name = (request.url ?? '').slice(1);
  if (name.startsWith('absent')) return say(response, 404, {});
  if (name.startsWith('target')) return say(response, 422, {});
  return say(response, 200, { name, size: name.length });
};

/** A cached provider that asks an HTTP peer, on real engines, with a clock that only the test moves. */
export async function openLiveRig(handle: Handle = answer): Promise<LiveRig> {
  const database = await createTestDatabase();
  const [peer, redis, prefix] = [await startModalPeer(handle), await connectTestRedis(), testPrefix()];
  const postgres = connectPostgres(
    { DATABASE_URL: database.url, POSTGRES_POOL_MAX: 3 },
    'assay_app',
    PATIENT,
  );
  const system = systemClock();
  let shiftMs = 0;
  const [startMs, startMonotonicMs] = [system.now(), system.monotonic()];
  const clock: Clock = {
    now: () => startMs + shiftMs,
    monotonic: () => startMonotonicMs + shiftMs,
  };
  const lines: Record<string, unknown>[] = [];
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) });
  const observed: Observation[] = [];
  const observations = { record: (some: readonly Observation[]) => void observed.push(...some) };
  const outbound = createOutbound({ log, clock: system, allow: [`127.0.0.1/32:${peer.port}`] });
  const provider: LiveRig['provider'] = (changes = {}) => ({
    ...httpProvider(outbound, peer.url),
    ...changes,
  });
  const opened: LiveProcess[] = [];
  return {
    peer,
    outbound,
    redis,
    prefix,
    postgres,
    clock,
    lines,
    log,
    observed,
    pass: (ms) => {
      shiftMs += ms;
    },
    provider,
    process: (changes, parts = {}) => {
      const kept = createKeptAnswers({ postgres: parts.postgres ?? postgres, clock, log });
      const lookup = createLookup(
        {
          memory: new AnswerMemory(),
          redis: parts.redis ?? redis,
          redisPrefix: prefix,
          room: createRedisRoom({ redis: parts.redis ?? redis, clock, log }),
          kept,
          observations,
          clock,
          log,
        },
        provider(changes),
        (key) => key,
      );
      const started = Object.assign(lookup, { kept });
      opened.push(started);
      return started;
    },
    close: async () => {
      for (const each of opened) {
        each.close();
        await each.kept.close();
      }
      await outbound.close();
      await peer.close();
      await removeKeys(prefix);
      redis.close();
      await postgres.close();
      await database.drop();
    },
  };
}

function httpProvider(outbound: Outbound, url: string): Provider<string, Fact> {
  return {
    name: 'rdap',
    keyOf: (key) => key,
    upstreamOf: () => 'peer',
    schema: Fact,
    // Longer than a busy machine needs; tests of the deadline set their own.
    deadlineMs: 60_000,
    atOnceMax: 50,
    freshMs: 60_000,
    absentMs: 10_000,
    keepMs: 0,
    ask: async (key, { signal, deadlineMs }) => {
      const fetched = await outbound.fetch(`${url}/${key}`, {
        deadlineMs,
        signal,
        bytesMax: 64 * 1024,
        schemes: ['http'],
      });
      const text = await fetched.text();
      if (fetched.status === 404) return { value: null };
      if (fetched.status === 422) throw new ProviderFailure('target', 'It cannot be asked about.');
      if (fetched.status !== 200) throw new ProviderFailure('upstream', `Status ${fetched.status}.`);
      const read = Fact.safeParse(jsonOf(text));
      if (!read.success) throw new ProviderFailure('upstream', 'Not understood.');
      return { value: read.data };
    },
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
