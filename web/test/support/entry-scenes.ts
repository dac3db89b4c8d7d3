import type { Page } from 'playwright-core';
import type { Fault } from './fault-proxy.ts';
import type { Scene } from './screens.ts';

const TOKEN = 'x'.repeat(43);
const EMAIL = 'analyst@example.com';
const PAIR = {
  apiKey: 'ak_7Hq2mXcV9tRbL4sWzK1pNdYe',
  apiSecret: 'as_3fT8kQw2ZrB6nYxV1mLc9HdPsJgE5uAo',
  authHeader:
    'X-API-KEY: YWtfN0hxMm1YY1Y5dFJiTDRzV3pLMXBOZFllOmFzXzNmVDhrUXcyWnJCNm5ZeFYxbUxjOUhkUHNKZ0U1dUFv',
  quota: { requestsPerMonth: 500, burst: 60 },
  account: { id: 'usr_01M7KJEQVBSG58B439NJX31902' },
};
const TOLD = {
  register: 'A letter is on its way to this address, if it can have an account here. Open the link in it.',
  forgot: 'If this address has an account, a letter with a link is on its way to it.',
  reset: 'The new password is set and every session has ended. Sign in with it.',
} as const;

const answer = (path: RegExp, body: unknown, status = 200, headers = {}): Fault => ({
  path,
  act: { kind: 'answer', status, headers: { 'x-request-id': '5f0c-example', ...headers }, body },
});
const told = (act: keyof typeof TOLD): readonly Fault[] => [
  answer(new RegExp(`^/api/auth/${act}`), { message: TOLD[act] }),
];

/** Fills the fields that the form has and sends it; `shows` is the text to wait for afterwards. */
const fillAndSee =
  (shows: string) =>
  async (page: Page): Promise<void> => {
    const email = page.getByLabel('E-mail address');
    if ((await email.count()) > 0) await email.fill(EMAIL);
    const password = page.locator('#password');
    if ((await password.count()) > 0) await password.fill('a sentence of ten words');
    await page.keyboard.press('Enter');
    await page.locator(shows).first().waitFor();
  };

const FORM = 'form[data-state="ready"]';
const scene = (
  screen: 'sign-in' | 'register' | 'forgot' | 'verify' | 'reset' | 'claim' | 'invitation' | 'sso',
  state: Scene['state'],
  more: Partial<Scene> = {},
): Scene => ({
  name: `${screen}-${state}`,
  screen,
  state,
  path: ['verify', 'reset', 'claim'].includes(screen) ? `/app/${screen}#token=${TOKEN}` : `/app/${screen}`,
  shows: FORM,
  ...more,
});

/** Without a fault the sample service answers itself: it has no mail server and refuses these persons and links. */
export const ENTRY: readonly Scene[] = [
  scene('sign-in', 'ready'),
  scene('sign-in', 'error', { act: fillAndSee('role=alert') }),
  scene('sign-in', 'loading', {
    faults: [{ path: /^\/api\/auth\/login/, act: { kind: 'hang' } }],
    act: fillAndSee('form[data-state="sending"]'),
  }),
  scene('sign-in', 'ready', { name: 'sign-in-key', path: '/app/sign-in?with=key' }),
  scene('sign-in', 'ready', { name: 'sign-in-sso', path: '/app/sign-in?with=sso' }),
  scene('sign-in', 'error', {
    name: 'sign-in-sso-failed',
    path: '/app/sign-in?error=sso_failed',
    shows: 'role=alert',
  }),
  scene('sign-in', 'empty', {
    name: 'sign-in-sso-unknown',
    path: '/app/sign-in?with=sso',
    act: fillAndSee('role=alert'),
  }),
  scene('sso', 'empty', { name: 'sso-ended', path: '/app/sso', shows: '[data-state="ended"]' }),
  scene('register', 'error', { act: fillAndSee('role=alert >> text=SMTP_URL') }),
  scene('register', 'ready', {
    name: 'register-sent',
    faults: told('register'),
    act: fillAndSee('[data-state="done"]'),
  }),
  scene('forgot', 'ready', {
    name: 'forgot-sent',
    faults: told('forgot'),
    act: fillAndSee('[data-state="done"]'),
  }),
  scene('verify', 'ready'),
  scene('verify', 'error', {
    faults: [
      answer(
        /^\/api\/auth\/verify/,
        { error: 'Unauthorized', message: 'This is not the password that was chosen at registration.' },
        401,
      ),
    ],
    act: fillAndSee('role=alert'),
  }),
  scene('verify', 'empty', { name: 'verify-ended', act: fillAndSee('[data-state="ended"]') }),
  scene('reset', 'ready', {
    name: 'reset-done',
    faults: told('reset'),
    act: fillAndSee('[data-state="done"]'),
  }),
  scene('reset', 'empty', { name: 'reset-ended', path: '/app/reset', shows: '[data-state="ended"]' }),
  scene('claim', 'ready'),
  scene('claim', 'ready', {
    name: 'claim-secret',
    isWindow: true,
    faults: [answer(/^\/api\/auth\/claim/, PAIR)],
    act: fillAndSee('text=First curl'),
  }),
  scene('sign-in', 'ready', {
    name: 'sign-in-factor',
    faults: [
      answer(/^\/api\/auth\/login/, {
        signedIn: false,
        factorNeeded: ['totp', 'passkey', 'recovery'],
        ticket: 'x'.repeat(43),
        expiresAt: '2027-01-01T00:00:00.000Z',
      }),
    ],
    act: fillAndSee('text=Code of your authenticator app'),
  }),
  scene('invitation', 'empty', {
    name: 'invitation-ended',
    path: '/app/invitation',
    shows: '[data-state="ended"]',
  }),
  scene('claim', 'empty', { name: 'claim-ended', act: fillAndSee('[data-state="ended"]') }),
];
