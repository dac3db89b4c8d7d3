const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');
const HEADER_BYTES = SIGNATURE.length + 8;
const END = -1;

/** Reads `COPY (select key, value ...) TO STDOUT (format binary)`, whose chunks end at any byte. */
export class CopyReader {
  readonly #onEntry: (key: Buffer, value: Buffer) => void;
  #rest: Buffer = Buffer.alloc(0);
  #state: 'header' | 'rows' | 'ended' = 'header';

  constructor(onEntry: (key: Buffer, value: Buffer) => void) {
    this.#onEntry = onEntry;
  }

  read(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = 0;
    if (this.#state === 'header') {
      if (bytes.length < HEADER_BYTES) {
        this.#rest = bytes;
        return;
      }
      if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE))
        throw new Error('PostgreSQL sent something that is not a binary COPY.');
      at = HEADER_BYTES + bytes.readUInt32BE(HEADER_BYTES - 4);
      this.#state = 'rows';
    }
    while (this.#state === 'rows') {
      const next = this.#readRow(bytes, at);
      if (next === null) break;
      at = next;
    }
    this.#rest = Buffer.from(bytes.subarray(at));
  }

  end(): void {
    if (this.#state !== 'ended') throw new Error('The COPY ended before its last row.');
  }

  #readRow(bytes: Buffer, at: number): number | null {
    if (bytes.length < at + 2) return null;
    const fields = bytes.readInt16BE(at);
    if (fields === END) {
      this.#state = 'ended';
      return at + 2;
    }
    if (fields !== 2) throw new Error(`A collection's view has the columns key and value, not ${fields}.`);
    if (bytes.length < at + 6) return null;
    const keyAt = at + 6;
    const keyEnd = keyAt + bytes.readInt32BE(at + 2);
    if (keyEnd < keyAt) throw new Error("A collection's view has a null key.");
    if (bytes.length < keyEnd + 4) return null;
    const valueAt = keyEnd + 4;
    const valueEnd = valueAt + bytes.readInt32BE(keyEnd);
    if (valueEnd < valueAt) throw new Error("A collection's view has a null value.");
    if (bytes.length < valueEnd) return null;
    this.#onEntry(bytes.subarray(keyAt, keyEnd), bytes.subarray(valueAt, valueEnd));
    return valueEnd;
  }
}
