import { useQuery } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { type Contact, contactOf, fragmentOf } from '../../box/contact-fragment.ts';
import { CONTACT_PATH, openContact } from '../../box/open-lead.ts';
import { hrefOf } from '../../navigation/address.ts';
import { assay } from '../../service/client.ts';
import { SESSION_KEY, useSession } from '../../service/session.ts';
import type { ContactAnswer } from './contact-words.ts';

const EVENTS = ['hashchange', 'popstate'] as const;
const subscribe = (listener: () => void): (() => void) => {
  for (const event of EVENTS) addEventListener(event, listener);
  return () => {
    for (const event of EVENTS) removeEventListener(event, listener);
  };
};

let hash = '';
/** The fragment of the contact page. While the next page loads, this one is still drawn and keeps its last fragment. */
function hashHere(): string {
  if (isHere()) hash = location.hash;
  return hash;
}
const isHere = (): boolean => location.pathname === hrefOf(CONTACT_PATH);

/** The contact to return to after a sign-in. In memory only, because the sign-in page's address must not hold it. */
let kept: Contact | null = null;

/** The contact behind the `#`, or the one that was kept while its reader signed in. */
export function useContact(): Contact | null {
  const contact = contactOf(useSyncExternalStore(subscribe, hashHere));
  useEffect(() => {
    if (contact !== null || kept === null || !isHere()) return;
    openContact(kept, 'replace');
    kept = null;
  }, [contact]);
  return contact;
}

export const keepForSignIn = (contact: Contact): void => {
  kept = contact;
};

/**
 * One check, sent in the body of a request, so that no log of a proxy names the contact. It costs a check of the month and is
 * therefore never repeated by itself.
 */
export function useContactCheck(contact: Contact) {
  const session = useSession().state;
  const { data, error, isFetching, dataUpdatedAt, refetch } = useQuery({
    queryKey: [...SESSION_KEY, 'contact', fragmentOf(contact)],
    queryFn: async ({ signal }) => {
      const body = { input: contact.value, input_type: contact.type };
      const answer = await assay.call('postApiAnalyze', { body }, { signal });
      return answer as ContactAnswer;
    },
    enabled: session === 'signed-in',
    staleTime: Number.POSITIVE_INFINITY,
  });
  return { session, data, error, isFetching, dataUpdatedAt, checkAgain: () => void refetch() };
}
