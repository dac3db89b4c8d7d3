import { defineConfig } from 'vitest/config';

if (Number(process.versions.node.split('.')[0]) < 26)
  throw new Error(`Assay needs Node 26 or newer; this is ${process.version}. Run it through npm (npm test).`);

const ENGINE_TESTS = [
  'server/src/**/{store,routes,*.engine}.test.ts',
  'server/test/{contract,integration,faults}/**/*.test.ts',
  'sdk/**/*.engine.test.ts',
  'demo/**/*.engine.test.ts',
];
const SCALE_TESTS = ['server/test/scale/**/*.test.ts'];
const BROWSER_TESTS = ['web/test/browser/**/*.test.ts'];
const TIMED_TESTS = ['web/test/browser/speed.test.ts'];
const globalSetup = ['server/test/support/global-setup.ts'];

const browser = {
  globalSetup: [...globalSetup, 'web/test/support/build-dashboard.ts'],
  testTimeout: 120_000,
  hookTimeout: 600_000,
  // A browser and a service beside it are two busy cores already.
  maxWorkers: 1,
  // And sometimes late: a promise that is broken twice is broken. The runner counts the second tries.
  retry: 1,
};

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'server/src/**/*.test.ts',
            'server/test/*.test.ts',
            'sdk/**/*.test.ts',
            'web/{src,test}/**/*.test.ts',
            'demo/**/*.test.ts',
          ],
          exclude: [...ENGINE_TESTS, ...SCALE_TESTS, ...BROWSER_TESTS, '**/node_modules/**'],
          // Properties over thousands of cases take seconds where cores are shared; none of them is about time.
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'integration',
          include: ENGINE_TESTS,
          globalSetup,
          testTimeout: 60_000,
          hookTimeout: 120_000,
          // Two cores: more workers than that only make timings lie.
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...browser,
          name: 'browser',
          include: BROWSER_TESTS,
          exclude: TIMED_TESTS,
          sequence: { groupOrder: 3 },
        },
      },
      // About milliseconds: alone, and before the engines have millions of rows to tidy up.
      { test: { ...browser, name: 'timed', include: TIMED_TESTS, sequence: { groupOrder: 1 } } },
      {
        test: {
          name: 'scale',
          include: SCALE_TESTS,
          globalSetup,
          testTimeout: 1_800_000,
          hookTimeout: 1_800_000,
          maxWorkers: 1,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
});
