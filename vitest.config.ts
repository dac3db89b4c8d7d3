import { defineConfig } from 'vitest/config';
import { BudgetReporter } from './test/budget-reporter.ts';
import { DearestFirst } from './test/dearest-first.ts';
import { LONG_LANE } from './test/long-lane.ts';

if (Number(process.versions.node.split('.')[0]) < 26)
  throw new Error(`Assay needs Node 26 or newer; this is ${process.version}. Run it through npm (npm test).`);

// Property tests, kill points and sample values draw from one seed, so that setting ASSAY_SEED repeats a run.
process.env.ASSAY_SEED ??= String(Math.floor(Math.random() * 2 ** 31));

const ENGINE_TESTS = [
  'server/src/**/{store,routes,*.engine}.test.ts',
  'server/test/{contract,integration,faults}/**/*.test.ts',
  'sdk/**/*.engine.test.ts',
  '{demo,start}/**/*.engine.test.ts',
  'integrations/**/*.engine.test.ts',
];
const BROWSER_TESTS = ['web/test/browser/**/*.test.ts'];
/** Tests that only make sense at full size or on a quiet machine: the proofs lane runs them, and no other. */
const PROOFS = ['server/test/proofs/**/*.test.ts'];
const BROWSER_PROOFS = ['web/test/proofs/**/*.test.ts'];

/** Files that the landing lane leaves to the proofs lane, which excludes none and runs all at full size. */
const elsewhere = process.env.ASSAY_LANE === 'proofs' ? [] : Object.keys(LONG_LANE);

const setupFiles = ['test/measure-cpu.ts', 'server/test/support/seed-properties.ts'];
const engineSetup = ['server/test/support/global-setup.ts'];
/** Only ends a test that hangs: no test measures time with it, and shared cores may stand still for seconds. */
const WAIT_MS = 600_000;
const common = {
  setupFiles,
  // Node reads the sources itself, as it does outside of tests; Vite's transformation of them took an eighth of the CPU time.
  experimental: { viteModuleRunner: false, nodeLoader: false },
  // `expect.poll` waits until a fact is true; the default limit of one second is too short on busy cores.
  expect: { poll: { timeout: 180_000 } },
};
const browser = {
  ...common,
  globalSetup: [...engineSetup, 'web/test/support/build-dashboard.ts', 'web/test/support/start-services.ts'],
  testTimeout: WAIT_MS,
  hookTimeout: WAIT_MS,
  isolate: false,
  // One test file keeps two cores busy: with a browser and with the service beside it.
  maxWorkers: 1,
};

export default defineConfig({
  test: {
    reporters: ['default', new BudgetReporter()],
    // The log lists slow tests; with the default of 0.3 s it would list thousands on busy cores.
    slowTestThreshold: 30_000,
    sequence: { sequencer: DearestFirst },
    projects: [
      {
        test: {
          ...common,
          name: 'unit',
          include: [
            'server/{src,build,launch}/**/*.test.ts',
            'server/test/*.test.ts',
            'sdk/**/*.test.ts',
            'web/{src,test}/**/*.test.ts',
            '{demo,integrations,proofs,release,start,test}/**/*.test.ts',
          ],
          exclude: [...ENGINE_TESTS, ...BROWSER_TESTS, ...PROOFS, ...BROWSER_PROOFS, '**/node_modules/**'],
          // Files share a worker and its modules: loading them again for each file cost three quarters of the CPU.
          isolate: false,
          maxWorkers: 2,
          testTimeout: WAIT_MS,
          hookTimeout: WAIT_MS,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...common,
          name: 'integration',
          include: ENGINE_TESTS,
          exclude: [...elsewhere, '**/node_modules/**'],
          globalSetup: engineSetup,
          // Saves CPU as for the unit tests. Files share a process, so a test restores the variables it sets.
          isolate: false,
          testTimeout: WAIT_MS,
          hookTimeout: WAIT_MS,
          // Both cores, although the browser tests run at the same time (test/run-engines.ts).
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...browser,
          name: 'browser',
          include: BROWSER_TESTS,
          exclude: [...elsewhere, '**/node_modules/**'],
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          ...common,
          name: 'proofs',
          include: PROOFS,
          globalSetup: engineSetup,
          testTimeout: 1_800_000,
          hookTimeout: 1_800_000,
          maxWorkers: 1,
          sequence: { groupOrder: 4 },
        },
      },
      {
        test: { ...browser, name: 'browser-proofs', include: BROWSER_PROOFS, sequence: { groupOrder: 5 } },
      },
    ],
  },
});
