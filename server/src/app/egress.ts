import type { Config } from '#platform/config.ts';
import type { OutboundOptions } from '#platform/outbound.ts';

/** What the operator decided about every outgoing request. Each way out of the service takes it (a test compares). */
export const egressOf = ({
  OUTBOUND_DENY,
  OUTBOUND_PROXY,
}: Pick<Config, 'OUTBOUND_DENY' | 'OUTBOUND_PROXY'>): Pick<OutboundOptions, 'deny' | 'proxy'> => ({
  deny: OUTBOUND_DENY,
  ...(OUTBOUND_PROXY !== undefined && { proxy: OUTBOUND_PROXY }),
});
