import type { FastifyRequest } from 'fastify';
import {
  clientAddress,
  createAllowList,
  isOperatorToken,
  operatorTokenHash,
} from '#capabilities/access/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { Gates } from '#platform/http/gates.ts';
import type { Principal } from '#platform/http/principal.ts';
import { NOT_HERE } from '#platform/http/server.ts';
import { counter } from '#platform/metrics.ts';
import type { Postgres } from '#platform/postgres.ts';
import { findOperatorByHash, touchOperator } from './store.ts';

export type OperatorGatesDeps = { readonly system: Postgres; readonly clock: Clock };

const BEARER = /^Bearer +(\S+)$/i;
const refusals = counter({
  name: 'operator_refusals_total',
  help: 'Requests on the operators listener without an accepted token, by reason.',
  labels: ['reason'],
});

/**
 * Accepts a token of an operator from the addresses it is bound to. Every other request is answered as at an unknown address,
 * so that a customer's key or a foreign address learns nothing (O34). Operators have no meter.
 */
export const createOperatorGates = (deps: OperatorGatesDeps): Gates => ({
  identify: (request) => identify(deps, request),
  refuseEarly: () => undefined,
  admit: () => null,
  refund: () => undefined,
});

async function identify({ system, clock }: OperatorGatesDeps, request: FastifyRequest): Promise<Principal> {
  const token = BEARER.exec(request.headers.authorization ?? '')?.[1];
  // The checksum refuses other credentials and guesses without PostgreSQL.
  if (token === undefined || !isOperatorToken(token)) throw refuse('token');
  const operator = await findOperatorByHash(system.db, operatorTokenHash(token));
  if (operator === undefined) throw refuse('token');
  if (createAllowList(operator.allowedCidrs)?.(clientAddress(request)) !== true) throw refuse('address');
  await touchOperator(system.db, operator.id, clock.now());
  return {
    kind: 'operator',
    id: operator.name,
    accountId: '',
    userId: '',
    organizationId: null,
    role: null,
    plan: 'OPERATOR',
  };
}

function refuse(reason: string): typeof NOT_HERE {
  refusals.inc({ reason });
  return NOT_HERE;
}
