import { expect, test } from 'vitest';
import type { ReportPage, Reports } from './reports.ts';
import { allReports } from './reports.ts';

const report = (number: number) => ({ id: `rpt_${number}` }) as ReportPage['reports'][number];
const down = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => report(from - index));
async function ids(stream: AsyncIterable<{ readonly id: string }>) {
  const seen: string[] = [];
  for await (const { id } of stream) seen.push(id);
  return seen;
}

test('every report comes once, page after page, and no page more than there are', async () => {
  const asked: unknown[] = [];
  const list: Reports['list'] = async (query) => {
    asked.push(query);
    const { page = 1, limit = 25 } = query ?? {};
    return { reports: down(250, 250).slice((page - 1) * limit, page * limit), total: 250, page, limit };
  };
  expect(await ids(allReports(list, { search: 'x' }, {}))).toEqual(down(250, 250).map(({ id }) => id));
  expect(asked).toEqual([1, 2, 3].map((page) => ({ search: 'x', page, limit: 100 })));
});

test('reports saved meanwhile cause no duplicates', async () => {
  let saved = 4;
  const list: Reports['list'] = async (query) => {
    const { page = 1, limit = 25 } = query ?? {};
    const now = down(saved, saved);
    saved += 1;
    return { reports: now.slice((page - 1) * limit, page * limit), total: now.length, page, limit };
  };
  const seen = await ids(allReports(list, { pageSize: 2 }, {}));
  expect(seen).toEqual(['rpt_4', 'rpt_3', 'rpt_2', 'rpt_1']);
});

test('a total that is wrong does not cause endless requests', async () => {
  const list: Reports['list'] = async (query) => ({
    reports: [],
    total: 1_000,
    page: query?.page ?? 1,
    limit: 100,
  });
  expect(await ids(allReports(list, {}, {}))).toEqual([]);
});
