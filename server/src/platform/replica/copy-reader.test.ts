import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CopyReader } from './copy-reader.ts';
import { type Change, packChanges, unpackChanges } from './packed-changes.ts';

const bytes = (maxLength: number) => fc.uint8Array({ maxLength }).map((array) => Buffer.from(array));

function copyOf(rows: readonly (readonly [Buffer, Buffer])[]): Buffer {
  const header = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
  const field = (value: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(value.length);
    return Buffer.concat([length, value]);
  };
  const tuples = rows.map(([key, value]) => Buffer.concat([Buffer.from([0, 2]), field(key), field(value)]));
  return Buffer.concat([header, ...tuples, Buffer.from([0xff, 0xff])]);
}

describe('the COPY reader', () => {
  it('finds the same rows for any chunk boundaries', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(bytes(20), bytes(60)), { maxLength: 20 }),
        fc.integer({ min: 1, max: 40 }),
        (rows, chunkBytes) => {
          const found: [string, string][] = [];
          const reader = new CopyReader((key, value) =>
            found.push([key.toString('hex'), value.toString('hex')]),
          );
          const copy = copyOf(rows);
          for (let at = 0; at < copy.length; at += chunkBytes)
            reader.read(copy.subarray(at, at + chunkBytes));
          reader.end();
          expect(found).toEqual(rows.map(([key, value]) => [key.toString('hex'), value.toString('hex')]));
        },
      ),
    );
  });

  it('notices a stream that ends early', () => {
    const reader = new CopyReader(() => undefined);
    reader.read(copyOf([[Buffer.from('a'), Buffer.from('b')]]).subarray(0, -2));
    expect(() => reader.end()).toThrow('before its last row');
  });
});

describe('packed changes', () => {
  it('packed changes are read back unchanged, and an empty value differs from a deletion', () => {
    const value = fc.oneof(fc.constant(null), bytes(50));
    fc.assert(
      fc.property(fc.array(fc.record({ key: bytes(20), value }), { maxLength: 30 }), (changes: Change[]) => {
        const found: Change[] = [];
        unpackChanges(packChanges(changes), (key, value) => found.push({ key, value }));
        expect(found.map((change) => [change.key, change.value])).toEqual(
          changes.map((change) => [change.key, change.value]),
        );
      }),
    );
  });
});
