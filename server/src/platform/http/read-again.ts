import type { Exchange } from './exchange.ts';
import type { ReadAgain } from './gates.ts';
import type { Route } from './route.ts';

/** How a repeat of this call is answered from what the call wrote; undefined where the route cannot read it again. */
export function readAgainOf({ again }: Route, exchange: Exchange): ReadAgain | undefined {
  if (again === undefined) return undefined;
  const { idOf, read } = again as {
    readonly idOf: ReadAgain['idOf'];
    readonly read: (call: Exchange, id: string) => Promise<unknown>;
  };
  return { idOf, read: (id) => read(exchange, id) };
}
