import { createPageAssay } from '@assay/sdk';
import { createEarlyCheck } from './early-check.ts';
import { createEarlyQuestion } from './early-question.ts';

/** The one way to the service. Signed in or not, calls go below /api of this origin with whatever cookie there is. */
export const assay = createPageAssay({ baseUrl: location.origin, retries: 0 });

/** The check of the page that was opened, where `early.ts` could tell what it is. */
export const earlyCheck = createEarlyCheck((value, signal) => assay.checkStream(value, { signal }));

/** Who is signed in: without it no page is drawn to its end. */
export const earlySession = createEarlyQuestion(() => assay.call('getApiAuthSession'));
