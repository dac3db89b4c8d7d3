import { readFileSync } from 'node:fs';
import type { Config } from '#platform/config.ts';
import type { OutboundOptions } from '#platform/outbound.ts';
import { egressOf } from './egress.ts';

/**
 * Where webhooks may be sent: public addresses, and in tests those of WEBHOOK_ALLOW. OUTBOUND_ALLOW is what the operator
 * wrote down for services of its own; a caller's URL never reaches those.
 */
export const webhookReach = (
  config: Config,
): Pick<OutboundOptions, 'allow' | 'deny' | 'proxy' | 'dnsServers' | 'authorities'> => {
  const { DNS_SERVERS, WEBHOOK_ALLOW, WEBHOOK_CA_FILE } = config;
  return {
    ...egressOf(config),
    allow: WEBHOOK_ALLOW,
    ...(DNS_SERVERS.length > 0 && { dnsServers: DNS_SERVERS }),
    ...(WEBHOOK_CA_FILE !== undefined && { authorities: [readFileSync(WEBHOOK_CA_FILE, 'utf8')] }),
  };
};
