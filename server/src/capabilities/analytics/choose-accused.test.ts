import { describe, expect, test } from 'vitest';
import { KIND } from '#capabilities/corpus/index.ts';
import { registrySource } from '#test/registry.ts';
import { chooseAccused, type ListedAddress } from './choose-accused.ts';
import { SIGNATURE_BASE } from './count-levels.ts';

const NOW_MS = Date.UTC(2027, 2, 1, 12);
const source = (number: number, given: object = {}) =>
  registrySource({
    number,
    letter: 'A',
    reliability: 0.95,
    fpRisk: 'low',
    category: 'c2',
    redistributable: true,
    dataAtS: NOW_MS / 1_000 - 3_600,
    lastFetchAtS: NOW_MS / 1_000 - 3_600,
    ...given,
  });
const SOURCES = [
  source(1),
  source(2),
  source(3, { redistributable: false }),
  source(4, { letter: 'E', reliability: 0.2, fpRisk: 'high' }),
  source(5, { enabled: false }),
];
const address = (value: string, ...numbers: number[]): ListedAddress => ({
  value,
  kind: KIND.ipv4,
  signature: numbers.map((number) => number * SIGNATURE_BASE),
});
const chosen = (...addresses: ListedAddress[]) => chooseAccused(addresses, SOURCES, NOW_MS);

describe('the accused address that a page offers as an example', () => {
  test('is the one with the worst level, and is told with the number of sources that accuse it', () => {
    expect(chosen(address('9.0.0.1', 1), address('9.0.0.2', 1, 2))).toEqual({
      value: '9.0.0.2',
      sourceCount: 2,
    });
  });

  test('is none where no address reaches a high level: a weak listing is no example', () => {
    expect(chosen(address('9.0.0.1', 4), address('9.0.0.2', 5))).toBeNull();
    expect(chosen()).toBeNull();
  });

  test('is none that only sources name which may not be passed on', () => {
    expect(chosen(address('9.0.0.1', 3))).toBeNull();
    expect(chosen(address('9.0.0.1', 3), address('9.0.0.2', 1, 3))?.value).toBe('9.0.0.2');
  });
});
