import { crc32, deflateRawSync } from 'node:zlib';

export type ArchiveMember = { readonly path: string; readonly content: string | Buffer };

const BLOCK = 512;

/** A ustar archive. `long`: the way to write a name over 100 bytes. */
export function makeTar(
  members: readonly ArchiveMember[],
  { long = 'pax' }: { readonly long?: 'pax' | 'gnu' } = {},
): Buffer {
  const parts = members.flatMap(({ path, content }) => {
    const bytes = Buffer.from(content);
    const name = Buffer.from(path);
    const isLong = name.length > 100;
    const record =
      long === 'gnu'
        ? tarMember('././@LongLink', Buffer.concat([name, Buffer.alloc(1)]), 'L')
        : tarMember('PaxHeaders/x', Buffer.from(paxRecord('path', path)), 'x');
    return [...(isLong ? [record] : []), tarMember(isLong ? 'cut' : path, bytes, '0')];
  });
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}

/** One header and its content, for folders, links and other special members. */
export function tarMember(name: string, content: Buffer, type: string): Buffer {
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0, 100);
  header.write('0000644\0', 100);
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write('        ', 148);
  header.write(type, 156);
  header.write('ustar\x0000', 257, 'latin1');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return Buffer.concat([header, content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)]);
}

function paxRecord(key: string, value: string): string {
  const body = ` ${key}=${value}\n`;
  const bytes = Buffer.byteLength(body);
  let length = bytes + String(bytes).length;
  if (String(length).length > String(bytes).length) length += 1;
  return `${length}${body}`;
}

export type ZipOptions = {
  readonly method?: 'stored' | 'deflated';
  /** Writes sizes and checksum after the data, as streaming programs do. */
  readonly descriptor?: boolean;
  readonly encrypted?: boolean;
  readonly comment?: string;
};

export function makeZip(members: readonly ArchiveMember[], options: ZipOptions = {}): Buffer {
  const { method = 'deflated', descriptor = false, encrypted = false, comment = '' } = options;
  const local: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { path, content } of members) {
    const bytes = Buffer.from(content);
    const packed = method === 'stored' ? bytes : deflateRawSync(bytes);
    const name = Buffer.from(path);
    const known = Buffer.alloc(16);
    known.writeUInt16LE((descriptor ? 8 : 0) | (encrypted ? 1 : 0), 0);
    known.writeUInt16LE(method === 'stored' ? 0 : 8, 2);
    const sizes = Buffer.alloc(12);
    sizes.writeUInt32LE(crc32(bytes), 0);
    sizes.writeUInt32LE(packed.length, 4);
    sizes.writeUInt32LE(bytes.length, 8);
    const entry = [
      Buffer.from('504b03041400', 'hex'),
      known.subarray(0, 8),
      descriptor ? Buffer.alloc(12) : sizes,
      uint16(name.length),
      uint16(0),
      name,
      packed,
      ...(descriptor ? [Buffer.from('504b0708', 'hex'), sizes] : []),
    ];
    directory.push(
      Buffer.from('504b010214001400', 'hex'),
      known.subarray(0, 8),
      sizes,
      uint16(name.length),
      Buffer.alloc(12),
      uint32(at),
      name,
    );
    local.push(...entry);
    at += entry.reduce((total, part) => total + part.length, 0);
  }
  const central = Buffer.concat(directory);
  return Buffer.concat([
    ...local,
    central,
    Buffer.from('504b050600000000', 'hex'),
    uint16(members.length),
    uint16(members.length),
    uint32(central.length),
    uint32(at),
    uint16(comment.length),
    Buffer.from(comment),
  ]);
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
