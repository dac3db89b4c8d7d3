export { createStorageGate, type StorageDeps } from './admit-stored.ts';
export { storageWorkerPart } from './jobs.ts';
export { STORED_KINDS } from './store.ts';
export { type StorageUse, tellStorage } from './tell-storage.ts';
