export { FORMS, type Form } from './contract.ts';
export { type Erased, erasePerson } from './erase-person.ts';
export type { FormsDeps } from './forms-deps.ts';
export { formsWorkerPart } from './jobs.ts';
export { listSubscribers } from './list-subscribers.ts';
export { formsRoutes } from './routes.ts';
export { type FormEntry, selectEntries } from './store.ts';
export { openSubscribers } from './subscribers.ts';
