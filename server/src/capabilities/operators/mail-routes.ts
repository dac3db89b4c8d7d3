import { z } from 'zod';
import {
  countLetters,
  listSequences,
  type OutboxDeps,
  type OutboxLetter,
  retryLetter,
  type Sequence,
  selectOutbox,
  setSequence,
  TOPICS,
} from '#capabilities/letters/index.ts';
import { type Route, route } from '#platform/http/route.ts';
import { nextOf } from './account-routes.ts';
import { act } from './act.ts';
import { count, IdParams, timestamp } from './contract.ts';
import { OPERATORS } from './policy.ts';

const TAGS = ['operators'];
const STATES = ['waiting', 'sent', 'refused', 'expired', 'suppressed'] as const;

const OutboxQuery = z.object({
  state: z.enum([...STATES, 'all']).default('waiting'),
  limit: z.coerce.number().int().min(1).max(500).default(100),
  before: z.string().max(64).optional(),
});
const Outbox = z
  .object({
    counts: z.array(z.object({ state: z.string(), letters: count })),
    letters: z.array(
      z.object({
        id: z.string(),
        accountId: z.string().nullable(),
        kind: z.string(),
        state: z.enum(STATES),
        attempts: count,
        reason: z.string().nullable().describe('What the mail server said last.'),
        createdAt: timestamp,
        nextAt: timestamp.nullable().describe('When a waiting letter is tried next.'),
        finishedAt: timestamp.nullable(),
      }),
    ),
    next: z.string().nullable(),
  })
  .describe('Addresses and texts stay sealed.')
  .meta({ id: 'MailOutbox' });
const Retried = z.object({ letterId: z.string(), retried: z.literal(true) }).meta({ id: 'RetriedLetter' });
const Sequences = z
  .object({
    sequences: z.array(
      z.object({
        id: z.enum(TOPICS),
        kinds: z.array(z.string()),
        enabled: z.boolean(),
        pausedAt: timestamp.nullable(),
        pausedBy: z.string().nullable(),
        sent: count.describe('In the last 30 days.'),
        waiting: count,
        unsubscribed: count.describe('People who ended letters of this topic.'),
      }),
    ),
  })
  .meta({ id: 'MailSequences' });
const SequenceBody = z.object({ id: z.enum(TOPICS), enabled: z.boolean() }).meta({ id: 'SequenceBody' });

export const mailRoutes = (deps: OutboxDeps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/emails/outbox',
    summary: 'Letters to people, newest first; those that wait when no state is sent.',
    tags: TAGS,
    policy: OPERATORS,
    query: OutboxQuery,
    reply: Outbox,
    handle: async ({ query: { state, before, limit } }) => {
      const { db } = deps.system;
      const counts = (await countLetters(db)).map(({ state: of, letters }) => ({ state: of, letters }));
      const wanted = { state: state === 'all' ? null : state, before: before ?? null, limit };
      const letters = await selectOutbox(db, wanted);
      return { counts, letters: letters.map(letterOf), next: nextOf(letters, limit) };
    },
  }),
  route({
    method: 'POST',
    path: '/emails/:id/retry',
    summary: 'Try a waiting letter now.',
    tags: TAGS,
    policy: OPERATORS,
    params: IdParams,
    otherStatuses: { 409: 'The email was sent or given up.' },
    reply: Retried,
    handle: (call) =>
      act(deps, call, { action: 'letter.retry', target: call.params.id }, async () => {
        await retryLetter(deps, call.params.id);
        return { letterId: call.params.id, retried: true as const };
      }),
  }),
  route({
    method: 'GET',
    path: '/emails/sequences',
    summary: 'The topics of letters that people can end and operators can pause.',
    tags: TAGS,
    policy: OPERATORS,
    reply: Sequences,
    handle: async () => ({ sequences: (await listSequences(deps)).map(sequenceOf) }),
  }),
  route({
    method: 'PATCH',
    path: '/emails/sequences',
    summary: 'Pause the letters of a topic, or let them go out again.',
    description:
      'A paused letter waits for 72 hours at most. Letters about security have no topic and always go out.',
    tags: TAGS,
    policy: OPERATORS,
    body: SequenceBody,
    reply: Sequences,
    handle: (call) => {
      const { id: topic, enabled } = call.body;
      return act(
        deps,
        call,
        { action: 'sequence.set', target: topic, detail: { enabled } },
        async ({ id: by }) => {
          await setSequence(deps, { topic, enabled, by });
          return { sequences: (await listSequences(deps)).map(sequenceOf) };
        },
      );
    },
  }),
];

const isoOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

const letterOf = ({ createdAtMs, nextAtMs, finishedAtMs, state, ...letter }: OutboxLetter) => ({
  ...letter,
  state: state as (typeof STATES)[number],
  createdAt: new Date(createdAtMs).toISOString(),
  nextAt: state === 'waiting' ? isoOf(nextAtMs) : null,
  finishedAt: isoOf(finishedAtMs),
});

const sequenceOf = ({ pausedAt, kinds, ...sequence }: Sequence) => ({
  ...sequence,
  kinds: [...kinds],
  pausedAt: pausedAt?.toISOString() ?? null,
});
