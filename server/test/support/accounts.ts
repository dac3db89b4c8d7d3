import pg from 'pg';
import { accountsRoutes, openAccounts, openPeople } from '#capabilities/accounts/index.ts';
import { factorsRoutes, openFactorRoutes, openFactors } from '#capabilities/factors/index.ts';
import { openLetters } from '#capabilities/letters/index.ts';
import type { Route } from '#platform/http/route.ts';
import { createLog } from '#platform/log.ts';
import { sql } from '#platform/postgres.ts';
import { createSecrets } from '#platform/secrets.ts';
import { type AnswerDeps, answerRequest } from '../../src/capabilities/accounts/answer-request.ts';
import {
  createTestAccess,
  FROM_DASHBOARD,
  type TestAccess,
  type TestAccessOptions,
  type TestAccessParts,
} from './access.ts';

export type OpenedLetter = {
  readonly kind: string;
  readonly to: string;
  readonly link: string;
  readonly token: string;
};
type Answer = Awaited<ReturnType<TestAccess['app']['inject']>>;

export type TestAccounts = TestAccess & {
  readonly answers: AnswerDeps;
  /** Every line that the service logged. */
  readonly lines: readonly string[];
  /** A connection that sees all rows. */
  readonly owner: pg.Client;
  readonly post: (
    path: string,
    body: object,
    options?: { readonly headers?: Readonly<Record<string, string>>; readonly from?: string },
  ) => Promise<Answer>;
  readonly get: (path: string, cookie: string) => Promise<Answer>;
  /** Answers the stored requests of people, as a job of the worker does. */
  readonly settle: () => Promise<void>;
  /** The letters to an address, oldest first, as their reader sees them. */
  readonly lettersTo: (email: string) => Promise<readonly OpenedLetter[]>;
  readonly newestTo: (email: string) => Promise<OpenedLetter>;
  /** Registers, proves the address and returns the cookie of the session. */
  readonly newPerson: (email: string, password: string) => Promise<{ userId: string; cookie: string }>;
};

/** People over a real database and the real HTTP stack. Letters are written and read as rows; no mail server is needed. */
export async function createTestAccounts(
  env: Readonly<Record<string, string>> = {},
  breachedSha1: ReadonlySet<string> = new Set(),
  more: (parts: TestAccessParts) => readonly Route[] = () => [],
  rules: Pick<TestAccessOptions, 'admitOwnSignIn'> = {},
): Promise<TestAccounts> {
  const lines: string[] = [];
  const made: { answers?: AnswerDeps } = {};
  const t = await createTestAccess(
    { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'no-reply@example.com', ...PATIENT_LIMITS, ...env },
    {
      ...rules,
      log: createLog('debug', { write: (line) => lines.push(line) }),
      routes: (parts) => {
        const { config, clock, system, session, guard, access } = parts;
        const letters = openLetters({ config, clock });
        const publicWebUrl = config.PUBLIC_WEB_URL;
        made.answers = { clock, letters, publicWebUrl };
        const people = openPeople({
          system,
          clock,
          letters,
          publicWebUrl,
          pepper: access.pepper,
          defaultPlan: config.DEFAULT_PLAN,
        });
        const secrets = createSecrets(config.SECRET_KEY);
        const factors = openFactors({ system, clock, letters, publicWebUrl, secrets });
        const ofFactors = openFactorRoutes({ config, clock, session, guard, factors });
        const accounts = accountsRoutes(
          openAccounts({
            config,
            clock,
            people,
            session,
            guard,
            factors,
            factorThrottle: ofFactors.throttle,
            sessions: access.sessions,
            canSendLetters: letters.canSendLetters,
            passwords: {
              find: ({ value }) =>
                breachedSha1.has(value)
                  ? { hashType: 'sha1', count: 3, corpusUpdatedAt: '2026-01-01T00:00:00.000Z' }
                  : null,
            },
            isDisposable: ({ value }) => value === 'mailinator.com',
          }),
        );
        return [...accounts, ...factorsRoutes(ofFactors), ...more(parts)];
      },
    },
  );
  if (made.answers === undefined) throw new Error('The routes of accounts were not made.');
  const owner = new pg.Client({ connectionString: t.database.url });
  await owner.connect();
  return withPeople(t, { answers: made.answers, owner, lines });
}

/** Limits that no test reaches by accident; tests of limits set their own. */
const PATIENT_LIMITS = {
  SIGN_IN_PER_MINUTE: '100000',
  SIGN_IN_DEVICE_PER_HOUR: '100000',
  SIGN_IN_NETWORK_PER_HOUR: '100000',
  SIGN_IN_ACCOUNT_PER_HOUR: '100000',
  FACTOR_CODES_PER_HOUR: '100000',
  LETTERS_PER_HOUR: '100000',
  LETTERS_MAILBOX_PER_HOUR: '100000',
};

function withPeople(
  t: TestAccess,
  { answers, owner, lines }: Pick<TestAccounts, 'answers' | 'owner' | 'lines'>,
): TestAccounts {
  const post: TestAccounts['post'] = (path, body, { headers = FROM_DASHBOARD, from } = {}) => {
    // Letters are listed by their time, so each call has a time of its own.
    t.clock.advance(1);
    return t.app.inject({
      method: 'POST',
      url: path,
      headers: { ...headers },
      payload: body,
      ...(from !== undefined && { remoteAddress: from }),
    });
  };
  const settle = async () => {
    const { rows } = await sql<{
      id: string;
    }>`select id from account_request order by created_at, id`.execute(t.system.db);
    for (const { id } of rows) {
      t.clock.advance(1);
      await t.system.transaction((tx) => answerRequest(answers, tx, id));
    }
  };
  const lettersTo = async (email: string): Promise<readonly OpenedLetter[]> => {
    const { rows } = await sql<{ id: string; kind: string; sealed: Buffer }>`
      select id, kind, sealed from letter where address_digest = sha256(convert_to(${email}, 'UTF8'))
       order by created_at, id`.execute(t.system.db);
    const secrets = createSecrets(t.config.SECRET_KEY);
    return rows.map(({ id, kind, sealed }) => {
      const opened = JSON.parse(String(secrets.open(sealed, `letter:${id}`)));
      const link: string = opened.facts.link ?? '';
      return { kind, to: opened.to, link, token: link.split('#token=')[1] ?? '' };
    });
  };
  const newestTo = async (email: string) => {
    const letter = (await lettersTo(email)).at(-1);
    if (letter === undefined) throw new Error(`No letter went to ${email}.`);
    return letter;
  };
  return {
    ...t,
    answers,
    owner,
    lines,
    post,
    settle,
    lettersTo,
    newestTo,
    get: (path, cookie) => t.app.inject({ url: path, headers: { ...FROM_DASHBOARD, cookie } }),
    newPerson: async (email, password) => {
      await post('/api/auth/register', { email, password });
      await settle();
      const { token } = await newestTo(email);
      const answer = await post('/api/auth/verify', { token, password });
      if (answer.statusCode !== 201) throw new Error(`${email} could not register: ${answer.body}`);
      return { userId: answer.json().account.userId, cookie: cookieOf(answer) };
    },
    close: async () => {
      await owner.end();
      await t.close();
    },
  };
}

export const cookiesOf = (answer: { headers: Record<string, unknown> }): string[] =>
  [answer.headers['set-cookie'] ?? []].flat() as string[];
export const cookieOf = (answer: { headers: Record<string, unknown> }): string =>
  cookiesOf(answer)[0]?.split(';')[0] ?? '';
