import { defineConfig } from 'vitest/config';
import { BudgetReporter } from './test/budget-reporter.ts';
import { LONG_LANE } from './test/long-lane.ts';

if (Number(process.versions.node.split('.')[0]) < 26)
  throw new Error(`Assay needs Node 26 or newer; this is ${process.version}. Run it through npm (npm test).`);

// One seed for properties, kill points and sample values; ASSAY_SEED repeats a run.
process.env.ASSAY_SEED ??= String(Math.floor(Math.random() * 2 ** 31));

const ENGINE_TESTS = [
  'server/src/**/{store,routes,*.engine}.test.ts',
  'server/test/{contract,integration,faults}/**/*.test.ts',
  'sdk/**/*.engine.test.ts',
  'demo/**/*.engine.test.ts',
  'integrations/**/*.engine.test.ts',
];
const BROWSER_TESTS = ['web/test/browser/**/*.test.ts'];
/** Tests that only make sense at full size or on a quiet machine: the proofs lane runs them, and no other. */
const PROOFS = ['server/test/proofs/**/*.test.ts'];
const BROWSER_PROOFS = ['web/test/proofs/**/*.test.ts'];

/** The proofs lane runs the files of its own and those of the landing lane, at full size. */
const elsewhere = process.env.ASSAY_LANE === 'proofs' ? [] : Object.keys(LONG_LANE);

const setupFiles = ['test/measure-cpu.ts', 'server/test/support/seed-properties.ts'];
const engineSetup = ['server/test/support/global-setup.ts'];
/** Ends a test that hangs; none of them is about time, and cores that other machines share may stand still for seconds. */
const WAIT_MS = 600_000;
const common = {
  setupFiles,
  // Node reads the sources itself, as it does outside of tests; Vite's transformation of them took an eighth of the CPU time.
  experimental: { viteModuleRunner: false, nodeLoader: false },
  // A poll waits for a fact, not for a time: the default of one second is too short on busy cores.
  expect: { poll: { timeout: 180_000 } },
};
const browser = {
  ...common,
  globalSetup: [...engineSetup, 'web/test/support/build-dashboard.ts', 'web/test/support/start-services.ts'],
  testTimeout: WAIT_MS,
  hookTimeout: WAIT_MS,
  isolate: false,
  // A browser and a service beside it keep two cores busy.
  maxWorkers: 1,
};

export default defineConfig({
  test: {
    reporters: ['default', new BudgetReporter()],
    // Thousands of tests take a third of a second on busy cores; the log names files, and tests that failed.
    slowTestThreshold: 30_000,
    projects: [
      {
        test: {
          ...common,
          name: 'unit',
          include: [
            'server/src/**/*.test.ts',
            'server/test/*.test.ts',
            'sdk/**/*.test.ts',
            'web/{src,test}/**/*.test.ts',
            '{demo,integrations,proofs,release,test}/**/*.test.ts',
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
          // As for unit tests; a test that sets a variable of the process takes it back.
          isolate: false,
          testTimeout: WAIT_MS,
          hookTimeout: WAIT_MS,
          // The browser tests run beside them (test/run-engines.ts).
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
