import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Charge } from './gates.ts';
import type { BodySlot } from './intake.ts';
import type { MountedRoute } from './mounted-route.ts';
import type { Principal } from './principal.ts';

declare module 'fastify' {
  interface FastifyRequest {
    exchange: Exchange | null;
  }
}

export const NOWHERE = -1;

export class Exchange {
  readonly mounted: MountedRoute;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly startedMs: number;
  deadlineAtMs: number;
  place = NOWHERE;
  /** True from the complete request to the answer that was handed to the socket: such requests count in their class. */
  working = false;
  /** The network that sends the body, while the body is on its way; null otherwise. */
  bodyFrom: string | null = null;
  /** The account that the same body counts for; null until the caller is known, and for callers without an account. */
  bodyAccount: string | null = null;
  /** The declared size of that body, or the most that the route accepts. */
  bodyBytes = 0;
  /** When the complete body was handed to its parser. */
  bodyAtMs = 0;
  /** How many bytes the peer had taken when the sweep last saw progress, and when that was. */
  takenBytes = -1;
  takenAtMs = 0;
  principal: Principal | null = null;
  /** The slot of a body that is read as bytes; null until the body is here, and on all other routes. */
  slot: BodySlot | null = null;
  charge: Charge | null = null;
  /** True once the handler gave the units back; the answer may have any status. */
  isFree = false;
  /** True once `admit` was called, or must not be called because a gate refused the request. */
  admitted = false;
  /** True when the transport refused the request, such as one over plain HTTP: that can happen on every route. */
  screened = false;
  /** True when load shedding refused the request: such refusals are logged as a sum. */
  shed = false;
  /** True once the answer is decided; a later result of the handler is ignored. */
  settled = false;
  /** True once the response is an event stream, which has no deadline. */
  streaming = false;
  /** The outcomes of the answer, for counters. Most answers have one, and a list for each would only be garbage. */
  outcome: string | null = null;
  furtherOutcomes: string[] | null = null;
  query: unknown;
  params: unknown;
  body: unknown;
  private cancelledBy: Error | null = null;
  private controller: AbortController | null = null;

  constructor(mounted: MountedRoute, request: FastifyRequest, reply: FastifyReply, startedMs: number) {
    this.mounted = mounted;
    this.request = request;
    this.reply = reply;
    this.startedMs = startedMs;
    this.deadlineAtMs = Number.POSITIVE_INFINITY;
  }

  /** Created on first use: most handlers never read it, and a controller costs as much as a lookup. */
  get signal(): AbortSignal {
    if (this.controller === null) {
      this.controller = new AbortController();
      if (this.cancelledBy !== null) this.controller.abort(this.cancelledBy);
    }
    return this.controller.signal;
  }

  note(outcome: string): void {
    if (this.outcome === null) {
      this.outcome = outcome;
      return;
    }
    this.furtherOutcomes ??= [];
    this.furtherOutcomes.push(outcome);
  }

  giveBack(): void {
    this.isFree = true;
  }

  cancel(reason: Error): void {
    if (this.cancelledBy !== null) return;
    this.cancelledBy = reason;
    this.controller?.abort(reason);
  }
}
