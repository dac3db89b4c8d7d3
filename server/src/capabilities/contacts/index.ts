export { type ContactAssessor, createContactAssessor } from './assess-contact.ts';
export { isDisposableDomain } from './assess-email.ts';
export { type Contacts, type ContactsDeps, createContacts } from './contacts.ts';
export { EmailReport, EmailResult } from './contract.ts';
export { contactsRoutes } from './routes.ts';
export { type ContactSummaries, type ContactSummary, createContactSummaries } from './summarize-contact.ts';
