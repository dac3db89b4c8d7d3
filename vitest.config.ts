import { defineConfig } from 'vitest/config';

if (Number(process.versions.node.split('.')[0]) < 26)
  throw new Error(`Assay needs Node 26 or newer; this is ${process.version}. Run it through npm (npm test).`);

const ENGINE_TESTS = [
  'server/src/**/{store,routes,*.engine}.test.ts',
  'server/test/{contract,integration,faults}/**/*.test.ts',
  'sdk/**/*.engine.test.ts',
];
const SCALE_TESTS = ['server/test/scale/**/*.test.ts'];
const globalSetup = ['server/test/support/global-setup.ts'];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['server/src/**/*.test.ts', 'server/test/*.test.ts', 'sdk/**/*.test.ts'],
          exclude: [...ENGINE_TESTS, ...SCALE_TESTS, '**/node_modules/**'],
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
        },
      },
      {
        test: {
          name: 'scale',
          include: SCALE_TESTS,
          globalSetup,
          testTimeout: 1_800_000,
          hookTimeout: 1_800_000,
          maxWorkers: 1,
        },
      },
    ],
  },
});
