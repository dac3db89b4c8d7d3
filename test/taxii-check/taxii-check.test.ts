import { expect, test } from 'vitest';
import { type Options, readOptions } from './options.ts';
import { ALL_FAULTS } from './planted/all-faults.ts';
import { startSmallServer, USER } from './planted/small-server.ts';
import { renderReport } from './render-report.ts';
import { runCheck } from './run-check.ts';

const optionsFor = (url: string, ...more: string[]): Options => {
  const options = readOptions([url, '--user', USER, '--limit', '4', ...more], {});
  if (options === null) throw new Error('There are no options.');
  return options;
};
const quiet = (): void => {};

test('a correct server breaks no clause and no client, also when it is walked twice', async () => {
  await using server = await startSmallServer();
  const report = await runCheck(optionsFor(server.url, '--twice'), quiet);
  expect(report.violations).toEqual([]);
  expect(report.notes.map(({ note }) => note).toSorted()).toEqual(['opencti-milliseconds']);
  expect(report.collections).toMatchObject([{ objects: 17, complete: true }]);
  expect(report.replays.map(({ failed }) => failed)).toEqual(Array(6).fill(false));
  expect(renderReport(report)).toContain('0 clauses broken');
});

test('extensions of our own server are notes and no violations', async () => {
  await using server = await startSmallServer({}, true);
  const report = await runCheck(optionsFor(server.url, '--twice'), quiet);
  expect(report.violations).toEqual([]);
  expect(report.notes.map(({ note }) => note).toSorted()).toEqual([
    'bundle-envelope',
    'collection-slug',
    'identity-on-every-page',
    'opencti-milliseconds',
    'read-only-root',
    'stix-mode',
  ]);
});

test.each(ALL_FAULTS)('$name breaks $clause and nothing else', async ({ fault, clause, as, twice }) => {
  await using server = await startSmallServer(fault);
  const report = await runCheck(
    optionsFor(server.url, '--as', as ?? 'none', ...(twice ? ['--twice'] : [])),
    quiet,
  );
  expect(report.violations.map((violation) => violation.clause)).toEqual([clause]);
  const [violation] = report.violations;
  expect(violation?.request).toMatch(/^GET \//);
  expect(violation?.example).not.toBe('');
  expect(violation?.count).toBeGreaterThan(0);
  expect(renderReport(report)).toContain(`VIOLATION  ${clause}`);
});

test('there are 30 planted faults and more', () => {
  expect(ALL_FAULTS.length).toBeGreaterThanOrEqual(30);
  expect(new Set(ALL_FAULTS.map(({ name }) => name)).size).toBe(ALL_FAULTS.length);
});

test('a walk that stops at --max-pages says so and judges no whole', async () => {
  await using server = await startSmallServer();
  const report = await runCheck(optionsFor(server.url, '--max-pages', '2'), quiet);
  expect(report.violations).toEqual([]);
  expect(report.notes.map(({ note }) => note)).toContain('stopped-early');
});
