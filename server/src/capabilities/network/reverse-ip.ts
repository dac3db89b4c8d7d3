import type { Observations, Providers } from '#capabilities/providers/index.ts';
import type { Ipv4 } from '#domain/indicator/index.ts';
import { REVERSE_DOMAINS_MAX, type ReverseIpReply } from './contract.ts';

const PASSIVE_DNS_OFF =
  'This service has no passive DNS of this address: names are not resolved here, so nothing was observed. An operator adds dns to LIVE_PROVIDERS.';

/**
 * Answers from past live lookups and queries no outside source (decisions 3.7). An address without
 * observations has an empty list, which proves nothing.
 */
export async function reverseIp(
  {
    observations,
    addresses,
  }: {
    readonly observations: Pick<Observations, 'byPivot'>;
    readonly addresses: Pick<Providers['addresses'], 'isOn'>;
  },
  ip: Ipv4,
): Promise<ReverseIpReply> {
  const { rows, total } = await observations.byPivot('resolves', ip.value, REVERSE_DOMAINS_MAX);
  const [newest] = rows;
  if (newest === undefined && !addresses.isOn)
    return {
      ip: ip.value,
      domains: [],
      total_domains: null,
      truncated: false,
      updatedAt: null,
      loaded: false,
      message: PASSIVE_DNS_OFF,
    };
  return {
    ip: ip.value,
    domains: rows.map(({ subject }) => subject),
    total_domains: total,
    truncated: total > rows.length,
    updatedAt: newest === undefined ? null : new Date(newest.lastSeenMs).toISOString(),
    loaded: true,
  };
}
