import type { Log } from '#platform/log.ts';
import { etagOf } from './choose-download.ts';
import type { OpenList } from './open-lists.ts';
import type { Renderings } from './renderings.ts';

/** A new version of a list is not held back longer than this; eight lists are opened one after the other. */
const PREPARE_MAX_MS = 30_000;
/** The last asked ones of a list. Callers choose the filters, so their number must not decide how long a version waits. */
const PREPARED_MAX = 16;

/** The key of a rendering in memory. */
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
      // The first caller asks for it again and gets the reason.
      log.warn({ err: error, list: next.list, format: order.format }, 'list.not-prepared');
    }
  }
}
