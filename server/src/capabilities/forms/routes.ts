import { z } from 'zod';
import { badRequest } from '#platform/errors.ts';
import { DEFAULT_BODY_MAX, type Policy, PUBLIC_READ } from '#platform/http/policy.ts';
import { type Call, type PreparedBody, type Route, route } from '#platform/http/route.ts';
import { type PageWords, sendPage, wantsPage } from './confirm-page.ts';
import {
  ContactBody,
  FeedbackBody,
  FormReply,
  LicenseBody,
  NewsletterBody,
  OneClickBody,
  TokenBody,
  TokenQuery,
} from './contract.ts';
import type { FormsDeps } from './forms-deps.ts';
import { keepEntry } from './keep-entry.ts';
import { askForNewsletter, confirmNewsletter, readConfirmToken } from './newsletter.ts';
import { readUnsubscribeToken, unsubscribe } from './unsubscribe.ts';

const TAGS = ['Forms'];
const LETTERS = ['Letters'];
/** Five an hour for each address, all forms together (decisions 1.4). */
const FORM: Policy = { ...PUBLIC_READ, meter: 'forms', class: 'D', bodyMax: DEFAULT_BODY_MAX };
/** Body types of the one-click unsubscribe; RFC 8058 asks for the two of forms, API callers send JSON. */
const ONE_CLICK_TYPES = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'];
const SAME =
  'Limited to 5 forms an hour for each client address. A form whose field `website` is filled in is answered the same and dropped.';

export const formsRoutes = (deps: FormsDeps): readonly Route[] => [
  ...entryRoutes(deps),
  ...newsletterRoutes(deps),
  ...unsubscribeRoutes(deps),
];

const entryRoutes = (deps: FormsDeps): readonly Route[] => [
  route({
    method: 'POST',
    path: '/contact',
    summary: 'Write to the operator of this service.',
    description: SAME,
    tags: TAGS,
    policy: FORM,
    body: ContactBody,
    reply: FormReply,
    handle: ({ body }) => keepEntry(deps, 'contact', body),
  }),
  route({
    method: 'POST',
    path: '/feedback',
    summary: 'Say what is good or bad about this service.',
    description: SAME,
    tags: TAGS,
    policy: FORM,
    body: FeedbackBody,
    reply: FormReply,
    handle: ({ body }) => keepEntry(deps, 'feedback', body),
  }),
  route({
    method: 'POST',
    path: '/license',
    summary: 'Ask for a licence key.',
    description: SAME,
    tags: TAGS,
    policy: FORM,
    body: LicenseBody,
    reply: FormReply,
    handle: ({ body }) => keepEntry(deps, 'license', body),
  }),
];

const newsletterRoutes = (deps: FormsDeps): readonly Route[] => [
  route({
    method: 'POST',
    path: '/newsletter',
    summary: 'Subscribe to the newsletter.',
    description: `The address gets a letter and is subscribed once its link was used, within 7 days. The answer is the same for every address; an address gets one letter an hour. 409 where the service cannot send email. ${SAME}`,
    tags: TAGS,
    policy: FORM,
    body: NewsletterBody,
    otherStatuses: { 409: 'The service cannot send email.' },
    reply: FormReply,
    handle: ({ body }) => askForNewsletter(deps, body),
  }),
  pageRoute('/newsletter/confirm', 'The page that asks whether to confirm a subscription.', {
    title: 'Confirm your subscription',
    text: 'Confirm that you want to get our newsletter at the address that the link was sent to.',
    button: 'Confirm the subscription',
    check: (token) => readConfirmToken(deps.secrets, token),
    isExtension: true,
  }),
  route({
    method: 'POST',
    path: '/newsletter/confirm',
    summary: 'Confirm a subscription.',
    description: 'The button of the page. A second time changes nothing and is answered the same.',
    tags: LETTERS,
    policy: { ...PUBLIC_READ, extension: true },
    query: TokenQuery,
    body: OneClickBody,
    accepts: ONE_CLICK_TYPES,
    alsoProduces: ['text/html'],
    reply: FormReply,
    handle: async (call) =>
      answer(call, 'Subscription confirmed', await confirmNewsletter(deps, call.query.token)),
  }),
];

const unsubscribeRoutes = (deps: FormsDeps): readonly Route[] => [
  pageRoute('/email-sequences/unsubscribe', 'The page that asks whether to end letters of a kind.', {
    title: 'End these letters',
    text: 'You get no more letters of this kind at the address that the link was sent to. Letters about the security of your account still come.',
    button: 'End these letters',
    check: (token) => readUnsubscribeToken(deps.secrets, token),
    isExtension: false,
  }),
  route({
    method: 'POST',
    path: '/email-sequences/unsubscribe',
    summary: 'End letters of a kind with one click.',
    description:
      'For the unsubscribe button of mail programs (RFC 8058): the body is `List-Unsubscribe=One-Click`. A second time changes nothing and is answered the same.',
    tags: LETTERS,
    policy: PUBLIC_READ,
    query: TokenQuery,
    body: OneClickBody,
    accepts: ONE_CLICK_TYPES,
    alsoProduces: ['text/html'],
    reply: FormReply,
    handle: async (call) => {
      if (!isOneClick(call.request.body)) throw badRequest('Send the body List-Unsubscribe=One-Click.');
      return answer(call, 'Letters ended', await unsubscribe(deps, call.query.token));
    },
  }),
  route({
    method: 'POST',
    path: '/mail/unsubscribe',
    summary: 'End letters of a kind, from a page of the dashboard.',
    description: 'The token is that of the unsubscribe link of a letter.',
    tags: LETTERS,
    policy: { ...PUBLIC_READ, surface: 'web', extension: true },
    body: TokenBody,
    reply: FormReply,
    handle: ({ body }) => unsubscribe(deps, body.token),
  }),
];

type AskingPage = PageWords & {
  /** Throws a 400 for a token that cannot be read. */
  readonly check: (token: string) => unknown;
  readonly isExtension: boolean;
};

const pageRoute = (path: string, summary: string, { check, isExtension, ...words }: AskingPage): Route =>
  route({
    method: 'GET',
    path,
    summary,
    description: 'It changes nothing, because programs that scan mail open links. 400 for a bad token.',
    tags: LETTERS,
    policy: { ...PUBLIC_READ, ...(isExtension && { extension: true }) },
    query: TokenQuery,
    produces: 'text/html',
    reply: z.string().describe('text/html; charset=utf-8'),
    handle: (call) => {
      check(call.query.token);
      return sendPage(call, words);
    },
  });

const answer = (
  call: Pick<Call, 'request' | 'reply'>,
  title: string,
  { message }: FormReply,
): FormReply | PreparedBody => (wantsPage(call) ? sendPage(call, { title, text: message }) : { message });

const ONE_CLICK = /name="?List-Unsubscribe"?\r?\n(?:[^\r\n]+\r?\n){0,8}\r?\nOne-Click\r?\n/i;

/** Whether the body is `List-Unsubscribe=One-Click`: parsed fields come as an object, a multipart body as bytes. */
function isOneClick(body: unknown): boolean {
  if (Buffer.isBuffer(body)) return ONE_CLICK.test(body.toString('latin1'));
  return (
    (body as { readonly 'List-Unsubscribe'?: unknown } | undefined)?.['List-Unsubscribe'] === 'One-Click'
  );
}
