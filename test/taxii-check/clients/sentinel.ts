import { resourceOf } from '../walk-collection.ts';
import { isObject } from '../wire.ts';
import {
  type ClientPattern,
  judgeQuiet,
  judgeWhole,
  lastDateIn,
  nextIn,
  poll,
  urlWith,
} from './client-pattern.ts';

/** Microsoft Sentinel is configured with an API root and a collection id, and checks both when it connects. */
export const sentinel: ClientPattern = {
  client: 'sentinel',
  title: 'Microsoft Sentinel, Threat Intelligence - TAXII connector',
  learnt: {
    from: 'documentation',
    where:
      'MicrosoftDocs/azure-docs, articles/sentinel/connect-threat-intelligence-taxii.md, and TAXII 2.1 section 3.5',
  },
  replay: async (session) => {
    const { target } = session.collection;
    const listing = await session.ask(new URL('collections/', target.root));
    if (listing === null) return;
    const listed: unknown = listing.body?.collections;
    const isListed = Array.isArray(listed) && listed.some((each) => isObject(each) && each.id === target.id);
    if (!isListed && session.check.options.collections.length === 0)
      session.fail(listing.request, `it does not find the collection ${target.id}`);
    const pollOnce = (addedAfter: string | null) => {
      const url = urlWith(resourceOf(target, 'objects'), { added_after: addedAfter });
      return poll(session, url, (answer) => {
        if (answer.body?.more !== true) return null;
        const next = nextIn(answer);
        return next === null ? urlWith(url, { added_after: lastDateIn(answer) }) : urlWith(url, { next });
      });
    };
    const first = await pollOnce(null);
    if (first === null) return;
    judgeWhole(session, first);
    const date = lastDateIn(first.last);
    if (date === null || !first.complete) return;
    const second = await pollOnce(date);
    if (second !== null) judgeQuiet(session, first, second);
  },
};
