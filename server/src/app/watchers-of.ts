import { accountsWatching } from '#capabilities/monitoring/index.ts';
import type { Subject, WatchersOf } from '#capabilities/webhooks/index.ts';

/** The value whose watchers are told of a subject; null for a claim whose victim has no known domain. */
const watchedValueOf = (subject: Subject): string | null =>
  subject.kind === 'indicator' ? subject.value : subject.domain;

/** Tells webhooks which accounts watch each subject, according to monitoring. */
export const watchersOf: WatchersOf = async (tx, subjects) => {
  const values = subjects.map(watchedValueOf);
  const accounts = await accountsWatching(
    tx,
    values.filter((value) => value !== null),
  );
  return values.map((value) => (value === null ? [] : [...(accounts.get(value) ?? [])]));
};
