import type { JoinedPair } from './joined-pairs.ts';

export type Member = {
  readonly number: number;
  readonly id: string;
  /** Declared operator: its sources count as one opinion, independent of their content. */
  readonly lineage: string | null;
  /** Whether the source is declared as an aggregate; this is never inferred. */
  readonly aggregate: boolean;
  /** The number of addresses and other entries, to tell which of two sources is the smaller. */
  readonly size: number;
};

/**
 * Why a source is in its cluster: `inside` and `holds` are measured, `declared` comes from the registry. `repeats`: it has
 * entries of this kind later than the other one, and counts as its echo for that kind alone.
 */
export type Evidence = {
  readonly with: string;
  readonly relation: 'inside' | 'holds' | 'declared' | 'repeats';
  readonly kind?: string;
  readonly containment: number;
  readonly days: number;
  /** True for evidence that put both sources into one cluster; other evidence is only shown. */
  readonly joins: boolean;
};

export type Placement = {
  readonly number: number;
  readonly id: string;
  readonly lineage: string | null;
  /** Sources with the same cluster count as one opinion. */
  readonly cluster: string;
  readonly isProvisional: boolean;
  readonly evidence: readonly Evidence[];
};

/**
 * Groups the sources that copy each other (scoring 3 and ruling 4).
 * - Sources of one declared lineage are together.
 * - A source joins the cluster of the smallest source that holds it; one of its own lineage is preferred.
 * - Nothing else joins, so clusters are not transitive: two large sources that both hold a third one stay apart, and a
 *   source that another publisher holds joins that publisher alone, its siblings stay. Publishers keep lists of many
 *   kinds: one list of scams that two of them share would else make one opinion of all their phishing and malware lists.
 * - An aggregate joins no cluster and no source joins it: it holds most sources, and would make one cluster of all. Its
 *   evidence names the sources it holds. Scoring counts the best aggregate where it says more than all other listings
 *   together.
 * The cluster is named after its head, the source at the end of the chain: its declared lineage, else its id.
 */
export function placeSources(members: readonly Member[], pairs: readonly JoinedPair[]): readonly Placement[] {
  const byNumber = new Map(members.map((member) => [member.number, member]));
  const known = pairs.flatMap((pair) => {
    const [smaller, larger] = [byNumber.get(pair.smaller), byNumber.get(pair.larger)];
    return smaller === undefined || larger === undefined ? [] : [{ ...pair, smaller, larger }];
  });
  const links = known.filter(({ smaller, larger }) => !smaller.aggregate && !larger.aggregate);
  const holders = new Map<Member, Link>();
  for (const link of links) {
    const before = holders.get(link.smaller);
    if (before === undefined || isNearer(link, before)) holders.set(link.smaller, link);
  }
  const clusters = new Map(members.map((member) => [member, nameOf(headOf(member, holders))]));
  return members.map((member) => {
    const evidence = evidenceOf(member, known, holders, clusters);
    const isProvisional = known.some(
      (link) => link.isProvisional && (link.smaller === member || link.larger === member),
    );
    return {
      number: member.number,
      id: member.id,
      lineage: member.lineage,
      cluster: clusters.get(member) ?? member.id,
      isProvisional,
      evidence,
    };
  });
}

type Link = Omit<JoinedPair, 'smaller' | 'larger'> & { readonly smaller: Member; readonly larger: Member };

function isNearer(link: Link, other: Link): boolean {
  if (isWithin(link) !== isWithin(other)) return isWithin(link);
  return bySize(link.larger, other.larger) < 0;
}

const isWithin = ({ smaller, larger }: Link): boolean =>
  smaller.lineage !== null && smaller.lineage === larger.lineage;

const bySize = (a: Member, b: Member): number => a.size - b.size || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

const nameOf = ({ lineage, id }: Member): string => lineage ?? id;

/** The end of the chain of holders. Sizes in several units could make a ring; its largest member is then the head. */
function headOf(member: Member, holders: ReadonlyMap<Member, Link>): Member {
  const chain = [member];
  for (;;) {
    const next = holders.get(chain.at(-1) as Member)?.larger;
    if (next === undefined) return chain.at(-1) as Member;
    const ring = chain.indexOf(next);
    if (ring >= 0) return chain.slice(ring).reduce((a, b) => (bySize(a, b) < 0 ? b : a));
    chain.push(next);
  }
}

function evidenceOf(
  member: Member,
  links: readonly Link[],
  holders: ReadonlyMap<Member, Link>,
  clusters: ReadonlyMap<Member, string>,
): readonly Evidence[] {
  const measured = links.flatMap((link): Evidence[] => {
    const { smaller, larger, containment, days } = link;
    if (smaller !== member && larger !== member) return [];
    const isInside = smaller === member;
    const joins = holders.get(smaller)?.larger === larger;
    const other = isInside ? larger : smaller;
    return [{ with: other.id, relation: isInside ? 'inside' : 'holds', containment, days, joins }];
  });
  const declared = [...clusters].flatMap(([other, cluster]): Evidence[] => {
    if (other === member || member.lineage === null || other.lineage !== member.lineage) return [];
    const joins = !member.aggregate && !other.aggregate && cluster === clusters.get(member);
    return [{ with: other.id, relation: 'declared', containment: 0, days: 0, joins }];
  });
  return [...measured, ...declared].sort((a, b) => (a.with < b.with ? -1 : a.with > b.with ? 1 : 0));
}
