import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Charge } from './gates.ts';
import type { MountedRoute } from './mounted-route.ts';
import type { Principal } from './principal.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null where no route matched. */
    exchange: Exchange | null;
  }
}

/** The place of an exchange that is not in flight. */
export const NOWHERE = -1;

/** One request and its answer, from the first hook to the closed response. */
export class Exchange {
  readonly mounted: MountedRoute;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly startedMs: number;
  deadlineAtMs: number;
  /** Where it stands among those in flight. */
  place = NOWHERE;
  principal: Principal | null = null;
  charge: Charge | null = null;
  /** True once `admit` was called, or must not be: the refusal came from a gate itself. */
  admitted = false;
  /** True once the answer is decided; whatever the handler says later is ignored. */
  settled = false;
  /** True once the response became an event stream: open by design, ended by its own rules. */
  streaming = false;
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

  /** Made when first asked for: most handlers never look, and a controller costs as much as a lookup. */
  get signal(): AbortSignal {
    if (this.controller === null) {
      this.controller = new AbortController();
      if (this.cancelledBy !== null) this.controller.abort(this.cancelledBy);
    }
    return this.controller.signal;
  }

  cancel(reason: Error): void {
    if (this.cancelledBy !== null) return;
    this.cancelledBy = reason;
    this.controller?.abort(reason);
  }
}
