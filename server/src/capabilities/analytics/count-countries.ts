import type { Ip } from '#domain/indicator/index.ts';
import { formatIpv4, formatIpv6 } from '#domain/indicator/index.ts';

export type Countries = {
  readonly countryOf: (ip: Ip) => string | null;
};

/** Concatenated addresses of `size` bytes each, in ascending order. */
export type AddressBatch = { readonly bytes: Buffer; readonly size: 4 | 16 };

export async function countCountries(
  batches: AsyncIterable<AddressBatch>,
  { countryOf }: Countries,
): Promise<Readonly<Record<string, number>>> {
  const counts = new Map<string, number>();
  for await (const { bytes, size } of batches)
    for (let at = 0; at + size <= bytes.length; at += size) {
      const country = countryOf(addressAt(bytes, at, size));
      if (country !== null) counts.set(country, (counts.get(country) ?? 0) + 1);
    }
  return Object.fromEntries(counts);
}

function addressAt(bytes: Buffer, at: number, size: 4 | 16): Ip {
  if (size === 16) {
    const own = bytes.subarray(at, at + size);
    return { kind: 'ip', version: 6, value: formatIpv6(own), bytes: own };
  }
  const address = bytes.readUInt32BE(at);
  return { kind: 'ip', version: 4, value: formatIpv4(address), address };
}
