import { go } from '../navigation/place.ts';
import { type Contact, fragmentOf } from './contact-fragment.ts';
import type { Lead } from './reading.ts';

type History = 'push' | 'replace';

export function openLead(lead: Lead, history: History = 'push'): void {
  if (lead.kind === 'path') go(lead.path, { replace: history === 'replace' });
  else openContact(lead.contact, history);
}

/** The path of every contact page. It names no contact, because a contact is personal data. */
export const CONTACT_PATH = '/contact';

export function openContact(contact: Contact, way: History = 'push'): void {
  go(CONTACT_PATH, { replace: way === 'replace' });
  history.replaceState(history.state, '', `#${fragmentOf(contact)}`);
  // `replaceState` fires no event, so the contact page would not notice the new fragment.
  dispatchEvent(new Event('hashchange'));
}
