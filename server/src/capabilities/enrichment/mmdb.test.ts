import { Reader, type Response } from 'mmdb-lib';
import { expect, test } from 'vitest';
import { type Ip, parseIndicator } from '#domain/indicator/index.ts';
import { bySize } from '#test/lane.ts';
import { makeMmdb } from '#test/mmdb.ts';
import { seededRandom } from '#test/seeded-random.ts';
import { openMmdb } from './mmdb.ts';

const place = (code: string) => ({ country: { iso_code: code } });
const FILE = makeMmdb({
  '1.0.0.0/8': place('AU'),
  '2.16.0.0/13': place('FR'),
  '2.24.0.0/14': place('GB'),
  '45.155.205.30/31': place('NL'),
  '128.0.0.0/2': place('US'),
  '2001:db8::/32': place('DE'),
});
const ip = (text: string): Ip => {
  const parsed = parseIndicator(text);
  if (!parsed.ok || parsed.indicator.kind !== 'ip') throw new Error(`'${text}' is no address.`);
  return parsed.indicator;
};

test('every address finds the record that the library finds, and no record where it finds none', () => {
  const { get } = openMmdb(FILE);
  const library = new Reader<Response>(FILE);
  const random = seededRandom('mmdb addresses');
  const octet = () => Math.floor(random() * 256);
  const edges = [
    '0.0.0.0',
    '0.255.255.255',
    '1.0.0.0',
    '1.255.255.255',
    '2.15.255.255',
    '2.16.0.0',
    '2.28.0.0',
  ];
  const single = ['45.155.205.29', '45.155.205.30', '45.155.205.32', '127.255.255.255', '191.255.255.255'];
  const rest = Array.from({ length: bySize(500, 20_000) }, () =>
    [octet(), octet(), octet(), octet()].join('.'),
  );
  for (const text of [
    ...edges,
    ...single,
    '192.0.0.0',
    '255.255.255.255',
    '2001:db8::1',
    '2001:db9::1',
    ...rest,
  ])
    expect(get(ip(text)), text).toEqual(library.get(text) ?? null);
});
