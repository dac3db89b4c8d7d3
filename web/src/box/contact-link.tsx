import { hrefOf } from '../navigation/address.ts';
import { type Contact, fragmentOf } from './contact-fragment.ts';
import { CONTACT_PATH, openContact } from './open-lead.ts';

/** A real link to the page of a contact. The value appears only behind the `#`, which browsers send to no server. */
export const ContactLink = ({
  contact,
  children,
}: {
  readonly contact: Contact;
  readonly children: React.ReactNode;
}) => (
  <a
    href={`${hrefOf(CONTACT_PATH)}#${fragmentOf(contact)}`}
    onClick={(event) => {
      if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      openContact(contact);
    }}
  >
    {children}
  </a>
);
