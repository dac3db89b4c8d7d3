import type { WalkableCorpus } from '#capabilities/corpus/index.ts';
import type { Enrichment } from '#capabilities/enrichment/index.ts';
import type { Assessor } from '#capabilities/judging/index.ts';
import type { Clock } from '#platform/clock.ts';
import { announcedRanges } from './announced-ranges.ts';
import { ANNOUNCED_MAX, type AsnMembers } from './contract.ts';
import { examineMembers } from './examine-members.ts';
import { presentMembers, refuseBadCursor } from './present-members.ts';
import { walkAddresses } from './walk-addresses.ts';

export type AsnMembersDeps = {
  readonly corpus: Pick<WalkableCorpus, 'accusedBetween'>;
  readonly assess: Assessor;
  readonly enrichment: Pick<Enrichment, 'networks'>;
  readonly clock: Pick<Clock, 'now'>;
};

/** The listed addresses inside everything that a network announces, from the replica alone. */
export async function asnMembers(
  { corpus, assess, enrichment, clock }: AsnMembersDeps,
  asn: number,
  cursor: string | undefined,
): Promise<AsnMembers> {
  const subject = `asn ${asn}`;
  refuseBadCursor(subject, cursor);
  const spans = enrichment.networks()?.find(asn)?.ranges ?? [];
  const { keys, candidates, isPartial } = await walkAddresses(corpus, spans);
  const examined = await examineMembers(assess, candidates, clock.now());
  return {
    announced: spans.length,
    ranges: await announcedRanges(spans, keys, ANNOUNCED_MAX),
    ...presentMembers({ subject, cursor, examined, listed: keys.length, withheld: 0, isPartial }),
  };
}
