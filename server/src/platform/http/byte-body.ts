import { ServiceError } from '#platform/errors.ts';
import type { Exchange } from './exchange.ts';
import type { Intake } from './intake.ts';
import type { Principal } from './principal.ts';

/** Takes a slot for a body that is here, and releases it at the end of the answer at the latest. Returns the refusal if none is free. */
export function takeSlot(exchange: Exchange, intake: Intake, principal: Principal): ServiceError | null {
  const slot = intake.takeSlot(principal);
  if (slot instanceof ServiceError) return slot;
  exchange.slot = slot;
  exchange.reply.raw.once('close', slot.release);
  return null;
}

const NOTHING = new Uint8Array();

/** Reads the bytes into the exchange. Resolves with the problem instead of throwing, as validation does. */
export async function readBytes(exchange: Exchange): Promise<ServiceError | null> {
  const { slot, request } = exchange;
  if (slot === null) throw new Error('A body of bytes is read without a slot.');
  try {
    exchange.body = await slot.read(request.body instanceof Uint8Array ? request.body : NOTHING);
    return null;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}
