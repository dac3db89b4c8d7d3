import type { CallOptions } from './exchange.ts';
import type { BulkCheckBody, BulkCheckReply, BulkLimits, BulkRow } from './generated/schemas.ts';

export type BulkOptions = CallOptions &
  Pick<BulkCheckBody, 'enrichment' | 'country'> & {
    /** Entities per request. The most that the plan allows, asked for once, when absent. */
    readonly batchSize?: number | undefined;
    /** Sees each answer whole: what it cost, and what was skipped and why. */
    readonly onBatch?: ((reply: BulkCheckReply) => void) | undefined;
  };

export type BulkCalls = {
  readonly limits: (options: CallOptions) => Promise<BulkLimits>;
  readonly check: (body: BulkCheckBody, options: CallOptions) => Promise<BulkCheckReply>;
};

/** The body may have 1 MiB (decisions 1.2); some is left for what is around the entities. */
const BODY_BYTES_MAX = 1_000_000;
/**
 * The smallest plan has one request a minute, and a list is worth waiting for that. The service asks for up to 65 s: its
 * window slides by twelfths of a minute.
 */
const PATIENCE_MS = 70_000;

/** A row for each different entity, in the order given, one batch at a time. What the service would charge twice is sent once. */
export async function* checkMany(
  calls: BulkCalls,
  entities: Iterable<string> | AsyncIterable<string>,
  options: BulkOptions,
): AsyncGenerator<BulkRow, void, undefined> {
  const { enrichment, country, batchSize, onBatch, ...rest } = options;
  const patient = { ...rest, patienceMs: rest.patienceMs ?? PATIENCE_MS };
  const most = batchSize ?? (await calls.limits(patient)).limits.maxEntitiesPerRequest;
  for await (const batch of batchesOf(entities, Math.max(1, most))) {
    const reply = await calls.check({ entities: batch, enrichment, country }, patient);
    onBatch?.(reply);
    yield* reply.results;
  }
}

async function* batchesOf(
  entities: Iterable<string> | AsyncIterable<string>,
  most: number,
): AsyncGenerator<readonly string[], void, undefined> {
  const encoder = new TextEncoder();
  const seen = new Set<string>();
  let batch: string[] = [];
  let bytes = 0;
  for await (const entity of entities) {
    // As the service tells them apart.
    const name = entity.trim().toLowerCase();
    if (seen.has(name)) continue;
    seen.add(name);
    const size = encoder.encode(JSON.stringify(entity)).length + 1;
    if (batch.length > 0 && (batch.length === most || bytes + size > BODY_BYTES_MAX)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(entity);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
