import { describe, expect, test } from 'vitest';
import { readIpv4 } from '../indicator/index.ts';
import { crowdingOf, indexAddresses, neighboursOf } from './crowded.ts';

const listedOf = (...addresses: readonly string[]) =>
  indexAddresses(Uint32Array.from(addresses.map((text) => readIpv4(text))).sort());
const no = (): boolean => false;
const yes = (): boolean => true;

describe('neighbours', () => {
  test('are counted by /28, /26 and /24, without the address itself', () => {
    const listed = listedOf(
      '192.0.2.1',
      '192.0.2.2',
      '192.0.2.17',
      '192.0.2.200',
      '192.0.3.1',
      '192.0.1.255',
    );
    expect(neighboursOf(listed, readIpv4('192.0.2.1'))).toEqual({ in28: 1, in26: 2, in24: 3 });
    expect(neighboursOf(listed, readIpv4('192.0.2.3'))).toEqual({ in28: 2, in26: 3, in24: 4 });
    expect(neighboursOf(listed, readIpv4('192.0.4.1'))).toEqual({ in28: 0, in26: 0, in24: 0 });
  });

  test('are the same as counting one by one, at both ends of the address space too', () => {
    const all = ['0.0.0.0', '0.0.0.15', '10.0.0.255', '10.0.1.0', '255.255.255.240', '255.255.255.255'];
    const listed = listedOf(...all);
    for (const text of [...all, '0.0.0.1', '10.0.0.254', '255.255.255.250', '127.255.0.1']) {
      const address = readIpv4(text);
      const within = (bits: number): number =>
        all.filter((one) => one !== text && readIpv4(one) >>> (32 - bits) === address >>> (32 - bits)).length;
      expect(neighboursOf(listed, address)).toEqual({ in28: within(28), in26: within(26), in24: within(24) });
    }
  });

  test('no list gives no neighbours', () => {
    expect(neighboursOf(listedOf(), readIpv4('192.0.2.1'))).toEqual({ in28: 0, in26: 0, in24: 0 });
  });
});

describe('crowding', () => {
  test.each([
    [{ in28: 0, in26: 0, in24: 0 }, null],
    [{ in28: 0, in26: 0, in24: 1 }, 'some'],
    [{ in28: 1, in26: 2, in24: 7 }, 'some'],
    [{ in28: 2, in26: 2, in24: 2 }, 'dense'],
    [{ in28: 0, in26: 3, in24: 3 }, 'dense'],
    [{ in28: 0, in26: 0, in24: 8 }, 'dense'],
    [{ in28: 4, in26: 4, in24: 4 }, 'veryDense'],
    [{ in28: 0, in26: 8, in24: 8 }, 'veryDense'],
    [{ in28: 0, in26: 0, in24: 24 }, 'veryDense'],
  ] as const)('%o is %s', (neighbours, crowding) => {
    expect(crowdingOf(neighbours, no)).toBe(crowding);
  });

  test('in a crowded system a dense network is very dense, and a sparse one is not', () => {
    expect(crowdingOf({ in28: 2, in26: 2, in24: 2 }, yes)).toBe('veryDense');
    expect(crowdingOf({ in28: 1, in26: 1, in24: 1 }, yes)).toBe('some');
  });
});
