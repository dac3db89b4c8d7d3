import { ServiceError } from '#platform/errors.ts';
import type { Exchange } from './exchange.ts';
import type { Principal } from './principal.ts';
import type { Intake } from './seat.ts';

/** Takes a seat for the body, or throws that none is free. The principal is known, the body is not read yet. */
export function takeSeat(exchange: Exchange, intake: Intake, principal: Principal): void {
  const seat = intake.enter(principal);
  if (seat instanceof ServiceError) throw seat;
  exchange.seat = seat;
  const { raw } = exchange.reply;
  // A caller who left while it was identified emits no `close` event any more.
  if (raw.destroyed || raw.closed) seat.leave();
  else raw.once('close', () => seat.leave());
}

const NOTHING = new Uint8Array();

/** Reads the bytes into the exchange. Resolves with the problem instead of throwing, as validation does. */
export async function readBytes(exchange: Exchange): Promise<ServiceError | null> {
  const { seat, request } = exchange;
  if (seat === null) throw new Error('A body of bytes was received without a seat.');
  try {
    exchange.body = await seat.read(request.body instanceof Uint8Array ? request.body : NOTHING);
    return null;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}
