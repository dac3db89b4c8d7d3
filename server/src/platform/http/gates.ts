import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Policy } from './policy.ts';
import type { Principal } from './principal.ts';

/**
 * The functions that the application plugs into every route. The transport calls them in the order of foundation rule
 * 8: `identify` before a body is read, `admit` once after validation, `refund` when the work failed.
 */
export type Gates = {
  /** Turns the credential into a principal, or throws 401, 403, 429 or 503. */
  readonly identify: (request: FastifyRequest, policy: Policy) => Principal | Promise<Principal>;
  /** Refuses a route whose allowance is used up before its body is read (mail scans). Spends nothing. */
  readonly refuseEarly: (
    request: FastifyRequest,
    reply: FastifyReply,
    policy: Policy,
    principal: Principal,
  ) => Promise<void> | void;
  /**
   * Refuses, before its body is read, a caller whose burst this process knows to be spent. Reads memory only and spends
   * nothing; absent when no limit is kept.
   */
  readonly refuseSpent?: (
    request: FastifyRequest,
    reply: FastifyReply,
    policy: Policy,
    principal: Principal,
  ) => void;
  /** Spends burst and units and sets the limit headers, or throws 429 or 503. `units` 0 spends the burst only. */
  readonly admit: (
    request: FastifyRequest,
    reply: FastifyReply,
    policy: Policy,
    principal: Principal,
    units: number,
  ) => Promise<Charge | null> | Charge | null;
  /** Gives the units of a charge back and corrects the usage headers of the answer. Never throws. */
  readonly refund: (charge: Charge, reply: FastifyReply) => void;
  /** Refuses a request that would store something where its account has no room; absent when nothing is stored. */
  readonly admitStored?: (request: FastifyRequest, principal: Principal) => Promise<void>;
  /** Runs a mutation once for each Idempotency-Key and account; absent when no route needs it. */
  readonly idempotent?: (
    request: FastifyRequest,
    reply: FastifyReply,
    principal: Principal,
    work: () => Promise<unknown>,
    again?: ReadAgain,
  ) => Promise<unknown>;
};

/** How a repeat under an Idempotency-Key is answered whose reply is too long to keep: by reading again what was written. */
export type ReadAgain = {
  readonly idOf: (reply: unknown) => string;
  readonly read: (id: string) => Promise<unknown>;
};

export type Charge = {
  readonly accountId: string;
  readonly meter: string;
  readonly period: string;
  readonly units: number;
};
