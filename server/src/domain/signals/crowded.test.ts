import { describe, expect, test } from 'vitest';
import { readIpv4 } from '../indicator/index.ts';
import {
  COMMAND_SERVER,
  crowdingOf,
  indexAddresses,
  LISTED_NOW,
  neighboursOf,
  type Surroundings,
} from './crowded.ts';

const listedOf = (given: Readonly<Record<string, number>>) => {
  const addresses = Object.keys(given).map((text) => readIpv4(text));
  const bits = new Map(Object.values(given).map((known, at) => [addresses[at], known]));
  const sorted = Uint32Array.from(addresses).sort();
  return indexAddresses(
    sorted,
    Uint8Array.from(sorted, (address) => bits.get(address) ?? 0),
  );
};
const nowAll = (...texts: readonly string[]) =>
  listedOf(Object.fromEntries(texts.map((text) => [text, LISTED_NOW])));
const NONE = { in28: 0, in26: 0, in24: 0 };
const no = (): boolean => false;
const yes = (): boolean => true;

describe('neighbours', () => {
  test('are counted by /28, /26 and /24, without the address itself', () => {
    const listed = nowAll('192.0.2.1', '192.0.2.2', '192.0.2.17', '192.0.2.200', '192.0.3.1', '192.0.1.255');
    const recentOf = (text: string) => neighboursOf(listed, readIpv4(text)).recent;
    expect(recentOf('192.0.2.1')).toEqual({ in28: 1, in26: 2, in24: 3 });
    expect(recentOf('192.0.2.3')).toEqual({ in28: 2, in26: 3, in24: 4 });
    expect(recentOf('192.0.4.1')).toEqual(NONE);
  });

  test('are the same as counting one by one, at both ends of the address space too', () => {
    const all = ['0.0.0.0', '0.0.0.15', '10.0.0.255', '10.0.1.0', '255.255.255.240', '255.255.255.255'];
    const listed = nowAll(...all);
    for (const text of [...all, '0.0.0.1', '10.0.0.254', '255.255.255.250', '127.255.0.1']) {
      const address = readIpv4(text);
      const within = (bits: number): number =>
        all.filter((one) => one !== text && readIpv4(one) >>> (32 - bits) === address >>> (32 - bits)).length;
      const counted = { in28: within(28), in26: within(26), in24: within(24) };
      expect(neighboursOf(listed, address)).toEqual({ recent: counted, now: counted, commandServers: 0 });
    }
  });

  test('an address that left its lists counts as recent, not as listed now; command servers are counted apart', () => {
    const listed = listedOf({
      '192.0.2.1': 0,
      '192.0.2.2': LISTED_NOW,
      '192.0.2.3': COMMAND_SERVER,
      '192.0.2.4': LISTED_NOW | COMMAND_SERVER,
    });
    expect(neighboursOf(listed, readIpv4('192.0.2.5'))).toEqual({
      recent: { in28: 4, in26: 4, in24: 4 },
      now: { in28: 2, in26: 2, in24: 2 },
      commandServers: 2,
    });
    expect(neighboursOf(listed, readIpv4('192.0.2.3')).commandServers).toBe(1);
  });

  test('no list gives no neighbours', () => {
    expect(neighboursOf(nowAll(), readIpv4('192.0.2.1'))).toEqual({
      recent: NONE,
      now: NONE,
      commandServers: 0,
    });
  });
});

const DENSE = { in28: 2, in26: 2, in24: 2 };
const around = (given: Partial<Surroundings>): Surroundings => ({
  recent: NONE,
  now: NONE,
  commandServers: 0,
  ...given,
});

describe('crowding', () => {
  test.each([
    [NONE, null],
    [{ in28: 0, in26: 0, in24: 1 }, 'some'],
    [{ in28: 1, in26: 2, in24: 7 }, 'some'],
    [DENSE, 'dense'],
    [{ in28: 0, in26: 3, in24: 3 }, 'dense'],
    [{ in28: 0, in26: 0, in24: 8 }, 'dense'],
    [{ in28: 4, in26: 4, in24: 4 }, 'veryDense'],
    [{ in28: 0, in26: 8, in24: 8 }, 'veryDense'],
    [{ in28: 0, in26: 0, in24: 24 }, 'veryDense'],
  ] as const)('%o of the last 90 days is %s', (recent, crowding) => {
    expect(crowdingOf(around({ recent }), no)).toBe(crowding);
  });

  test('three command servers in the /24 are very dense, two are not', () => {
    const recent = { in28: 0, in26: 0, in24: 3 };
    expect(crowdingOf(around({ recent, commandServers: 3 }), no)).toBe('veryDense');
    expect(crowdingOf(around({ recent, commandServers: 2 }), no)).toBe('some');
  });

  test('in a crowded system a network that is dense now is very dense; one that was dense, or is sparse, is not', () => {
    expect(crowdingOf(around({ recent: DENSE, now: DENSE }), yes)).toBe('veryDense');
    expect(crowdingOf(around({ recent: DENSE, now: { in28: 1, in26: 1, in24: 1 } }), yes)).toBe('dense');
    expect(crowdingOf(around({ recent: { in28: 1, in26: 1, in24: 1 } }), yes)).toBe('some');
  });
});
