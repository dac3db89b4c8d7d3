import { tenantPlatform } from '#domain/indicator/index.ts';
import { NAMED_MIN } from '#domain/signals/index.ts';
import { SHIPPED_TABLE } from '#domain/weights/index.ts';
import type { SignalContent } from './signal-file.ts';

const WWW = 'www.';

/** Counts the distinct tenants of each platform among names that arrive in the order of their keys. */
export class PlatformCounts {
  readonly #tenants = new Map<string, Set<string>>();

  add(host: string): void {
    const platform = tenantPlatform(host);
    if (platform === null) return;
    const tenants = this.#tenants.get(platform);
    const tenant = host.startsWith(WWW) ? host.slice(WWW.length) : host;
    if (tenants === undefined) this.#tenants.set(platform, new Set([tenant]));
    else tenants.add(tenant);
  }

  /** Platforms that the count may make hot, sorted; the size comes with the release. */
  platforms(): SignalContent['platforms'] {
    return [...this.#tenants]
      .filter(([, { size }]) => size >= NAMED_MIN)
      .map(([suffix, { size }]) => ({ suffix, named: size, size: SIZES.get(suffix) ?? 0 }))
      .sort((a, b) => (a.suffix < b.suffix ? -1 : 1));
  }
}

const SIZES: ReadonlyMap<string, number> = new Map(
  SHIPPED_TABLE.platforms.map(({ suffix, size }) => [suffix, size]),
);
