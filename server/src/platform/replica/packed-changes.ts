/** Changed keys with their new values as bytes for the pipe to the writer. A null value is a deletion. */
export type Change = { readonly key: Uint8Array; readonly value: Uint8Array | null };

const DELETED = -1;
const HEADER_BYTES = 8;

export function packChanges(changes: readonly Change[]): Buffer {
  let bytes = 0;
  for (const { key, value } of changes) bytes += HEADER_BYTES + key.length + (value?.length ?? 0);
  const packed = Buffer.allocUnsafe(bytes);
  let at = 0;
  for (const { key, value } of changes) {
    packed.writeInt32LE(key.length, at);
    packed.writeInt32LE(value?.length ?? DELETED, at + 4);
    packed.set(key, at + HEADER_BYTES);
    if (value !== null) packed.set(value, at + HEADER_BYTES + key.length);
    at += HEADER_BYTES + key.length + (value?.length ?? 0);
  }
  return packed;
}

export function unpackChanges(packed: Buffer, onChange: (key: Buffer, value: Buffer | null) => void): void {
  let at = 0;
  while (at < packed.length) {
    const keyBytes = packed.readInt32LE(at);
    const valueBytes = packed.readInt32LE(at + 4);
    const keyAt = at + HEADER_BYTES;
    const valueAt = keyAt + keyBytes;
    const end = valueAt + Math.max(0, valueBytes);
    onChange(packed.subarray(keyAt, valueAt), valueBytes === DELETED ? null : packed.subarray(valueAt, end));
    at = end;
  }
}
