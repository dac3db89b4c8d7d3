import { describe, expect, test } from 'vitest';
import { SERVICE_RANGES, serviceOfAddress } from './address-ranges.ts';

const numberOf = (address: string): number =>
  address.split('.').reduce((sum, byte) => sum * 256 + Number(byte), 0);

describe('a range that an operator publishes names its service', () => {
  test.each([
    ['40.107.22.50', 'Exchange Online'],
    ['40.93.255.255', 'Exchange Online'],
    ['104.47.127.255', 'Exchange Online'],
    ['17.58.6.42', 'iCloud Mail'],
    ['185.70.40.100', 'Proton Mail'],
    ['17.241.75.10', 'Applebot'],
  ])('%s: %s', (address, name) => {
    expect(serviceOfAddress(numberOf(address))?.name).toBe(name);
  });

  test.each(['40.91.255.255', '104.47.128.0', '17.57.255.255', '0.0.0.0', '255.255.255.255', '167.89.12.34'])(
    '%s has none',
    (address) => {
      expect(serviceOfAddress(numberOf(address))).toBeNull();
    },
  );

  test('no two ranges overlap, and each begins where its length says', () => {
    const bounds = SERVICE_RANGES.flatMap(({ ranges }) => ranges.split(' ')).map((range) => {
      const [address = '', bits = ''] = range.split('/');
      const size = 2 ** (32 - Number(bits));
      expect(numberOf(address) % size, range).toBe(0);
      return [numberOf(address), numberOf(address) + size] as const;
    });
    const sorted = bounds.toSorted((a, b) => a[0] - b[0]);
    for (const [at, [first]] of sorted.entries())
      if (at > 0) expect(first).toBeGreaterThanOrEqual(sorted[at - 1]?.[1] ?? 0);
  });
});
