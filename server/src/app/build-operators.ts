import type { FastifyInstance } from 'fastify';
import { CATALOGUE } from '#capabilities/catalogue/index.ts';
import {
  createOperatorGates,
  OPERATORS,
  type OperatorsDeps,
  operatorsRoutes,
} from '#capabilities/operators/index.ts';
import { openWebhookDesk } from '#capabilities/webhooks/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import { operatorDescriptionRoute } from '#platform/http/description-routes.ts';
import { createReadiness, type Readiness } from '#platform/http/readiness.ts';
import type { Route } from '#platform/http/route.ts';
import { createHttpServer } from '#platform/http/server.ts';
import type { Log } from '#platform/log.ts';
import { createOutbound } from '#platform/outbound.ts';
import { asSystem } from '#platform/postgres.ts';
import { egressOf } from './egress.ts';
import { publisherKeyOf } from './publisher-key.ts';
import { TAG_DESCRIPTIONS } from './tag-descriptions.ts';

/** Connections of the operators' process: few people use it, and one of them may merge a list. */
const CONNECTIONS = 4;

export type OperatorServices = {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly readiness: Readiness;
  readonly deps: OperatorsDeps;
  readonly close: () => Promise<void>;
};

export function openOperators(config: Config, log: Log, clock: Clock): OperatorServices {
  const system = asSystem({ ...config, POSTGRES_POOL_MAX: CONNECTIONS });
  const outbound = createOutbound({ log, clock, ...egressOf(config) });
  return {
    config,
    log,
    clock,
    readiness: createReadiness(),
    deps: {
      system,
      clock,
      log,
      outbound,
      dataDir: config.DATA_DIR,
      catalogue: CATALOGUE,
      keys: (env) => publisherKeyOf(config, env),
      webhooks: openWebhookDesk(system, clock),
    },
    close: async () => {
      await outbound.close();
      await system.close();
    },
  };
}

/** Every route of the operators' listener, its description included. */
function allOperatorRoutes(deps: OperatorsDeps): readonly Route[] {
  const routes = operatorsRoutes(deps);
  return [...routes, operatorDescriptionRoute(routes, { policy: OPERATORS, tags: TAG_DESCRIPTIONS })];
}

/** The operators' listener. Without an operator's token it looks like a server without any route. */
export const buildOperators = ({ config, log, clock, readiness, deps }: OperatorServices): FastifyInstance =>
  createHttpServer({
    config,
    log,
    clock,
    readiness,
    gates: createOperatorGates(deps),
    routes: allOperatorRoutes(deps),
    isHidden: true,
  });

/** The operators' routes without any engine, to generate documents: their handlers are never called. */
export function describeOperatorRoutes(): readonly Route[] {
  const absent: object = new Proxy({}, { get: () => absent });
  return allOperatorRoutes(absent as OperatorsDeps);
}
