import { deleteLettersTo, digestOf } from '#capabilities/letters/index.ts';
import type { Postgres } from '#platform/postgres.ts';
import { deleteEntriesOf, deleteSubscriber } from './store.ts';

export type Erased = { readonly entries: number; readonly subscriptions: number; readonly letters: number };

/** Erases all that forms and letters keep of an address, except the suppressions that the person asked for. */
export const erasePerson = ({ transaction }: Postgres, address: string): Promise<Erased> =>
  transaction(async (tx) => {
    const digest = digestOf(address);
    return {
      entries: await deleteEntriesOf(tx, digest),
      subscriptions: await deleteSubscriber(tx, digest),
      letters: await deleteLettersTo(tx, digest),
    };
  });
