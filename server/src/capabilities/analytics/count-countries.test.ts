import { expect, test } from 'vitest';
import { type AddressBatch, countCountries } from './count-countries.ts';

async function* batches(...given: AddressBatch[]): AsyncGenerator<AddressBatch> {
  yield* given;
}
const bytesOf = (...addresses: number[][]) => Buffer.from(addresses.flat());
const site = [0x2a, 0x0b, 0xf4, 0xc2, ...Array.from({ length: 11 }, () => 0), 1];

test('every address of every batch is looked up once, and addresses without a country are left out', async () => {
  const asked: string[] = [];
  const known: Record<string, string> = { '9.0.0.1': 'DE', '9.0.0.2': 'DE', '2a0b:f4c2::1': 'NL' };
  const counts = await countCountries(
    batches(
      { bytes: bytesOf([9, 0, 0, 1], [9, 0, 0, 2]), size: 4 },
      { bytes: bytesOf([250, 0, 0, 3]), size: 4 },
      { bytes: bytesOf(site, [...site.slice(0, 15), 2]), size: 16 },
    ),
    {
      countryOf: ({ value }) => {
        asked.push(value);
        return known[value] ?? null;
      },
    },
  );
  expect(asked).toEqual(['9.0.0.1', '9.0.0.2', '250.0.0.3', '2a0b:f4c2::1', '2a0b:f4c2::2']);
  expect(counts).toEqual({ DE: 2, NL: 1 });
});
