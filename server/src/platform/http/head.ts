import { Readable } from 'node:stream';
import type { Exchange } from './exchange.ts';
import type { Policy } from './policy.ts';

/**
 * HEAD costs no unit. So it does none of the work that units pay for either: otherwise it would be a free check, and
 * would spend the lookups of the operator. A route without units, or one that answers HEAD itself, does its work.
 */
export function headRuleOf({ meter, head }: Policy) {
  const isMetered = meter === 'checks' || meter === 'scans';
  const skipsWork = isMetered && head !== 'handled';
  return {
    isFree: ({ request }: Exchange): boolean => request.method === 'HEAD',
    skipsWork: ({ request }: Exchange): boolean => skipsWork && request.method === 'HEAD',
  };
}

/** An empty stream, because Fastify would answer an empty text with a length of 0, which the answer to GET has not. */
export function answerHead(exchange: Exchange): void {
  const { reply, mounted } = exchange;
  exchange.settled = true;
  if (mounted.route.produces === undefined) reply.type('application/json; charset=utf-8');
  reply.code(mounted.route.status ?? 200).send(Readable.from([]));
}
