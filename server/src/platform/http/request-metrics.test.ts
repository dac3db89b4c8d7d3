import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { registry } from '#platform/metrics.ts';
import type { MountedRoute } from './mounted-route.ts';
import { requestCounts } from './request-metrics.ts';

const SERIES_MAX = 1_500;
const PLANS = ['FREE', 'BASIC', 'PRO', 'ENTERPRISE', 'anonymous', 'public'];
const STATUSES = [200, 304, 404, 503];

const reset = () => registry.getSingleMetric('assay_http_requests_total')?.reset();
beforeEach(reset);
afterEach(reset);

const countsOf = (path: string) => requestCounts('GET', { template: path } as MountedRoute);
async function linesOf(name: string): Promise<readonly string[]> {
  const page = await registry.getSingleMetricAsString(`assay_${name}`);
  return page.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}
const sumOf = (lines: readonly string[]): number =>
  lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
const allLines = async () =>
  (
    await Promise.all(['http_requests_total', 'http_request_seconds', 'http_answers_total'].map(linesOf))
  ).flat();

describe('series of requests', () => {
  test('a route that nobody calls has none, and answers by status are there from the start', async () => {
    Array.from({ length: 700 }, (_, nth) => countsOf(`/unused/${nth}`));
    expect(await linesOf('http_requests_total')).toEqual([]);
    expect(await linesOf('http_request_seconds')).toEqual([]);
    expect(await linesOf('http_answers_total')).toEqual(
      ['1xx', '2xx', '3xx', '4xx', '5xx'].map((status) => `assay_http_answers_total{status="${status}"} 0`),
    );
  });

  test('700 routes with every plan and status stay below 1,500 series, and no request is lost', async () => {
    const counts = Array.from({ length: 700 }, (_, nth) => countsOf(`/used/${nth}`));
    let sent = 0;
    for (let round = 0; round < 2; round += 1)
      for (const count of counts)
        for (const plan of PLANS)
          for (const status of STATUSES) {
            count(status, plan, 3);
            sent += 1;
          }
    expect((await allLines()).length).toBeLessThan(SERIES_MAX - 200);
    expect(sumOf(await linesOf('http_requests_total'))).toBe(sent);
    expect(sumOf(await linesOf('http_answers_total'))).toBe(sent);
    const durations = await linesOf('http_request_seconds');
    expect(sumOf(durations.filter((line) => line.includes('_count{')))).toBe(sent);
    const routes = new Set(
      (await linesOf('http_requests_total')).map((line) => /route="([^"]+)"/.exec(line)?.[1]),
    );
    expect(routes).toContain('other');
    expect(routes).toContain('GET /used/0');
  });

  test('a series never becomes smaller or moves to another name', async () => {
    const counts = Array.from({ length: 120 }, (_, nth) => countsOf(`/steady/${nth}`));
    const valuesOf = async () =>
      new Map(
        (await allLines()).map((line) => {
          const at = line.lastIndexOf(' ');
          return [line.slice(0, at), Number(line.slice(at))] as const;
        }),
      );
    let before = await valuesOf();
    for (let round = 0; round < 5; round += 1) {
      for (const [nth, count] of counts.entries())
        count(200 + 100 * (nth % 4), PLANS[(nth + round) % 6] ?? '', 1);
      const after = await valuesOf();
      for (const [series, value] of before) expect(after.get(series), series).toBeGreaterThanOrEqual(value);
      before = after;
    }
  });
});
