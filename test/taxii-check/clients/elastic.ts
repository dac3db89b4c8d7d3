import { resourceOf } from '../walk-collection.ts';
import {
  type ClientPattern,
  judgeQuiet,
  judgeWhole,
  lastDateIn,
  nextIn,
  poll,
  type Session,
  urlWith,
} from './client-pattern.ts';

/** Elastic always begins at a date; 30 years ago is before every object. */
const INITIAL_INTERVAL_MS = 30 * 365 * 24 * 3_600_000;

const FORGETS = 'without X-TAXII-Date-Added-Last it reads its whole first interval again';

/**
 * Elastic Agent and Filebeat (custom threat intelligence by TAXII) go on while a page has a next token and do not read
 * `more`. The next poll starts at X-TAXII-Date-Added-Last of the very last answer, even an empty one.
 */
export const elastic: ClientPattern = {
  client: 'elastic',
  title: 'Elastic Agent, custom threat intelligence over TAXII',
  learnt: {
    from: 'source',
    where: 'elastic/integrations, packages/ti_custom/data_stream/indicator/agent/stream/cel.yml.hbs',
  },
  replay: async (session) => {
    const initial = `${new Date(Date.now() - INITIAL_INTERVAL_MS).toISOString().slice(0, -1)}000Z`;
    const first = await pollOnce(session, initial);
    if (first === null) return;
    judgeWhole(session, first);
    const date = lastDateIn(first.last);
    const second = date === null ? null : await pollOnce(session, date);
    if (date === null) session.fail(first.last.request, FORGETS);
    if (second === null || !first.complete) return;
    judgeQuiet(session, first, second);
    if (lastDateIn(second.last) === null) session.fail(second.last.request, FORGETS);
  },
};

function pollOnce(session: Session, addedAfter: string) {
  const limit = String(session.check.options.limit);
  const url = resourceOf(session.collection.target, 'objects');
  const asked = { added_after: addedAfter, limit };
  return poll(session, urlWith(url, asked), (answer) => {
    const next = nextIn(answer);
    return next === null ? null : urlWith(url, { next, ...asked });
  });
}
