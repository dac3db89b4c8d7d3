import type { Postgres } from '#platform/postgres.ts';
import { listSourceStates, type SourceState } from './load/source-store.ts';
import { findSource, type RansomwareSource, staleAfterMs } from './sources.ts';

/** A source in the words of a data set of /platform/data-freshness. */
export type RansomwareFreshness = {
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

/** One for each source that was loaded or tried; a deployment without ransomware data has none. */
export const reportRansomware = async ({ db }: Pick<Postgres, 'db'>): Promise<readonly RansomwareFreshness[]> =>
  (await listSourceStates(db)).flatMap((state) => {
    const source = findSource(state.id);
    return source === undefined ? [] : [freshnessOf(source, state)];
  });

const freshnessOf = (source: RansomwareSource, state: SourceState): RansomwareFreshness => ({
  id: source.id,
  label: source.label,
  category: 'ransomware',
  isFailing: state.problem !== null,
  dataAtMs: state.dataAtMs,
  staleAfterMs: staleAfterMs(source),
  records: state.records,
  message: state.problem,
  nodesDiffer: false,
  action:
    state.problem === null
      ? null
      : `Look at ${source.label}: its last file was refused, and what was loaded before is still served.`,
});
