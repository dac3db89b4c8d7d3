import type { Log } from '#platform/log.ts';
import { VARIANTS, type Variant } from './bundle.ts';
import { etagOf } from './choose-download.ts';
import type { OpenList } from './open-lists.ts';
import type { Renderings } from './renderings.ts';

/** A new version is not held back longer than this. */
const PREPARE_MAX_MS = 120_000;

/** The key of a rendering in memory. */
export const renderingKey = ({ list }: OpenList, etag: string): string => `${list} ${etag}`;

/**
 * Writes the new version in every format that callers asked of the version before. Firewalls pull soon after a build:
 * without this, the first pulls of each format waited for its rendering, and 1 % of all pulls took over 4.7 s.
 */
export async function prepareRenderings(
  renderings: Readonly<Record<Variant, Renderings>>,
  log: Log,
  before: OpenList,
  next: OpenList,
): Promise<void> {
  const endsAt = performance.now() + PREPARE_MAX_MS;
  for (const variant of VARIANTS)
    for (const { order, isAsked } of renderings[variant].keptOf(before.path)) {
      if (performance.now() > endsAt) return;
      if (!isAsked) continue;
      const { path, head } = next;
      const key = renderingKey(next, etagOf(next, variant, order.encoding, order));
      try {
        const renewed = { ...order, path, entries: head.entries, builtAtMs: head.builtAtMs };
        await renderings[variant].prepare(key, renewed);
      } catch (error) {
        // The first caller asks for it again and gets the reason.
        log.warn({ err: error, list: next.list, format: order.format }, 'list.not-prepared');
      }
    }
}
