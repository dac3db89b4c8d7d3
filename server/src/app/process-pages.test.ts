import { describe, expect, test } from 'vitest';
import type { MetricsPage } from '#platform/metrics.ts';
import { createProcessPages } from './process-pages.ts';

const pageOf = (requests: number): MetricsPage => [
  {
    name: 'assay_http_answers_total',
    help: 'Requests answered.',
    type: 'counter',
    values: [{ value: requests, labels: { status: '2xx' } }],
  },
];

/** A node with two listeners; `answers` says which of them answer in time. */
function node() {
  let nowMs = 0;
  const pages = createProcessPages({
    clock: { now: () => nowMs, monotonic: () => nowMs },
    own: { process: 'api', read: async () => [] },
    waitMs: 20,
  });
  const names = ['listener-0', 'listener-1', 'replicator'];
  const state = { answers: new Set(names), running: new Set(names), over: new Set<string>(), requests: 0 };
  const processes = names.map((name) => ({
    name,
    isOver: () => state.over.has(name),
    send: (message: object) => {
      const { id } = message as { id: number };
      const answer = () => pages.receiverOf(name)({ type: 'metrics', id, page: pageOf(state.requests) });
      if (state.running.has(name) && state.answers.has(name)) setImmediate(answer);
      return state.running.has(name);
    },
  }));
  const scrape = async () => {
    state.requests += 1;
    return pages.ask(processes);
  };
  return {
    state,
    scrape,
    advance: (ms: number) => {
      nowMs += ms;
    },
  };
}

const numberOf = (page: string, series: string): number | undefined => {
  const line = page.split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length));
};
const answered = (page: string, process: string) =>
  numberOf(page, `assay_http_answers_total{process="${process}",status="2xx"}`);
const missing = (page: string, process: string) =>
  numberOf(page, `assay_metrics_page_missing{process="${process}"}`);

describe('the metrics of a node', () => {
  test('name the process of each series', async () => {
    const { scrape } = node();
    const page = await scrape();
    expect(['listener-0', 'listener-1', 'replicator'].map((name) => answered(page, name))).toEqual([1, 1, 1]);
    expect(page.match(/^# TYPE assay_http_answers_total counter$/gm)).toHaveLength(1);
    expect(missing(page, 'listener-0')).toBe(0);
  });

  test('a process that answers late keeps the series of its last page, and a gauge says so', async () => {
    const { state, scrape, advance } = node();
    await scrape();
    state.answers.delete('listener-1');
    advance(15_000);
    const page = await scrape();
    expect([answered(page, 'listener-0'), answered(page, 'listener-1')]).toEqual([2, 1]);
    expect([missing(page, 'listener-0'), missing(page, 'listener-1')]).toEqual([0, 1]);
    expect(numberOf(page, 'assay_metrics_page_age_seconds{process="listener-1"}')).toBe(15);
    state.answers.add('listener-1');
    const next = await scrape();
    expect([answered(next, 'listener-1'), missing(next, 'listener-1')]).toEqual([3, 0]);
  });

  test('a process that is starting again is not waited for, and its last page is shown for five minutes', async () => {
    const { state, scrape, advance } = node();
    await scrape();
    state.running.delete('replicator');
    expect([answered(await scrape(), 'replicator'), missing(await scrape(), 'replicator')]).toEqual([1, 1]);
    advance(300_001);
    const page = await scrape();
    expect([answered(page, 'replicator'), missing(page, 'replicator')]).toEqual([undefined, 1]);
  });

  test('a process that ended for good is not missed', async () => {
    const { state, scrape } = node();
    state.over.add('replicator');
    const page = await scrape();
    expect([answered(page, 'replicator'), missing(page, 'replicator')]).toEqual([undefined, undefined]);
  });
});
