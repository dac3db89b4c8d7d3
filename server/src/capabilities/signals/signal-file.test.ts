import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readIpv4 } from '#domain/indicator/index.ts';
import { BUCKETS, COMMAND_SERVER, LISTED_NOW, neighboursOf } from '#domain/signals/index.ts';
import { openSignals, packSignals } from './signal-file.ts';

const ADDRESSES = Uint32Array.from([readIpv4('192.0.2.1'), readIpv4('192.0.2.2')]);
const WEIGHTS = new Int8Array(BUCKETS).fill(-3, 0, 100);
const CONTENT = {
  addresses: ADDRESSES,
  bits: Uint8Array.of(LISTED_NOW, COMMAND_SERVER),
  crowdedSystems: [64_500],
  names: { weights: WEIGHTS, threshold: { own: 40, tenant: null } },
  popular: ['google.com'],
  platforms: [{ suffix: 'sites.example', named: 333, size: 4 }],
};

/** A file as version 2 of the model wrote it: no bits beside the addresses, no platforms. */
function formatOne(format = 1): Buffer {
  const head = Buffer.from(
    JSON.stringify({
      format,
      addresses: ADDRESSES.length,
      threshold: { own: 40, tenant: 50 },
      crowdedSystems: [64_500],
      popular: ['google.com'],
    }).padEnd(256),
  );
  const length = Buffer.alloc(4);
  length.writeUInt32LE(head.length);
  const addresses = Buffer.alloc(ADDRESSES.length * 4);
  for (const [at, address] of ADDRESSES.entries()) addresses.writeUInt32LE(address, at * 4);
  return gzipSync(Buffer.concat([length, head, addresses, Buffer.from(WEIGHTS)]));
}

test('a file gives back what was packed, and its version is that of its content', async () => {
  const { version, packed } = await packSignals(CONTENT);
  const tables = await openSignals(packed);
  expect(Array.from(tables.listed.addresses)).toEqual(Array.from(ADDRESSES));
  expect(neighboursOf(tables.listed, readIpv4('192.0.2.3'))).toMatchObject({
    recent: { in24: 2 },
    now: { in24: 1 },
    commandServers: 1,
  });
  expect(tables).toMatchObject({ crowdedSystems: new Set([64_500]), names: CONTENT.names });
  expect(tables.platforms.get('sites.example')).toEqual({ named: 333, size: 4 });
  expect((await packSignals(CONTENT)).version).toBe(version);
  const other = { ...CONTENT, bits: Uint8Array.of(LISTED_NOW, LISTED_NOW) };
  expect((await packSignals(other)).version).not.toBe(version);
});

test('a file of format 1 is read for replays: its addresses were listed then, and it knows no platforms', async () => {
  const tables = await openSignals(formatOne());
  const counted = { in28: 2, in26: 2, in24: 2 };
  expect(neighboursOf(tables.listed, readIpv4('192.0.2.3'))).toEqual({
    recent: counted,
    now: counted,
    commandServers: 0,
  });
  expect(tables.names.threshold).toEqual({ own: 40, tenant: 50 });
  expect(tables.names.weights).toEqual(WEIGHTS);
  expect(tables.platforms.size).toBe(0);
});

test('a file of an unknown format, or a cut one, is refused', async () => {
  await expect(openSignals(formatOne(3))).rejects.toThrow('wrong format or length');
  await expect(openSignals(formatOne(2))).rejects.toThrow('wrong format or length');
});
