import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';

/** One registry per process; labels are bounded: route templates, plans, names of ours, never an indicator. */
export const registry = new Registry();

type CounterSpec<L extends string> = { name: string; help: string; labels?: readonly L[] };

export const counter = <L extends string = never>(spec: CounterSpec<L>): Counter<L> =>
  new Counter({
    name: `assay_${spec.name}`,
    help: spec.help,
    labelNames: spec.labels ?? [],
    registers: [registry],
  });

export const gauge = <L extends string = never>(spec: CounterSpec<L>): Gauge<L> =>
  new Gauge({
    name: `assay_${spec.name}`,
    help: spec.help,
    labelNames: spec.labels ?? [],
    registers: [registry],
  });

/** Event loop, heap and garbage collection of this process. Call once per process. */
export const collectProcessMetrics = (): void => collectDefaultMetrics({ register: registry });

/** The metrics of several processes as one page. */
export async function mergeMetrics(pages: readonly object[]): Promise<string> {
  return AggregatorRegistry.aggregate([...pages]).metrics();
}
