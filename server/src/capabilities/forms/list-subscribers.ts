import type { Db } from '#platform/postgres.ts';
import type { Secrets } from '#platform/secrets.ts';
import { selectSubscribers } from './store.ts';
import { openSubscriber } from './subscribers.ts';

const PAGE_ROWS = 500;

/** The addresses that confirmed. One sealed under a retired SECRET_KEY cannot be read and is left out. */
export async function* listSubscribers(db: Db, secrets: Secrets): AsyncGenerator<string> {
  for (let afterId = ''; ; ) {
    const page = await selectSubscribers(db, { afterId, rowsMax: PAGE_ROWS });
    for (const { sealedAddress } of page) {
      const address = openSubscriber(secrets, sealedAddress);
      if (address !== null) yield address;
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE_ROWS) return;
    afterId = last.id;
  }
}
