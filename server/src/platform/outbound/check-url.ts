import { isIP } from 'node:net';
import type { OutboundOptions } from '../outbound.ts';
import { inTime, startDeadline } from './deadline.ts';
import { addressPolicy, resolvePublic } from './guard.ts';
import { asOutboundError } from './outbound-error.ts';
import { checkTarget, hostOf, portOf } from './target.ts';

export type UrlCheckOptions = { readonly ports: readonly number[]; readonly deadlineMs: number };

/** Rejects with an `OutboundError` where a request to this https URL would be refused; connects to nothing but DNS. */
export type UrlCheck = (url: string, options: UrlCheckOptions) => Promise<void>;

/**
 * What a request checks before it connects, for a URL that is only written down. The request checks again, because a name
 * may lead elsewhere by then.
 */
export function createUrlCheck(options: Omit<OutboundOptions, 'log' | 'authorities'>): UrlCheck {
  const policy = addressPolicy(options);
  return async (text, { ports, deadlineMs }) => {
    const url = checkTarget(text, { schemes: ['https'], ports }, policy);
    const host = hostOf(url);
    if (isIP(host) !== 0) return;
    const deadline = startDeadline({ deadlineMs });
    try {
      await inTime(resolvePublic({ policy, ...options }, { host, port: portOf(url) }), deadline.signal);
    } catch (error) {
      throw deadline.reason() ?? asOutboundError(error);
    } finally {
      deadline.end();
    }
  };
}
