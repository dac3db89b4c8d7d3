import { closeSync, openSync, readSync } from 'node:fs';

/**
 * Reads an LMDB file page by page, without LMDB, and refuses everything that LMDB would not write. A scan through
 * LMDB itself would miss damage that it does not check (a separator key in a branch page hides entries from lookups
 * but not from scans; a free-page list that names a page in use destroys it at the next write) and may crash on other
 * damage. Layout: LMDB 0.9.90 as built into the `lmdb` package, 64-bit little-endian.
 */
export class DamagedFile extends Error {}

/** The buffers are only valid during the call. */
export type OnEntry = (table: string, key: Buffer, value: Buffer) => void;

const PAGE_HEADER = 24;
const NODE_HEADER = 8;
const BRANCH = 1;
const LEAF = 2;
const OVERFLOW = 4;
const META = 8;
const BIG_DATA = 1;
const SUB_DATABASE = 2;
const MAGIC = 0xbeefc0de;
const NO_PAGE = 2 ** 64;
const DEPTH_MAX = 32;
const META_BYTES = 160;

type Tree = {
  readonly flags: number;
  readonly depth: number;
  readonly branches: number;
  readonly leaves: number;
  readonly overflows: number;
  readonly entries: number;
  readonly root: number;
};
type Meta = {
  readonly pageBytes: number;
  readonly free: Tree;
  readonly main: Tree;
  readonly lastPage: number;
  readonly transaction: number;
};
type Bounds = { readonly from: Buffer | null; readonly before: Buffer | null };
type Compare = (a: Buffer, b: Buffer) => number;
type Found = { branches: number; leaves: number; overflows: number; entries: number };

const u64 = (bytes: Buffer, at: number): number =>
  bytes.readUInt32LE(at) + bytes.readUInt32LE(at + 4) * 2 ** 32;
const even = (bytes: number): number => bytes + (bytes & 1);
const byBytes = (a: Buffer, b: Buffer): number => Buffer.compare(a, b);
const byInteger = (a: Buffer, b: Buffer): number => u64(a, 0) - u64(b, 0);

/** Calls `onEntry` for every entry of every named table in key order; throws DamagedFile at the first inconsistency. */
export function readPages(path: string, onEntry: OnEntry): void {
  const file = openSync(path, 'r');
  try {
    new PageReader(file).readAll(onEntry);
  } catch (error) {
    if (error instanceof RangeError)
      throw new DamagedFile(`a length points outside its page (${error.message})`);
    throw error;
  } finally {
    closeSync(file);
  }
}

class PageReader {
  readonly #file: number;
  readonly #meta: Meta;
  /** One bit for each page: used by a tree, or listed as free. */
  readonly #seen: Uint8Array;
  readonly #pages: Buffer[] = [];

  constructor(file: number) {
    this.#file = file;
    this.#meta = readMeta(file);
    this.#seen = new Uint8Array((this.#meta.lastPage >>> 3) + 1);
  }

