import { KIND } from '#capabilities/corpus/index.ts';
import { MODEL_VERSION } from '#domain/scoring/index.ts';
import { SHIPPED_BOOK } from '#domain/weights/index.ts';
import { sha256Of } from '#platform/sha256.ts';
import { shapesOf } from './class-facts.ts';
import type { StandingSources } from './class-of-key.ts';

/** The format of the facts of a class. Raise it when they change; every indicator is then classified again. */
const FORMAT = 2;
const NETWORKS_MAX = 100_000;

/** Everything besides listings on which the facts of indicators depend; if it changes, all are read again. */
export type FactRules = {
  readonly format: string;
  readonly shapes: Readonly<Record<string, string>>;
  /** Version of the tables of networks, and a digest of the network numbers that lists accuse. */
  readonly networks: string;
  readonly signals: string;
};

export function factRulesOf(sources: StandingSources, nowMs: number): FactRules {
  const { corpus, enrichment, signals, weights } = sources;
  const span = { from: Buffer.of(KIND.asn), last: Buffer.of(KIND.asn + 1) };
  const accused = corpus
    .accusedBetween(span, NETWORKS_MAX)
    .accused.map(({ key }) => Buffer.from(key).toString('hex'));
  return {
    format: `${FORMAT}-${MODEL_VERSION}`,
    shapes: shapesOf(corpus.registry().sources, weights?.book() ?? SHIPPED_BOOK, nowMs),
    networks: `${enrichment.book().version}-${sha256Of(accused.join(' ')).slice(0, 8)}`,
    signals: signals.book().version,
  };
}

/** Whether stored facts are out of date. A new source changes none; one that changes sides or is switched off does. */
export function differsFrom(
  { format, shapes = {}, networks, signals }: Partial<FactRules>,
  now: FactRules,
): boolean {
  if (format !== now.format || networks !== now.networks || signals !== now.signals) return true;
  return Object.entries(shapes).some(([number, shape]) => now.shapes[number] !== shape);
}
