import { dateOf } from '../collection.ts';
import { resourceOf } from '../walk-collection.ts';
import {
  type ClientPattern,
  judgeQuiet,
  judgeWhole,
  lastDateIn,
  nextIn,
  objectsIn,
  poll,
  type Session,
  urlWith,
} from './client-pattern.ts';

/** Length of the part of an instant's key that ends at the millisecond. */
const MILLISECOND_KEY = 23;

/**
 * OpenCTI has a TAXII ingester of its own. It keeps a cursor only while a page has objects, and takes its next start from
 * X-TAXII-Date-Added-Last of the last page, cut to milliseconds.
 */
export const opencti: ClientPattern = {
  client: 'opencti',
  title: 'OpenCTI, TAXII ingestion feed',
  learnt: {
    from: 'source',
    where: 'OpenCTI-Platform/opencti, opencti-graphql/src/manager/ingestionManager.ts',
  },
  replay: async (session) => {
    const first = await pollOnce(session, null);
    if (first === null) return;
    judgeWhole(session, first);
    if (first.ids.length === 0) return;
    const header = lastDateIn(first.last);
    if (header === null) {
      session.fail(first.last.request, 'without X-TAXII-Date-Added-Last it goes on from its own clock');
      return;
    }
    const date = new Date(header);
    if (Number.isNaN(date.getTime())) {
      session.fail(first.last.request, `it cannot read X-TAXII-Date-Added-Last: ${header}`);
      return;
    }
    const addedAfter = date.toISOString();
    const again = await pollOnce(session, addedAfter);
    if (again === null || !first.complete) return;
    const lastMillisecond = addedAfter.slice(0, MILLISECOND_KEY);
    const isLate = (id: string): boolean =>
      dateOf(session.collection, id)?.key.slice(0, MILLISECOND_KEY) === lastMillisecond;
    const repeated = again.ids.find((id) => !session.collection.leaders.has(id) && isLate(id));
    if (repeated !== undefined)
      session.check.findings.note('opencti-milliseconds', again.last.request, repeated);
    judgeQuiet(session, first, again, isLate);
  },
};

function pollOnce(session: Session, addedAfter: string | null) {
  const url = urlWith(resourceOf(session.collection.target, 'objects'), { added_after: addedAfter });
  return poll(session, url, (answer) => {
    const [more, next] = [answer.body?.more === true, nextIn(answer)];
    if (objectsIn(answer).length === 0) {
      if (more) session.fail(answer.request, 'an empty page makes it forget its cursor and begin again');
      return null;
    }
    return more && next !== null ? urlWith(url, { next }) : null;
  });
}
