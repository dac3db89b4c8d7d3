import fc from 'fast-check';
import { SEED } from './seeded-random.ts';

// Every property of the run uses the printed seed; fast-check adds the path of a failure to its own message.
fc.configureGlobal({ seed: SEED });