  readAll(onEntry: OnEntry): void {
    const tables: [string, Tree][] = [];
    this.#readTree(this.#meta.main, byBytes, (key, value, flags) => {
      if (flags !== SUB_DATABASE) throw new DamagedFile('the root table holds something that is not a table');
      // The package ends table names with a zero byte.
      if (key.at(-1) !== 0) throw new DamagedFile('a table has an invalid name');
      tables.push([key.toString('utf8', 0, key.length - 1), readTreeRecord(value, 0)]);
    });
    for (const [name, tree] of tables) {
      if (tree.flags !== 0) throw new DamagedFile(`table '${name}' has flags ${tree.flags}`);
      this.#readTree(tree, byBytes, (key, value) => onEntry(name, key, value));
    }
    this.#readTree(this.#meta.free, byInteger, (_key, value) => this.#readFreePages(value));
  }

  #readTree(tree: Tree, compare: Compare, onNode: (key: Buffer, value: Buffer, flags: number) => void): void {
    const found: Found = { branches: 0, leaves: 0, overflows: 0, entries: 0 };
    if (tree.root < NO_PAGE) {
      if (tree.depth < 1 || tree.depth > DEPTH_MAX) throw new DamagedFile(`a tree has depth ${tree.depth}`);
      this.#readNodes(tree.root, 1, tree.depth, { from: null, before: null }, compare, onNode, found);
    }
    const expected: Found = tree;
    for (const field of ['branches', 'leaves', 'overflows', 'entries'] as const)
      if (found[field] !== expected[field])
        throw new DamagedFile(`a tree has ${found[field]} ${field} where its record says ${expected[field]}`);
  }

  #readNodes(
    pageNumber: number,
    level: number,
    depth: number,
    bounds: Bounds,
    compare: Compare,
    onNode: (key: Buffer, value: Buffer, flags: number) => void,
    found: Found,
  ): void {
    const page = this.#readPage(pageNumber, level);
    const isLeaf = level === depth;
    if (page.readUInt16LE(18) !== (isLeaf ? LEAF : BRANCH))
      throw new DamagedFile(`page ${pageNumber} is of the wrong kind`);
    const keys = page.readUInt16LE(20) >>> 1;
    this.#checkFill(page, pageNumber, keys, isLeaf);
    let previous: Buffer | null = null;
    for (let index = 0; index < keys; index += 1) {
      const at = nodeAt(page, index);
      const key = page.subarray(at + NODE_HEADER, at + NODE_HEADER + page.readUInt16LE(at + 6));
      // The first key of a branch page stands for every smaller key and is never compared.
      if (isLeaf || index > 0) {
        if (bounds.from !== null && compare(key, bounds.from) < 0)
          throw new DamagedFile(`page ${pageNumber} holds a key that belongs before it`);
        if (bounds.before !== null && compare(key, bounds.before) >= 0)
          throw new DamagedFile(`page ${pageNumber} holds a key that belongs after it`);
        if (previous !== null && compare(previous, key) >= 0)
          throw new DamagedFile(`page ${pageNumber} is out of order`);
        previous = key;
      }
      if (isLeaf) {
        found.entries += 1;
        this.#readValue(page, at, key, onNode, found);
        continue;
      }
      const child = page.readUInt32LE(at) + page.readUInt16LE(at + 4) * 2 ** 32;
      const nextAt = index + 1 < keys ? nodeAt(page, index + 1) : null;
      const before =
        nextAt === null
          ? bounds.before
          : page.subarray(nextAt + NODE_HEADER, nextAt + NODE_HEADER + page.readUInt16LE(nextAt + 6));
      const from = index === 0 ? bounds.from : key;
      this.#readNodes(child, level + 1, depth, { from, before }, compare, onNode, found);
    }
    if (isLeaf) found.leaves += 1;
    else found.branches += 1;
  }

  /** Nodes fill the end of the page without a gap; the writer relies on `upper` when it adds one. */
  #checkFill(page: Buffer, pageNumber: number, keys: number, isLeaf: boolean): void {
    const lower = page.readUInt16LE(20);
    const upper = page.readUInt16LE(22);
    const room = this.#meta.pageBytes - PAGE_HEADER;
    let lowest = room;
    let total = 0;
    for (let index = 0; index < keys; index += 1) {
      const at = nodeAt(page, index);
      const dataBytes = !isLeaf
        ? 0
        : (page.readUInt16LE(at + 4) & BIG_DATA) !== 0
          ? 24
          : page.readUInt32LE(at);
      lowest = Math.min(lowest, at - PAGE_HEADER);
      total += even(NODE_HEADER + page.readUInt16LE(at + 6) + dataBytes);
    }
    if (keys === 0 || (lower & 1) !== 0 || lower > upper || lowest !== upper || total !== room - upper)
      throw new DamagedFile(`page ${pageNumber} is not filled the way LMDB fills one`);
  }

  #readValue(
    page: Buffer,
    at: number,
    key: Buffer,
    onNode: (key: Buffer, value: Buffer, flags: number) => void,
    found: Found,
  ): void {
    const flags = page.readUInt16LE(at + 4);
    const bytes = page.readUInt32LE(at);
    const dataAt = at + NODE_HEADER + key.length;
    if ((flags & ~(BIG_DATA | SUB_DATABASE)) !== 0) throw new DamagedFile(`an entry has flags ${flags}`);
    if ((flags & BIG_DATA) === 0) {
      onNode(key, page.subarray(dataAt, dataAt + bytes), flags);
      return;
    }
    const first = u64(page, dataAt);
    const pages = Math.floor((PAGE_HEADER - 1 + bytes) / this.#meta.pageBytes) + 1;
    if (u64(page, dataAt + 8) > this.#meta.transaction)
      throw new DamagedFile('a large value has a later transaction number than the file');
    if (u64(page, dataAt + 16) !== pages)
      throw new DamagedFile('a large value has the wrong number of pages');
    for (let extra = 1; extra < pages; extra += 1) this.#markPage(first + extra);
    const big = this.#readPage(first, 0, pages);
    if (big.readUInt16LE(18) !== OVERFLOW || big.readUInt32LE(20) !== pages)
      throw new DamagedFile(`page ${first} does not start a large value`);
    found.overflows += pages;
    onNode(key, big.subarray(PAGE_HEADER, PAGE_HEADER + bytes), flags & ~BIG_DATA);
  }

  /** A count, then page numbers; a negative number gives the length of the run that starts at the next number. */
  #readFreePages(list: Buffer): void {
    const count = u64(list, 0);
    let run = 1;
    for (let index = 1; index <= count; index += 1) {
      const number = Number(list.readBigInt64LE(index * 8));
      if (number < 0) run = -number;
      else if (number > 0) {
        if (number + run - 1 > this.#meta.lastPage) throw new DamagedFile('a free page is outside the file');
        for (let page = number; page < number + run; page += 1) this.#markPage(page);
        run = 1;
      }
    }
  }

  #readPage(number: number, level: number, pages = 1): Buffer {
    this.#markPage(number);
    const bytes = this.#meta.pageBytes * pages;
    let page = this.#pages[level];
    if (page === undefined || page.length < bytes) {
      page = Buffer.allocUnsafe(bytes);
      this.#pages[level] = page;
    }
    if (readSync(this.#file, page, 0, bytes, number * this.#meta.pageBytes) !== bytes)
      throw new DamagedFile(`page ${number} is beyond the end of the file`);
    if (u64(page, 0) !== number) throw new DamagedFile(`page ${number} carries another number`);
    if (u64(page, 8) > this.#meta.transaction)
      throw new DamagedFile(`page ${number} has a later transaction number than the file`);
    return page;
  }

  #markPage(number: number): void {
    if (number < 2 || number > this.#meta.lastPage) throw new DamagedFile(`page ${number} does not exist`);
    const byte = Math.floor(number / 8);
    const bit = 1 << (number % 8);
    const seen = this.#seen[byte] ?? 0;
    if ((seen & bit) !== 0) throw new DamagedFile(`page ${number} is used twice`);
    this.#seen[byte] = seen | bit;
  }
}

const nodeAt = (page: Buffer, index: number): number =>
  PAGE_HEADER + page.readUInt16LE(PAGE_HEADER + index * 2);

const readTreeRecord = (bytes: Buffer, at: number): Tree => ({
  flags: bytes.readUInt16LE(at + 4),
  depth: bytes.readUInt16LE(at + 6),
  branches: u64(bytes, at + 8),
  leaves: u64(bytes, at + 16),
  overflows: u64(bytes, at + 24),
  entries: u64(bytes, at + 32),
  root: u64(bytes, at + 40),
});

/** The newer of the two meta pages, as LMDB chooses; a writer may be replacing the older one meanwhile. */
function readMeta(file: number): Meta {
  const first = readMetaPage(file, 0);
  const second = readMetaPage(file, first.pageBytes);
  return first.transaction < second.transaction ? second : first;
}

function readMetaPage(file: number, at: number): Meta {
  const bytes = readTwiceAlike(file, at);
  if (bytes.readUInt16LE(18) !== META || bytes.readUInt32LE(PAGE_HEADER) !== MAGIC)
    throw new DamagedFile('the file does not start like an LMDB file');
  const trees = PAGE_HEADER + 24;
  const pageBytes = bytes.readUInt32LE(trees);
  if (pageBytes < 512 || pageBytes > 65_536 || (pageBytes & (pageBytes - 1)) !== 0)
    throw new DamagedFile(`the file claims pages of ${pageBytes} bytes`);
  return {
    pageBytes,
    free: readTreeRecord(bytes, trees),
    main: readTreeRecord(bytes, trees + 48),
    lastPage: u64(bytes, trees + 96),
    transaction: u64(bytes, trees + 104),
  };
}

function readTwiceAlike(file: number, at: number): Buffer {
  const once = Buffer.alloc(META_BYTES);
  const again = Buffer.alloc(META_BYTES);
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const got = readSync(file, once, 0, META_BYTES, at);
    readSync(file, again, 0, META_BYTES, at);
    if (got !== META_BYTES) throw new DamagedFile('the file is too short');
    if (once.equals(again)) return once;
  }
  throw new DamagedFile('a meta page kept changing while it was read');
}
