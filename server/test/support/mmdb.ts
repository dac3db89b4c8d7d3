export { makeMmdb } from '../../../demo/sample/make-mmdb.ts';
