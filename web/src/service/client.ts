import { createPageAssay } from '@assay/sdk';
import { createEarlyCheck } from './early-check.ts';
import { createEarlyQuestion } from './early-question.ts';

/** The only client of the service. Calls go below /api of this origin and carry the session cookie if there is one. */
export const assay = createPageAssay({ baseUrl: location.origin, retries: 0 });

/** The check of the opened page, sent by `early.ts` when the path needs no parsing. */
export const earlyCheck = createEarlyCheck((value, signal) => assay.checkStream(value, { signal }));

/** The question for the session, sent by `early.ts`, because no page is complete without the answer. */
export const earlySession = createEarlyQuestion(() => assay.call('getApiAuthSession'));
