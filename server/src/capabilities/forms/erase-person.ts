import { deleteLettersTo, digestOf } from '#capabilities/letters/index.ts';
import type { Postgres } from '#platform/postgres.ts';
import { deleteEntriesOf, deleteSubscriber } from './store.ts';

export type Erased = { readonly entries: number; readonly subscriptions: number; readonly letters: number };

/** Everything that forms and letters keep of an address. Suppressions stay: they are what the person asked for. */
export const erasePerson = ({ transaction }: Postgres, address: string): Promise<Erased> =>
  transaction(async (tx) => {
    const digest = digestOf(address);
    return {
      entries: await deleteEntriesOf(tx, digest),
      subscriptions: await deleteSubscriber(tx, digest),
      letters: await deleteLettersTo(tx, digest),
    };
  });
