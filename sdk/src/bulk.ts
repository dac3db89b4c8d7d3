import type { CallOptions } from './exchange.ts';
import type { BulkCheckBody, BulkCheckReply, BulkLimits, BulkRow } from './generated/schemas.ts';

export type BulkOptions = CallOptions &
  Pick<BulkCheckBody, 'enrichment' | 'country'> & {
    /** Entities per request. Defaults to the plan's maximum, which is requested once. */
    readonly batchSize?: number | undefined;
    /** Called with each whole reply: its charge, and the skipped entities with reasons. */
    readonly onBatch?: ((reply: BulkCheckReply) => void) | undefined;
  };

export type BulkCalls = {
  readonly limits: (options: CallOptions) => Promise<BulkLimits>;
  readonly check: (body: BulkCheckBody, options: CallOptions) => Promise<BulkCheckReply>;
};

/** Bytes of entities in one request. The body limit is 1 MiB (decisions 1.2); the rest is for the JSON around them. */
const BODY_BYTES_MAX = 1_000_000;
/**
 * The longest wait of a batch: the smallest plan allows one request a minute. Retry-After is at most 65 s, because the
 * service's window slides by twelfths of a minute.
 */
const PATIENCE_MS = 70_000;

/**
 * One row per distinct entity, in the given order, one batch at a time. Entities that the service treats as equal are
 * sent once.
 */
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
    // The service compares entities trimmed and in lower case.
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
