import { KEYED, type Policy } from '#platform/http/policy.ts';
import { type Route, route } from '#platform/http/route.ts';
import { SCAN_BODY_MAX, SCAN_DEADLINE_MS, ScanBody } from './contract.ts';
import { ScanResult } from './contract-result.ts';
import { gateRoutes } from './gate/routes.ts';
import { LEVEL_OF_MAIL } from './level-of-verdict.ts';
import type { MailDeps } from './mail-deps.ts';
import { createScan } from './scan-message.ts';
import type { Opened } from './scan-slot.ts';

/** One scan of the month, and no check (contract 4.9). A scan has its own minute of 600 (decisions 1.4). */
const POLICY: Policy = {
  ...KEYED,
  meter: 'scans',
  class: 'C',
  bodyMax: SCAN_BODY_MAX,
  deadlineMs: SCAN_DEADLINE_MS,
  refundOn: [413],
};

export const mailRoutes = (deps: MailDeps): readonly Route[] => {
  const scan = createScan(deps);
  return [
    route({
      method: 'POST',
      path: '/mail/scan',
      summary: 'Is this e-mail message phishing or malware, and what should be done with it?',
      description:
        'Reads one message and answers with a verdict, the action to take and the reasons. `malicious` needs a listing of weight 0.90 or more for a link, a file or the sender; the shape of a message alone never asks for more than `review`. `clean` needs a DMARC pass that your own system reports, an established sender, files that are known and a message that was read whole. Send exactly one of `emlBase64`, `eml` and `message`. Nothing is run and no link is opened; nothing of the message is stored. docs/mail-scan.md explains every code.',
      tags: ['mail'],
      policy: POLICY,
      body: ScanBody,
      intake: { takeSlot: (principal) => deps.threads.takeSlot(principal, 'mail') },
      reply: ScanResult,
      outcome: ({ verdict }) => LEVEL_OF_MAIL[verdict],
      handle: async ({ body, principal, signal }) => {
        const startedMs = deps.clock.monotonic();
        // The intake of this route has replaced the body's bytes by an opened message.
        const opened = body as unknown as Opened<'mail'>;
        const facts = await opened.facts();
        return scan(facts, { context: opened.context, asker: principal, signal, startedMs });
      },
    }),
    ...gateRoutes(deps),
  ];
};
