/** The smallest Windows program that a loader would look at. */
export function makePe(): Buffer {
  const bytes = Buffer.alloc(256);
  bytes.write('MZ', 0, 'latin1');
  bytes.writeUInt32LE(128, 60);
  bytes.write('PE\0\0', 128, 'latin1');
  return bytes;
}

type ZipOptions = { readonly isEncrypted?: boolean; readonly isDeflated?: boolean };

/** An archive with its entries stored, or deflated by the caller. */
export function makeZip(
  entries: Readonly<Record<string, string | Uint8Array>>,
  options: ZipOptions = {},
): Buffer {
  const flags = options.isEncrypted === true ? 1 : 0;
  const method = options.isDeflated === true ? 8 : 0;
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, content] of Object.entries(entries)) {
    const data = Buffer.from(content);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(flags, 6);
    local.writeUInt16LE(method, 8);
    local.writeUInt32LE(data.length, 18);
    local.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(flags, 8);
    entry.writeUInt16LE(method, 10);
    entry.writeUInt32LE(data.length, 20);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(at, 42);
    locals.push(local, Buffer.from(name), data);
    directory.push(entry, Buffer.from(name));
    at += 30 + name.length + data.length;
  }
  const listing = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(entries).length, 10);
  end.writeUInt32LE(listing.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, listing, end]);
}

/** A file of Office before 2007 with these names in its directory. */
export function makeOle(names: readonly string[]): Buffer {
  const bytes = Buffer.alloc(512 * 3);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(bytes);
  bytes.writeUInt32LE(0, 48);
  for (const [at, name] of names.entries()) {
    const entry = 512 + at * 128;
    bytes.write(name, entry, 'utf16le');
    bytes.writeUInt16LE(name.length * 2 + 2, entry + 64);
    bytes.writeUInt8(1, entry + 66);
  }
  return bytes;
}
