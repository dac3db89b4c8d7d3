import { isObjects, listOf, type PlantedFault, planted } from './planted-fault.ts';
import type { Fault, Reply } from './small-server.ts';

/** Marks a token with a zero before its offset, so that a fault recognises it later; the token stays valid. */
const marked = (reply: Reply): void => {
  if (typeof reply.body.next === 'string') reply.body.next = reply.body.next.replace('at-', 'at-0');
};
const refuse = (reply: Reply): void => {
  reply.status = 400;
  reply.body = { title: 'Not like this.', http_status: '400' };
};

/** A page without objects in the middle of a walk, which the standard allows. */
const emptyPage: Fault = {
  reply: (reply, asked) => {
    if (!isObjects(asked) || asked.query.get('next') !== 'at-8') return;
    reply.body = { more: true, next: 'at-08', objects: [] };
  },
};
const noDateOnEmptyPages: Fault = {
  reply: (reply, asked) => {
    if (isObjects(asked) && reply.status === 200 && listOf(reply).length === 0)
      delete reply.headers['x-taxii-date-added-last'];
  },
};
/** The server refuses a limit in a walk that began without one. */
const limitBoundToken: Fault = {
  reply: (reply, { query }) => {
    if (!query.has('limit')) marked(reply);
    if (query.has('limit') && query.get('next')?.startsWith('at-0')) refuse(reply);
  },
};
/** The server refuses a page of a walk that began with `added_after` when the request does not repeat it. */
const dateBoundToken: Fault = {
  reply: (reply, { query }) => {
    if (query.has('added_after')) marked(reply);
    else if (query.get('next')?.startsWith('at-0')) refuse(reply);
  },
};
const noOldDates: Fault = {
  reply: (reply, { query }) => {
    if ((query.get('added_after') ?? '2026') < '2001') refuse(reply);
  },
};
const limitRequired: Fault = {
  reply: (reply, asked) => {
    if (isObjects(asked) && !asked.query.has('limit') && reply.status === 200 && asked.query.size === 0)
      refuse(reply);
  },
};

export const CLIENT_FAULTS: readonly PlantedFault[] = [
  planted('an empty page in the middle', 'client-opencti', emptyPage, { as: 'opencti' }),
  planted('a token that wants its date again', 'client-opencti', dateBoundToken, { as: 'opencti' }),
  planted('an empty page without a date', 'client-elastic', noDateOnEmptyPages, { as: 'elastic' }),
  planted('a token that wants no limit', 'client-misp', limitBoundToken, { as: 'misp' }),
  planted('no dates before 2001', 'client-splunk', noOldDates, { as: 'splunk' }),
  planted('a limit that has to be sent', 'client-sentinel', limitRequired, { as: 'sentinel' }),
];
