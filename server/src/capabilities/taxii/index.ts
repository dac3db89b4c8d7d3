export { KEEP_COLLECTIONS, taxiiWorkerPart } from './jobs.ts';
export { rebuildCollections } from './keep-collections.ts';
export { openTaxii } from './open-taxii.ts';
export { recordCollections } from './record-collections.ts';
export { taxiiRoutes } from './routes.ts';
export type { TaxiiDeps } from './serve-page.ts';
export { taxiiStatus } from './status.ts';
