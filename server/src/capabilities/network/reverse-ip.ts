import type { Observations } from '#capabilities/providers/index.ts';
import type { Ipv4 } from '#domain/indicator/index.ts';
import { REVERSE_DOMAINS_MAX, type ReverseIpReply } from './contract.ts';

/**
 * Answers from past live lookups and queries no outside source (decisions 3.7). An address without
 * observations has an empty list, which proves nothing.
 */
export async function reverseIp(
  { observations }: { readonly observations: Pick<Observations, 'byPivot'> },
  ip: Ipv4,
): Promise<ReverseIpReply> {
  const { rows, total } = await observations.byPivot('resolves', ip.value, REVERSE_DOMAINS_MAX);
  const [newest] = rows;
  return {
    ip: ip.value,
    domains: rows.map(({ subject }) => subject),
    total_domains: total,
    truncated: total > rows.length,
    updatedAt: newest === undefined ? null : new Date(newest.lastSeenMs).toISOString(),
  };
}
