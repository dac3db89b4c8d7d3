import type { Log } from '#platform/log.ts';
import { etagOf } from './choose-download.ts';
import type { OpenList } from './open-lists.ts';
import type { Renderings } from './renderings.ts';

/** A new version waits at most this long for its renderings, because the seven other lists wait behind it. */
const PREPARE_MAX_MS = 30_000;
/** Only the renderings asked last are prepared: callers choose filters freely and could else delay every version. */
const PREPARED_MAX = 16;

export const renderingKey = ({ list }: OpenList, etag: string): string => `${list} ${etag}`;

/**
 * Writes the new version in the formats that callers with a full list asked of the version before. Firewalls pull soon after
 * a build: without this, the first pulls of each format waited for its rendering, and 1 % of all pulls took over 4.7 s.
 * Samples are not prepared, because any caller without a key could ask for more of them.
 */
export async function prepareRenderings(
  renderings: Renderings,
  log: Log,
  before: OpenList,
  next: OpenList,
): Promise<void> {
  const endsAt = performance.now() + PREPARE_MAX_MS;
  const { path, head } = next;
  const asked = renderings.keptOf(before.path).filter(({ isAsked }) => isAsked);
  for (const { order } of asked.slice(-PREPARED_MAX)) {
    if (performance.now() > endsAt) return;
    const key = renderingKey(next, etagOf(next, order.variant, order.encoding, order));
    try {
      const renewed = { ...order, path, entries: head.entries, builtAtMs: head.builtAtMs };
      await renderings.prepare(key, renewed);
    } catch (error) {
      // The version opens without this rendering: the first caller who asks for it starts it again and gets the error.
      log.warn({ err: error, list: next.list, format: order.format }, 'list.not-prepared');
    }
  }
}
