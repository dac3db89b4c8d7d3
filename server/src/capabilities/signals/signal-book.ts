import type { IndicatorContext } from '#capabilities/corpus/index.ts';
import type { NetworkBook } from '#capabilities/enrichment/index.ts';
import { hostOf, type Indicator } from '#domain/indicator/index.ts';
import type { SignalFacts } from '#domain/scoring/index.ts';
import {
  crowdingOf,
  imitatedBy,
  type ListedAddresses,
  type NameTable,
  nameSignalOf,
  neighboursOf,
  type PopularLooks,
  partsOf,
} from '#domain/signals/index.ts';

/** The tables that one training made. */
export type SignalTables = {
  readonly listed: ListedAddresses;
  /** Autonomous systems of which at least 0.5 % of the addresses are listed. */
  readonly crowdedSystems: ReadonlySet<number>;
  readonly names: NameTable;
  readonly looks: PopularLooks;
};

/** One version of the signals: needs no network access, answers in a microsecond. */
export type SignalBook = {
  /** Eight hexadecimal digits of the content; zeros without a training. Part of every snapshotId. */
  readonly version: string;
  /** The signals of an indicator; null: it has none. */
  readonly signalsOf: (
    subject: Indicator,
    context: IndicatorContext,
    networks: Pick<NetworkBook, 'networkOf'>,
  ) => SignalFacts | null;
};

export const NO_SIGNAL_BOOK: SignalBook = { version: '00000000', signalsOf: () => null };

export function signalBookOf(version: string, tables: SignalTables): SignalBook {
  return {
    version,
    signalsOf: (subject, context, networks) => {
      // Guarded and reserved values have no signals; the score checks this again.
      if (context.guards.length > 0 || context.inheritedGuards.length > 0 || context.isReserved) return null;
      if (subject.kind === 'ip') return ofAddress(tables, subject, context, networks);
      const host = hostOf(subject);
      const hasName = (subject.kind === 'domain' || subject.kind === 'url') && host?.kind === 'domain';
      return hasName && !context.isTenantSuffix ? ofName(tables, host, context) : null;
    },
  };
}

type Address = Extract<Indicator, { kind: 'ip' }>;
type Name = Extract<Indicator, { kind: 'domain' }>;

/** IPv6 is left out: lists hold too few addresses for a density (scoring finding 6). */
function ofAddress(
  { listed, crowdedSystems }: SignalTables,
  ip: Address,
  { labels }: IndicatorContext,
  { networkOf }: Pick<NetworkBook, 'networkOf'>,
): SignalFacts | null {
  if (ip.version !== 4 || labels.length > 0) return null;
  const isCrowded = (): boolean => crowdedSystems.has(networkOf(ip)?.asn ?? 0);
  const neighbourhood = crowdingOf(neighboursOf(listed, ip.address), isCrowded);
  return neighbourhood === null ? null : { neighbourhood, name: null, imitates: null };
}

function ofName(
  { names, looks }: SignalTables,
  { value, registrable }: Name,
  { platform }: IndicatorContext,
): SignalFacts | null {
  const name = nameSignalOf(names, partsOf(value, platform, registrable));
  const imitates = imitatedBy(value, looks);
  return name === null && imitates === null ? null : { neighbourhood: null, name, imitates };
}
