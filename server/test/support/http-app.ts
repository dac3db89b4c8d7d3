import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { systemClock } from '#platform/clock.ts';
import type { Charge, Gates } from '#platform/http/gates.ts';
import type { Policy } from '#platform/http/policy.ts';
import type { Principal } from '#platform/http/principal.ts';
import { createReadiness } from '#platform/http/readiness.ts';
import { type Route, route } from '#platform/http/route.ts';
import { createHttpServer, type HttpServerOptions } from '#platform/http/server.ts';
import { createShedder, SHED_LIMITS, type Shedder } from '#platform/http/shedding.ts';
import { createLog, type Log } from '#platform/log.ts';

export const WEB_ORIGIN = 'https://app.example.test';

export const POLICY: Policy = {
  surface: 'both',
  auth: 'key',
  plan: 'any',
  meter: 'checks',
  bodyMax: 1_024,
  deadlineMs: 5_000,
  class: 'A',
  since: '1.0.0',
};
export const PUBLIC: Policy = { ...POLICY, auth: 'public', meter: 'none' };

export const CALLER: Principal = {
  kind: 'key',
  id: 'key_01',
  accountId: 'org_01',
  userId: 'usr_01',
  organizationId: 'org_01',
  role: null,
  plan: 'PRO',
};

export const plainRoute = (spec: Partial<Route> & { readonly path: string }): Route =>
  route({
    method: 'GET',
    summary: 'A route of a test.',
    tags: ['test'],
    policy: POLICY,
    reply: z.object({ ok: z.boolean() }),
    handle: () => ({ ok: true }),
    ...(spec as { readonly path: string }),
  });

export type RecordedGates = { readonly gates: Gates; readonly calls: string[] };

/** Gates that record their calls in order; each part can be replaced. */
export function recordedGates(parts: Partial<Gates> = {}): RecordedGates {
  const calls: string[] = [];
  const gates: Gates = {
    identify: (request, policy) => {
      calls.push('identify');
      return parts.identify?.(request, policy) ?? CALLER;
    },
    refuseEarly: (request, reply, policy, principal) => {
      calls.push('refuseEarly');
      return parts.refuseEarly?.(request, reply, policy, principal);
    },
    admit: (request, reply, policy, principal, units) => {
      calls.push(`admit ${units}`);
      reply.header('X-RateLimit-Limit', '60');
      if (parts.admit !== undefined) return parts.admit(request, reply, policy, principal, units);
      return units === 0
        ? null
        : ({ accountId: principal.accountId, meter: policy.meter, period: '202611', units } satisfies Charge);
    },
    refund: (charge) => {
      calls.push(`refund ${charge.units}`);
    },
    ...(parts.idempotent !== undefined && { idempotent: parts.idempotent }),
  };
  return { gates, calls };
}

export function capturedLog(level = 'debug'): { readonly log: Log; readonly lines: string[] } {
  const lines: string[] = [];
  return { log: createLog(level, { write: (line) => void lines.push(line) }), lines };
}

type TestAppOptions = Partial<Omit<HttpServerOptions, 'config' | 'routes'>> & {
  readonly config?: Partial<HttpServerOptions['config']>;
};

/** Never sheds: a busy test machine would otherwise refuse requests with 503. Shedding has its own tests. */
export const calmShedder = (): Shedder =>
  createShedder(SHED_LIMITS, { delay: { meanMs: () => 0, stop: () => undefined } });

export function testApp(routes: readonly Route[], options: TestAppOptions = {}): FastifyInstance {
  return createHttpServer({
    log: capturedLog('silent').log,
    clock: systemClock(),
    gates: recordedGates().gates,
    readiness: createReadiness(),
    shedder: calmShedder(),
    ...options,
    config: {
      ASSAY_ENV: 'test',
      LOG_LEVEL: 'info',
      PUBLIC_WEB_URL: WEB_ORIGIN,
      REQUIRE_HTTPS: false,
      TRUSTED_PROXIES: [],
      ...options.config,
    },
    routes,
  });
}

/** Contact of a replica that follows PostgreSQL, for routes that report it. */
export const FRESH_CONTACT = { ageMs: () => 40, isStale: () => false } as const;

export async function listen(app: FastifyInstance): Promise<number> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}

export type RawConnection = {
  readonly socket: Socket;
  readonly received: () => string;
  /** Resolves with all received text once it matches the pattern or the connection has closed. */
  readonly until: (pattern: RegExp) => Promise<string>;
  readonly closed: Promise<void>;
};

/** A connection that sends exactly the bytes that a test writes. */
export async function rawConnection(port: number): Promise<RawConnection> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const until = (pattern: RegExp): Promise<string> =>
    new Promise((resolve) => {
      const look = () => {
        if (pattern.test(text)) resolve(text);
      };
      socket.on('data', look);
      socket.once('close', () => resolve(text));
      look();
    });
  return { socket, received: () => text, until, closed };
}
