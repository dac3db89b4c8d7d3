import type { ServiceError } from '#platform/errors.ts';
import type { Principal } from './principal.ts';

/** A place for one body, taken before the body is read and left when its answer is finished. */
export type Seat<V = unknown> = {
  /** Validates the body away from the event loop. Resolves with what the handler gets as its body, or throws the refusal. */
  readonly read: (bytes: Uint8Array) => Promise<V>;
  readonly leave: () => void;
};

/** How a route takes its body as bytes: nothing of it is parsed on the event loop. */
export type Intake = { readonly enter: (principal: Principal) => Seat | ServiceError };
