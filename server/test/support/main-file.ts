import { join } from 'node:path';

const SOURCE = join(import.meta.dirname, '../../src/app/main.ts');

/** The entry of the service that tests start: the bundle that the image runs, or the sources outside of a test run. */
export const MAIN = process.env.ASSAY_TEST_MAIN ?? SOURCE;
