import { type Cidr4, type Cidr6, parseIndicator } from '../indicator/index.ts';
import { SERVICE_RANGES } from './address-ranges.ts';
import { findService, SERVICE_ADDRESSES } from './find-service.ts';

/** A named service with an address in a range, and that address or the published range. */
export type ServiceWithin = { readonly name: string; readonly value: string };

type Place = ServiceWithin & { readonly version: 4 | 6; readonly bytes: Uint8Array; readonly bits: number };

let places: readonly Place[] | null = null;

/** The named services that have an address inside the range, or a published range inside or around it; each once. */
export function servicesWithin(range: Cidr4 | Cidr6): readonly ServiceWithin[] {
  places ??= readPlaces();
  const bytes = bytesOf(range);
  const found = new Map<string, ServiceWithin>();
  for (const { name, value, version, bytes: first, bits } of places)
    if (version === range.version && !found.has(name) && sharesBits(first, bytes, Math.min(bits, range.bits)))
      found.set(name, { name, value });
  return [...found.values()];
}

function readPlaces(): readonly Place[] {
  const addresses = SERVICE_ADDRESSES.map((value) => ({ value, name: findService(value)?.name ?? '' }));
  const ranges = SERVICE_RANGES.flatMap(({ name, ranges: published }) =>
    published.split(' ').map((value) => ({ value, name })),
  );
  return [...addresses, ...ranges].flatMap(({ value, name }): Place[] => {
    const parsed = parseIndicator(value);
    if (!parsed.ok || (parsed.indicator.kind !== 'ip' && parsed.indicator.kind !== 'cidr')) return [];
    const { indicator } = parsed;
    const bytes = bytesOf(indicator);
    const bits = indicator.kind === 'cidr' ? indicator.bits : bytes.length * 8;
    return [{ name, value: indicator.value, version: indicator.version, bytes, bits }];
  });
}

function bytesOf(
  of: { readonly version: 4; readonly address: number } | { readonly version: 6; readonly bytes: Uint8Array },
): Uint8Array {
  if (of.version === 6) return of.bytes;
  const { address } = of;
  return Uint8Array.of(address >>> 24, (address >>> 16) & 0xff, (address >>> 8) & 0xff, address & 0xff);
}

function sharesBits(one: Uint8Array, other: Uint8Array, bits: number): boolean {
  for (let at = 0; at * 8 < bits; at += 1) {
    const mask = bits - at * 8 >= 8 ? 0xff : (0xff << (8 - (bits - at * 8))) & 0xff;
    if ((((one[at] as number) ^ (other[at] as number)) & mask) !== 0) return false;
  }
  return true;
}
