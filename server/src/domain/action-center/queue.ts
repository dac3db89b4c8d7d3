/** Least urgent first. */
export const URGENCIES = ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] as const;
export type Urgency = (typeof URGENCIES)[number];
/** Of two equally urgent candidates for one thing the first source here is shown: people work in cases. */
export const QUEUE_SOURCES = ['case', 'cve_finding', 'alert'] as const;
export type QueueSource = (typeof QUEUE_SOURCES)[number];
export type PrimaryAction = 'acknowledge' | 'patch' | 'investigate' | 'close';

export type Candidate = {
  readonly id: string;
  readonly source: QueueSource;
  readonly priority: Urgency;
  readonly title: string;
  readonly status: string;
  readonly reason: string;
  readonly href: string;
  readonly primaryAction: PrimaryAction;
  readonly description: string | null;
  readonly entityType: string | null;
  readonly entityValue: string | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** Ids of other candidates about the same thing. */
  readonly links: readonly string[];
};

/** Most urgent first, oldest first within an urgency. Linked candidates show once, as the strongest of them. */
export function orderQueue(candidates: readonly Candidate[], max: number): readonly Candidate[] {
  const shown = new Map<string, Candidate>();
  const groupOf = groupLinked(candidates);
  for (const candidate of candidates) {
    const group = groupOf(candidate.id);
    const other = shown.get(group);
    if (other === undefined || isStronger(candidate, other)) shown.set(group, candidate);
  }
  return [...shown.values()].sort(inOrder).slice(0, max);
}

const rankOf = ({ priority }: Candidate): number => URGENCIES.indexOf(priority);
const sourceRank = ({ source }: Candidate): number => QUEUE_SOURCES.indexOf(source);

const inOrder = (a: Candidate, b: Candidate): number =>
  rankOf(b) - rankOf(a) || a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1);

const isStronger = (a: Candidate, b: Candidate): boolean => {
  const by = rankOf(a) - rankOf(b) || sourceRank(b) - sourceRank(a);
  return by === 0 ? inOrder(a, b) < 0 : by > 0;
};

/** Links join transitively: a case with an alert whose finding has another case is one thing. */
function groupLinked(candidates: readonly Candidate[]): (id: string) => string {
  const parents = new Map<string, string>();
  const rootOf = (id: string): string => {
    let at = id;
    for (let above = parents.get(at); above !== undefined; above = parents.get(at)) at = above;
    return at;
  };
  for (const { id, links } of candidates)
    for (const link of links) {
      const [a, b] = [rootOf(id), rootOf(link)];
      if (a !== b) parents.set(b, a);
    }
  return rootOf;
}
