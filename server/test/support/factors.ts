import { base32nopad } from '@scure/base';
import { totpCode, totpStep } from '#domain/accounts/index.ts';
import { FROM_DASHBOARD, WEB_URL } from './access.ts';
import { cookieOf, type TestAccounts } from './accounts.ts';
import { type Authenticator, createAuthenticator } from './authenticator.ts';

type Answer = Awaited<ReturnType<TestAccounts['post']>>;

/** A person in a browser: keeps the cookie of the last answer that set one. */
export type Visitor = {
  readonly userId: string;
  readonly email: string;
  readonly cookie: () => string;
  readonly post: (path: string, body?: object) => Promise<Answer>;
  readonly get: (path: string) => Promise<Answer>;
  readonly delete: (path: string) => Promise<Answer>;
  /** Sets up an authenticator app and returns its codes. */
  readonly addTotp: () => Promise<App>;
  readonly addPasskey: () => Promise<Authenticator>;
};

/** An authenticator app: `next` waits for the next code first, because no code is accepted twice. */
export type App = { readonly code: (stepsOff?: number) => string; readonly next: () => string };

export const PASSWORD = 'a sentence of ten words';

export async function newVisitor(t: TestAccounts, email: string): Promise<Visitor> {
  const { userId, cookie: first } = await t.newPerson(email, PASSWORD);
  return visitorOf(t, { userId, email }, first);
}

export function visitorOf(t: TestAccounts, who: { userId: string; email: string }, first: string): Visitor {
  let cookie = first;
  const kept = (answer: Answer): Answer => {
    cookie = cookieOf(answer) === '' ? cookie : cookieOf(answer);
    return answer;
  };
  const post: Visitor['post'] = async (path, body = {}) =>
    kept(await t.post(path, body, { headers: { ...FROM_DASHBOARD, cookie } }));
  return {
    ...who,
    cookie: () => cookie,
    post,
    get: (path) => t.get(path, cookie),
    delete: async (path) => {
      t.clock.advance(1);
      return kept(
        await t.app.inject({ method: 'DELETE', url: path, headers: { ...FROM_DASHBOARD, cookie } }),
      );
    },
    addTotp: async () => {
      const offered = await post('/api/auth/totp');
      const app = appOf(t, expect201(offered).json().secret);
      const confirmed = await post('/api/auth/totp/confirm', { code: app.code() });
      if (confirmed.statusCode !== 204) throw new Error(confirmed.body);
      return app;
    },
    addPasskey: async () => {
      const authenticator = createAuthenticator(WEB_URL, () => who.userId);
      const { challenge } = (await post('/api/auth/passkeys/options')).json();
      expect201(await post('/api/auth/passkeys', { passkey: authenticator.create(challenge) }));
      return authenticator;
    },
  };
}

function expect201(answer: Answer): Answer {
  if (answer.statusCode !== 201) throw new Error(`${answer.statusCode}: ${answer.body}`);
  return answer;
}

export function appOf(t: TestAccounts, text: string): App {
  const secret = base32nopad.decode(text);
  const code: App['code'] = (stepsOff = 0) => totpCode(secret, totpStep(t.clock.now()) + stepsOff);
  return {
    code,
    next: () => {
      t.clock.advance(30_000);
      return code();
    },
  };
}
