import { assay } from './client.ts';
import { turnTo } from './session.ts';

/** The session goes on in another account of the same person: their own, or an organization. */
export async function switchAccount(accountId: string): Promise<void> {
  await turnTo(await assay.call('postApiAuthSwitch', { body: { accountId } }));
}
