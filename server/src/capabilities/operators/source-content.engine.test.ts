import { afterAll, beforeAll, expect, test } from 'vitest';
import { runSource } from '#capabilities/feeds/index.ts';
import { addressList, type FeedPipeline, startFeedPipeline } from '#test/feed-pipeline.ts';
import { feedRow } from '#test/feed-row.ts';
import { CALLER, recordedGates, testApp } from '#test/http-app.ts';
import { type Publisher, startPublisher } from '#test/publisher.ts';
import { sourceRoutes } from './source-routes.ts';

let publisher: Publisher;
let feeds: FeedPipeline;

beforeAll(async () => {
  publisher = await startPublisher();
  feeds = await startFeedPipeline({ allow: [publisher.allow], downloadDeadlineMs: 120_000 });
});
afterAll(async () => {
  await feeds?.close();
  await publisher?.close();
});

test('a stopped download is released or discarded, and content is rolled back, in the name of the operator', async () => {
  const operator = { ...CALLER, kind: 'operator', id: 'ann', accountId: '' } as const;
  const app = testApp(sourceRoutes(feeds.deps), { gates: recordedGates({ identify: () => operator }).gates });
  const post = async (what: string) => {
    const answer = await app.inject({ method: 'POST', url: `/admin/sources/list/${what}` });
    return { status: answer.statusCode, body: answer.json() };
  };
  feeds.deps.catalogue.push(feedRow('list', [publisher.url('list')]));
  publisher.publish('list', addressList(1_000));
  await runSource(feeds.deps, 'list', {});
  // 400 entries are fewer than the catalogue row of the source accepts, so the download is quarantined.
  publisher.publish('list', addressList(400));
  expect(await runSource(feeds.deps, 'list', {})).toMatchObject({ status: 'quarantined' });
  expect(await post('release')).toMatchObject({
    status: 200,
    body: { status: 'succeeded', entries: 400, reason: expect.stringContaining('Released by ann') },
  });
  expect(await post('discard')).toMatchObject({ status: 404 });
  expect(await post('rollback')).toMatchObject({ status: 200, body: { entries: 1_000, added: 600 } });
  const { rows } = await feeds.owner.query('select operator, action, outcome from operator_act order by id');
  expect(rows).toEqual([
    { operator: 'ann', action: 'source.release', outcome: 'done' },
    { operator: 'ann', action: 'source.discard', outcome: 'refused' },
    { operator: 'ann', action: 'source.rollback', outcome: 'done' },
  ]);
});
