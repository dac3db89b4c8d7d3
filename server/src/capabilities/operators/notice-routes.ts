import { z } from 'zod';
import {
  createNotice,
  endNotice,
  listNotices,
  NOTICE_SEVERITIES,
  Notice,
  type NoticeDeps,
  noticeOf,
} from '#capabilities/status/index.ts';
import type { Policy } from '#platform/http/policy.ts';
import { type Route, route } from '#platform/http/route.ts';
import { act } from './act.ts';
import { IdParams } from './contract.ts';
import { OPERATORS } from './policy.ts';

const TAGS = ['operators'];
const EXTENSION: Policy = { ...OPERATORS, extension: true };
const moment = z.iso.datetime({ offset: true }).max(40);

const NoticePage = z.object({ notices: z.array(Notice) }).meta({ id: 'OperatorNoticePage' });
const OneNotice = z.object({ notice: Notice }).meta({ id: 'OperatorOneNotice' });
const NoticeBody = z
  .object({
    severity: z.enum(NOTICE_SEVERITIES),
    title: z.string().trim().min(1).max(200),
    body: z.string().trim().max(2_000).optional(),
    startsAt: moment.optional().describe('Now when absent.'),
    endsAt: moment.optional(),
  })
  .meta({ id: 'OperatorNoticeBody' });

/** Routes of the notices on the public status page. */
export const noticeRoutes = (deps: NoticeDeps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/admin/notices',
    summary: 'Notices of the public status page, with those that ended in the last week.',
    tags: TAGS,
    policy: EXTENSION,
    reply: NoticePage,
    handle: async () => {
      const rows = await listNotices({ postgres: deps.system, clock: deps.clock });
      return { notices: rows.map(noticeOf) };
    },
  }),
  route({
    method: 'POST',
    path: '/admin/notices',
    summary: 'Say something on the public status page.',
    tags: TAGS,
    policy: EXTENSION,
    body: NoticeBody,
    reply: OneNotice,
    status: 201,
    handle: (call) => {
      const { severity, title, body = '', startsAt, endsAt } = call.body;
      return act(
        deps,
        call,
        { action: 'notice.create', target: title, detail: call.body },
        async ({ id: by }) => {
          const [startsAtMs, endsAtMs] = [msOf(startsAt), msOf(endsAt)];
          return {
            notice: noticeOf(await createNotice(deps, by, { severity, title, body, startsAtMs, endsAtMs })),
          };
        },
      );
    },
  }),
  route({
    method: 'POST',
    path: '/admin/notices/:id/end',
    summary: 'End a notice; it stays on the page for a week.',
    tags: TAGS,
    policy: EXTENSION,
    params: IdParams,
    reply: OneNotice,
    handle: (call) =>
      act(deps, call, { action: 'notice.end', target: call.params.id }, async () => ({
        notice: noticeOf(await endNotice(deps, call.params.id)),
      })),
  }),
];

const msOf = (text: string | undefined): number | null => (text === undefined ? null : Date.parse(text));
