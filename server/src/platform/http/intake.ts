import type { ServiceError } from '#platform/errors.ts';
import type { Principal } from './principal.ts';

/** A slot for the work on one body. It is taken when the last byte of the body is here, and released when the work is done. */
export type BodySlot<V = unknown> = {
  /** Validates the body away from the event loop. Resolves with what the handler gets as its body, or throws the refusal. */
  readonly read: (bytes: Uint8Array) => Promise<V>;
  /** May be called several times. */
  readonly release: () => void;
};

/** How a route takes its body as bytes: nothing of it is parsed on the event loop. */
export type Intake = { readonly takeSlot: (principal: Principal) => BodySlot | ServiceError };
