import { counter, gauge } from '../metrics.ts';

/** Set by the replicator. */
export const replicaSeq = gauge({
  name: 'replica_seq',
  help: 'Newest change in the local replica.',
  labels: ['dataset'],
});
export const replicaEntries = gauge({
  name: 'replica_entries',
  help: 'Entries in the local replica.',
  labels: ['dataset'],
});
export const replicaLagSeconds = gauge({
  name: 'replica_lag_seconds',
  help: 'Age of the oldest logged change that the local replica does not have yet.',
  labels: ['dataset'],
});
export const replicaContactAgeSeconds = gauge({
  name: 'replica_contact_age_seconds',
  help: 'Time since the local replica was known to be complete.',
  labels: ['dataset'],
});
export const replicaRebuilds = counter({
  name: 'replica_rebuilds_total',
  help: 'Generations built from PostgreSQL, by reason.',
  labels: ['dataset', 'reason'],
});
/** Set by the listeners, so that it also rises while the replicator is stopped. */
export const readerContactAgeSeconds = gauge({
  name: 'replica_reader_contact_age_seconds',
  help: 'Time since the replica that listeners read was known to be complete.',
  labels: ['dataset'],
});
