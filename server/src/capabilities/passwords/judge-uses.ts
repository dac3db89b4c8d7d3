import type { Clock } from '#platform/clock.ts';
import type { Postgres } from '#platform/postgres.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { HASH_TYPES, type HashType } from './corpus-files.ts';
import { prefixText, WHOLE } from './corpus-head.ts';
import { type CorpusUse, listUses } from './store.ts';

/** A process notes its corpus every minute; one that was silent for longer has ended. */
const SEEN_WITHIN_MS = 150_000;
/** The list is published each month. Old hashes stay breached, so it is late and not wrong after half a year. */
const STALE_AFTER_MS = 180 * DAY_MS;

/** The state of one type over all nodes, in the words of a data set of /platform/data-freshness. */
export type CorpusFreshness = {
  readonly id: string;
  readonly label: string;
  readonly category: string;
  readonly isFailing: boolean;
  readonly dataAtMs: number;
  readonly staleAfterMs: number;
  readonly records: number;
  readonly message: string | null;
  readonly nodesDiffer: boolean;
  readonly action: string | null;
};

const LABELS: Readonly<Record<HashType, string>> = {
  sha1: 'Breached passwords (SHA-1)',
  ntlm: 'Breached passwords (NTLM)',
};

export const reportCorpora = async (
  { db }: Pick<Postgres, 'db'>,
  clock: Clock,
): Promise<readonly CorpusFreshness[]> => judgeUses(await listUses(db, clock.now() - SEEN_WITHIN_MS));

/** One entry for each hash type that a process has loaded; none in a deployment without password corpora. */
export const judgeUses = (uses: readonly CorpusUse[]): readonly CorpusFreshness[] =>
  HASH_TYPES.flatMap((type) =>
    judgeType(
      type,
      uses.filter(({ hashType }) => hashType === type),
    ),
  );

function judgeType(type: HashType, uses: readonly CorpusUse[]): readonly CorpusFreshness[] {
  const loaded = uses.filter(({ digest }) => digest !== null);
  const [newest] = loaded.toSorted((a, b) => (b.corpusUpdatedAtMs ?? 0) - (a.corpusUpdatedAtMs ?? 0));
  if (newest === undefined) return [];
  const nodesDiffer =
    new Set(uses.map(({ digest, corpusUpdatedAtMs }) => `${digest} ${corpusUpdatedAtMs}`)).size > 1;
  const isPartial =
    newest.firstPrefix !== prefixText(WHOLE.first) || newest.lastPrefix !== prefixText(WHOLE.last);
  const others = uses.filter(({ digest }) => digest !== newest.digest).length;
  const sentences = [
    nodesDiffer
      ? `Nodes differ: ${others === 0 ? 'their lists have different dates' : `${others} of ${uses.length} processes answer from another list or have none`}.`
      : null,
    isPartial
      ? `Only the prefixes ${newest.firstPrefix} to ${newest.lastPrefix} are loaded; others answer 503.`
      : null,
  ];
  return [
    {
      id: `pwned-passwords-${type}`,
      label: LABELS[type],
      category: 'breached-passwords',
      isFailing: nodesDiffer,
      dataAtMs: newest.corpusUpdatedAtMs ?? 0,
      staleAfterMs: STALE_AFTER_MS,
      records: newest.entries,
      message: sentences.filter((sentence) => sentence !== null).join(' ') || null,
      nodesDiffer,
      action: nodesDiffer
        ? `Give all nodes the same ${type} list: \`npm run admin -- passwords status\` on each shows which it has.`
        : null,
    },
  ];
}
