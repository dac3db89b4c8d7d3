import { KIND } from '#capabilities/corpus/index.ts';
import { MODEL_VERSION } from '#domain/scoring/index.ts';
import { sha256Of } from '#platform/sha256.ts';
import { shapesOf } from './class-facts.ts';
import type { StandingSources } from './class-of-key.ts';

/** Of the facts of a class; another format means a walk. */
const FORMAT = 1;
const NETWORKS_MAX = 100_000;

/** What decides the facts of every indicator beside its listings. */
export type FactRules = {
  readonly format: string;
  readonly shapes: Readonly<Record<string, string>>;
  /** Networks on lists of criminal networks, and the tables that say who is in one. */
  readonly networks: string;
  readonly signals: string;
};

export function factRulesOf({ corpus, enrichment, signals }: StandingSources): FactRules {
  const span = { from: Buffer.of(KIND.asn), last: Buffer.of(KIND.asn + 1) };
  const accused = corpus
    .accusedBetween(span, NETWORKS_MAX)
    .accused.map(({ key }) => Buffer.from(key).toString('hex'));
  return {
    format: `${FORMAT}-${MODEL_VERSION}`,
    shapes: shapesOf(corpus.registry().sources),
    networks: `${enrichment.book().version}-${sha256Of(accused.join(' ')).slice(0, 8)}`,
    signals: signals.book().version,
  };
}

/** A source that is new changes nothing that is stored; one that changes sides, or is switched off, does. */
export function differsFrom(
  { format, shapes = {}, networks, signals }: Partial<FactRules>,
  now: FactRules,
): boolean {
  if (format !== now.format || networks !== now.networks || signals !== now.signals) return true;
  return Object.entries(shapes).some(([number, shape]) => now.shapes[number] !== shape);
}
