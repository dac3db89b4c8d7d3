export { type MmdbValue, Uint } from './encode-value.ts';
export {
  addressOfBytes,
  byPlace,
  bytesOfAddress,
  lastOf,
  type Network,
  networksBetween,
  networksWithin,
  outermost,
  type Region,
  regionsOf,
  widthOf,
} from './networks.ts';
export { SearchTree } from './search-tree.ts';
export { type MmdbDescription, RecordSet, type WrittenMmdb, writeMmdb } from './write-mmdb.ts';
