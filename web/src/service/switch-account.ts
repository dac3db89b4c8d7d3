import { assay } from './client.ts';
import { turnTo } from './session.ts';

/** Switches the session to another account of the same person: their own, or an organization. */
export async function switchAccount(accountId: string): Promise<void> {
  await turnTo(await assay.call('postApiAuthSwitch', { body: { accountId } }));
}
