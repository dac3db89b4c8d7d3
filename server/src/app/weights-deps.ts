import { contextOf } from '#capabilities/corpus/index.ts';
import { openSignalBooks, type SignalBook } from '#capabilities/signals/index.ts';
import type { LearnDeps, NameSuspicion } from '#capabilities/weights/index.ts';
import { parseIndicator } from '#domain/indicator/index.ts';
import type { Artifacts } from '#platform/artifacts.ts';
import type { Config } from '#platform/config.ts';
import type { Log } from '#platform/log.ts';
import type { Postgres } from '#platform/postgres.ts';

type WeightsDeps = Pick<LearnDeps, 'artifacts' | 'referenceFile' | 'openSuspicion'>;

/** What learning weights needs besides the database: the artifact store, the reference and the signals of this deployment. */
export const weightsDeps = (given: {
  readonly config: Pick<Config, 'DATA_DIR' | 'REFERENCE_HOSTS_FILE'>;
  readonly postgres: Postgres;
  readonly artifacts: Artifacts;
  readonly log: Log;
}): WeightsDeps => ({
  artifacts: given.artifacts,
  referenceFile: given.config.REFERENCE_HOSTS_FILE ?? null,
  openSuspicion: async () => {
    const signals = await openSignalBooks({ ...given, dataDir: given.config.DATA_DIR });
    await signals.close();
    return suspicionOf(signals.book());
  },
});

/** A name is suspected when a signal about names is raised for it, whatever lists say. */
export const suspicionOf =
  (book: SignalBook): NameSuspicion =>
  (host) => {
    const parsed = parseIndicator(host);
    if (!parsed.ok) return false;
    const facts = book.signalsOf(parsed.indicator, contextOf([], parsed.indicator), NO_NETWORKS);
    if (facts === null) return false;
    const { neighbourhood: _, ...ofNames } = facts;
    return Object.values(ofNames).some((signal) => signal !== null);
  };

const NO_NETWORKS = { networkOf: () => null };
