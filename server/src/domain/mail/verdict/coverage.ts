import type { Authentication } from '../headers/authentication.ts';
import type { MessageFacts } from '../message-facts.ts';
import type { MailAnswers } from './item-word.ts';

export type Coverage = {
  readonly ran: readonly string[];
  readonly skipped: readonly { readonly check: string; readonly reason: string }[];
  readonly truncated: boolean;
};

type Skipped = { readonly check: string; readonly reason: string };
type Check = readonly [name: string, skippedBecause: string | null];

const NO_LISTS = 'No threat list is loaded.';

/** Every check of decisions 3.11 is in `ran` or in `skipped`, never in both. */
export function coverageOf(
  facts: MessageFacts,
  answers: MailAnswers,
  authentication: Authentication,
): Coverage {
  const lists = answers.hasThreatLists ? null : NO_LISTS;
  const hasReplyTo = facts.replyTo.some(({ email }) => email !== null);
  const checks: readonly Check[] = [
    ['sender', facts.from?.email == null ? 'The message has no readable sender address.' : lists],
    ['reply_to', hasReplyTo ? lists : 'The message names no other address for replies.'],
    [
      'authentication',
      authentication.status === 'trusted'
        ? null
        : 'No Authentication-Results header that the caller vouches for was found.',
    ],
    ['sender_posture', answers.postureSkipped],
    ['connecting_ip', answers.connectingSkipped ?? lists],
    ['links', lists],
    ['attachment_hashes', lists],
    [
      'attachment_structure',
      facts.isStructured && facts.attachments.length > 0
        ? 'Contents of attachments are not sent in the structured form.'
        : null,
    ],
    ['brands', null],
    ['newly_registered_domains', 'No source of newly registered domains is available.'],
    ['injection', null],
    ['contacts', lists],
  ];
  return {
    ran: checks.flatMap(([check, reason]) => (reason === null ? [check] : [])),
    skipped: [
      ...checks.flatMap(([check, reason]) => (reason === null ? [] : [{ check, reason }])),
      ...unread(facts, answers),
    ],
    truncated: facts.cuts.length > 0,
  };
}

/** Parts of this message that were not checked (contract 4.9 rule 4). */
function unread(facts: MessageFacts, answers: MailAnswers): readonly Skipped[] {
  const has = (name: string): boolean =>
    facts.attachments.some(({ unread: of }) => (of as readonly string[]).includes(name));
  const skipped: (Skipped | false)[] = [
    has('archive_contents') && { check: 'archive_contents', reason: 'Archives are listed and not unpacked.' },
    has('pdf_streams') && { check: 'pdf_streams', reason: 'Compressed streams of PDF files are not read.' },
    has('file_type') && { check: 'file_type', reason: 'The type of a file is not supported.' },
    facts.hasImages && { check: 'qr_codes', reason: 'Pictures are not searched for codes.' },
    answers.links.some(({ isShortener }) => isShortener) && {
      check: 'shortened_links',
      reason: 'Shortened links are not followed.',
    },
    facts.unreadMessages > 0 && {
      check: 'attached_messages',
      reason: 'Messages attached below the second level are not read.',
    },
    facts.unreadLinks > 0 && { check: 'unreadable_links', reason: 'The host of a link could not be read.' },
    !answers.hasPopularNames && {
      check: 'established_senders',
      reason: 'No list of popular names is loaded, so no message can be clean.',
    },
    ...facts.cuts.map((cut) => ({
      check: `all_${cut}`,
      reason: `The message has more ${WORDS[cut] ?? cut} than a scan reads.`,
    })),
  ];
  return skipped.filter((entry) => entry !== false);
}

const WORDS: Readonly<Record<string, string>> = {
  body: 'text',
  structure: 'nested parts',
  headers: 'header text',
};
