import { GateError } from '../gate-error.ts';
import { MemberText, type SnapshotEvents } from './member-text.ts';
import type { UnpackBudget } from './unpack-budget.ts';

export const TAR_BLOCK = 512;
/** Limit of a long name or pax record: longer than any path, but small enough for memory. */
const EXTENDED_BYTES_MAX = 1024 ** 2;
const CHECKSUM_AT = 148;
const CHECKSUM_END = 156;
const SPACE = 32;

/** True for a block with a correct checksum, which text and other archives do not have by chance. */
export function isTarHeader(block: Buffer): boolean {
  if (block.length < TAR_BLOCK || block[0] === 0) return false;
  const stored = Number.parseInt(readText(block, CHECKSUM_AT, CHECKSUM_END).trim(), 8);
  let sum = 0;
  for (let i = 0; i < TAR_BLOCK; i++) sum += i >= CHECKSUM_AT && i < CHECKSUM_END ? SPACE : (block[i] ?? 0);
  return stored === sum;
}

type Header = { readonly type: string; readonly name: string; readonly size: number };

/** Supports ustar, pax and GNU long names. Only regular files are members; folders, links and devices are skipped. */
export async function readTar(
  head: Buffer,
  chunks: AsyncGenerator<Buffer>,
  budget: UnpackBudget,
  on: SnapshotEvents,
): Promise<void> {
  const input = new BlockInput(head, chunks);
  const text = new MemberText(on);
  let longName: string | null = null;
  let longSize: number | null = null;
  for (;;) {
    const block = await input.take(TAR_BLOCK);
    if (block.every((byte) => byte === 0)) break; // The end mark; padding follows.
    const { type, name, size } = headerOf(block, longSize);
    if (type === 'L') longName = cutAtNul(await input.extended(size));
    else if (type === 'x') {
      const pax = paxOf(await input.extended(size));
      longName = pax.path ?? longName;
      longSize = pax.size ?? longSize;
    } else {
      if (type === '0') await readMember(longName ?? name, size, input, text);
      else await input.passOver(size);
      await input.passOver(paddingOf(size));
      longName = null;
      longSize = null;
    }
  }
  // The rest is read so that an archive that is truncated or too large after the end mark is noticed too.
  for await (const _ of chunks) budget.add(0, Number.MAX_SAFE_INTEGER);
}

async function readMember(name: string, size: number, input: BlockInput, text: MemberText): Promise<void> {
  await text.open(name);
  if (!text.isWanted) return await input.passOver(size);
  let left = size;
  while (left > 0) {
    const piece = await input.some(left);
    left -= piece.length;
    await text.write(piece);
  }
  await text.close();
}

function headerOf(block: Buffer, longSize: number | null): Header {
  if (!isTarHeader(block)) throw broken('a header of the tar archive has a wrong checksum');
  const flag = String.fromCharCode(block[CHECKSUM_END] ?? 0);
  const type = flag === '\0' || flag === '7' ? '0' : flag;
  if (type === 'S') throw broken('sparse files in a tar archive are not supported');
  const prefix = readText(block, 257, 262) === 'ustar' && block[262] === 0 ? readText(block, 345, 500) : '';
  const name = readText(block, 0, 100);
  return { type, name: prefix === '' ? name : `${prefix}/${name}`, size: longSize ?? sizeOf(block) };
}

/** Octal text, or (first bit set) a big-endian number for files over 8 GiB, which exceed every limit. */
function sizeOf(block: Buffer): number {
  if (((block[124] ?? 0) & 0x80) !== 0) return checkedSize(Number(block.readBigUInt64BE(128)));
  const octal = readText(block, 124, 136).trim();
  return octal === '' ? 0 : checkedSize(/^[0-7]+$/.test(octal) ? Number.parseInt(octal, 8) : Number.NaN);
}

function checkedSize(size: number): number {
  if (Number.isSafeInteger(size)) return size;
  throw broken('a header of the tar archive has no usable size');
}

const readText = (block: Buffer, from: number, to: number): string => cutAtNul(block.subarray(from, to));

function cutAtNul(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.toString('utf8', 0, end < 0 ? bytes.length : end);
}

/** `<length> <key>=<value>\n`, repeated. */
function paxOf(bytes: Buffer): { readonly path: string | null; readonly size: number | null } {
  let path: string | null = null;
  let size: number | null = null;
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(SPACE, at);
    const length = Number(bytes.toString('latin1', at, space < 0 ? at : space));
    if (space < 0 || !Number.isInteger(length) || length <= space - at + 1)
      throw broken('a pax record of the tar archive cannot be read');
    const record = bytes.toString('utf8', space + 1, Math.max(space + 1, at + length - 1));
    if (record.startsWith('path=')) path = record.slice(5);
    if (record.startsWith('size=')) size = checkedSize(Number(record.slice(5)));
    at += length;
  }
  return { path, size };
}

const paddingOf = (size: number): number => (TAR_BLOCK - (size % TAR_BLOCK)) % TAR_BLOCK;

const broken = (why: string) => new GateError('archive', `The file is damaged: ${why}.`, false);

/** Serves bytes on demand from chunks of any size. */
class BlockInput {
  #rest: Buffer;
  readonly #chunks: AsyncGenerator<Buffer>;

  constructor(head: Buffer, chunks: AsyncGenerator<Buffer>) {
    this.#rest = head;
    this.#chunks = chunks;
  }

  /** Up to `bytesMax` bytes, at least one. */
  async some(bytesMax: number): Promise<Buffer> {
    if (this.#rest.length === 0) await this.#more();
    const piece = this.#rest.subarray(0, bytesMax);
    this.#rest = this.#rest.subarray(piece.length);
    return piece;
  }

  async take(bytes: number): Promise<Buffer> {
    if (this.#rest.length >= bytes) return await this.some(bytes);
    const parts: Buffer[] = [];
    let left = bytes;
    while (left > 0) {
      const piece = await this.some(left);
      parts.push(piece);
      left -= piece.length;
    }
    return Buffer.concat(parts);
  }

  async passOver(bytes: number): Promise<void> {
    for (let left = bytes; left > 0; ) left -= (await this.some(left)).length;
  }

  async extended(size: number): Promise<Buffer> {
    if (size > EXTENDED_BYTES_MAX) throw broken('a name in the tar archive is longer than 1 MiB');
    const bytes = await this.take(size);
    await this.passOver(paddingOf(size));
    return bytes;
  }

  async #more(): Promise<void> {
    do {
      const next = await this.#chunks.next();
      if (next.done === true)
        throw new GateError('truncated', 'The file ends in the middle of its tar archive.', false);
      this.#rest = next.value;
    } while (this.#rest.length === 0);
  }
}
