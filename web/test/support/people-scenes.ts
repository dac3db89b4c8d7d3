import type { Page } from 'playwright-core';
import type { Fault } from './fault-proxy.ts';
import { showRail } from './rail.ts';
import type { Scene } from './screens.ts';

const MOMENT = '2026-11-15T09:30:00.000Z';
const LATER = '2099-01-01T00:00:00.000Z';
const answer = (path: RegExp, body: unknown, status = 200): Fault => ({
  path,
  act: { kind: 'answer', status, headers: { 'x-request-id': '5f0c-example' }, body },
});
const away = (path: RegExp): Fault =>
  answer(path, { error: 'UNAVAILABLE', message: 'The data is being loaded. Try again in a minute.' }, 503);
const hang = (path: RegExp): Fault => ({ path, act: { kind: 'hang' } });

const FACTORS = /^\/api\/auth\/passkeys$/;
const SESSIONS = /^\/api\/auth\/sessions$/;
const USER = /^\/api\/user$/;
const [ORGANIZATIONS, MEMBERS] = [/^\/api\/organizations$/, /^\/api\/organization\/members$/];
const [INVITATIONS, AUDIT] = [/^\/api\/organization\/invitations$/, /^\/api\/organization\/audit/];
const USAGE = /^\/api\/user\/analytics/;

const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0 Safari/537.36';
const session = (id: string, over: object) => ({
  id: `ses_${id}`,
  isCurrent: false,
  accountId: 'usr_01',
  method: 'password',
  factors: ['password', 'totp'],
  openedAt: MOMENT,
  lastSeenAt: MOMENT,
  expiresAt: LATER,
  address: '203.0.113.17',
  userAgent: CHROME,
  ...over,
});
const PERSON = answer(USER, {
  id: 'usr_01',
  email: 'analyst@example.com',
  emailVerified: true,
  hasPassword: true,
  isClaimed: true,
  createdAt: MOMENT,
  organizations: [{ id: 'org_01', name: 'Example Inc.', role: 'OWNER' }],
});
const OPENED = answer(SESSIONS, {
  sessions: [
    session('01', { isCurrent: true }),
    session('02', { method: 'passkey', factors: ['passkey'], accountId: 'org_01', address: '2001:db8::17' }),
    session('03', { method: 'key', factors: [], userAgent: 'curl/8.5.0\u202e', address: '198.51.100.4' }),
  ],
});
const SET = answer(FACTORS, {
  passkeys: [
    { id: 'psk_01', label: 'Laptop', isSynced: false, createdAt: MOMENT, lastUsedAt: MOMENT },
    { id: 'psk_02', label: 'Password manager', isSynced: true, createdAt: MOMENT, lastUsedAt: null },
  ],
  hasTotp: true,
  recoveryCodesLeft: 8,
});
const UNSET = answer(FACTORS, { passkeys: [], hasTotp: false, recoveryCodesLeft: 0 });

const screenOf = (screen: 'security' | 'organization' | 'usage', shows: string) => {
  return (state: Scene['state'], more: Partial<Scene> = {}): Scene => ({
    name: `${screen}-${state}`,
    screen,
    state,
    path: `/app/${screen}`,
    isSignedIn: true,
    shows,
    ...more,
  });
};

const security = screenOf('security', 'text=This browser, now.');
const SECURITY: readonly Scene[] = [
  security('ready', { faults: [SET, OPENED, PERSON] }),
  security('empty', { faults: [UNSET, OPENED, PERSON], shows: 'text=You have no passkey' }),
  security('loading', {
    faults: [hang(FACTORS), hang(SESSIONS), hang(USER)],
    shows: 'text=Asking for your passkeys',
  }),
  security('error', {
    faults: [away(FACTORS), away(SESSIONS), away(USER)],
    shows: 'section[data-state="error"]',
  }),
  // Scenes sign in with a key pair, so without faults the page shows that state.
  security('partial', { name: 'security-key-pair', shows: 'text=You are signed in with an API key pair' }),
  security('ready', {
    name: 'security-app',
    isWindow: true,
    faults: [
      UNSET,
      OPENED,
      PERSON,
      answer(/^\/api\/auth\/totp$/, {
        secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
        uri: 'otpauth://totp/assay.example.com:analyst%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=assay.example.com&algorithm=SHA1&digits=6&period=30',
      }),
    ],
    act: async (page) => {
      await page.getByRole('button', { name: 'Set up an app' }).click();
      await page.getByRole('button', { name: 'Show the secret' }).click();
      await page.getByText('Scan and confirm').waitFor();
    },
  }),
  security('ready', {
    name: 'security-codes',
    isWindow: true,
    faults: [
      SET,
      OPENED,
      PERSON,
      answer(/^\/api\/auth\/recovery-codes$/, {
        codes: Array.from({ length: 10 }, (_, nth) => `7hq2-m4kd-9x3t-w${nth}vp`),
      }),
    ],
    act: async (page) => {
      await page.getByRole('button', { name: 'Make new recovery codes' }).click();
      await page.getByRole('button', { name: 'Make ten codes' }).click();
      await page.getByText('Store the recovery codes now').waitFor();
    },
  }),
  security('ready', {
    name: 'security-proof',
    isWindow: true,
    faults: [
      SET,
      OPENED,
      PERSON,
      answer(
        /^\/api\/auth\/sessions\/ses_02/,
        { error: 'Forbidden', message: 'This needs a proof.', confirmationRequired: true },
        403,
      ),
    ],
    act: async (page) => {
      await page.getByRole('button', { name: /End the session of Chrome on Linux from 2001/ }).click();
      await page.getByRole('button', { name: 'End it' }).click();
      await page.getByText('Confirm that it is you').waitFor();
    },
  }),
];

const member = (nth: number, role: string, over: object = {}) => ({
  userId: `usr_0${nth}`,
  email: `person-${nth}@example.com`,
  role,
  origin: 'invitation',
  joinedAt: MOMENT,
  isYou: false,
  ...over,
});
const signedIn = (role: string | null, plan = 'PRO'): Fault =>
  answer(/^\/api\/auth\/session$/, {
    signedIn: true,
    account: { id: role === null ? 'usr_01' : 'org_01', userId: 'usr_01', email: 'person-1@example.com' },
    organization: role === null ? null : { id: 'org_01', name: 'Example Inc.' },
    role,
    plan,
    expiresAt: LATER,
    usage: { used: 120, limit: 10_000, resetsAt: '2026-12-01T00:00:00.000Z' },
    bulkEntitiesMax: 100,
  });
const listed = (over: object) => ({
  id: 'org_01',
  name: 'Example Inc.',
  role: 'OWNER',
  createdAt: MOMENT,
  deletedAt: null,
  restorableUntil: null,
  ...over,
});
const LISTED = answer(ORGANIZATIONS, {
  organizations: [
    listed({}),
    listed({ id: 'org_02', name: 'Another GmbH', role: 'VIEWER' }),
    listed({ id: 'org_03', name: 'Closed Ltd.', deletedAt: MOMENT, restorableUntil: LATER }),
  ],
});
const TEAM = answer(MEMBERS, {
  members: [
    member(1, 'OWNER', { isYou: true, origin: 'manual' }),
    member(2, 'ADMIN'),
    member(3, 'MEMBER'),
    member(4, 'VIEWER', { email: `${'a-very-long-mailbox-name.'.repeat(3)}of-a-person@example.com` }),
  ],
});
const INVITED = answer(INVITATIONS, {
  invitations: [
    {
      id: 'inv_01',
      email: 'guest@example.com',
      role: 'MEMBER',
      invitedBy: 'usr_01',
      createdAt: MOMENT,
      expiresAt: LATER,
    },
  ],
});
const line = (nth: number, action: string, over: object = {}) => ({
  id: `aud_0${nth}`,
  at: MOMENT,
  actor: { kind: 'session', id: 'ses_01' },
  action,
  target: 'usr_02',
  detail: { by: 'usr_01' },
  address: '203.0.113.17',
  requestId: '5f0c-example',
  ...over,
});
const TRAIL = answer(AUDIT, {
  entries: [
    line(1, 'membership.put', { detail: { by: 'usr_01', role: 'ADMIN' } }),
    line(2, 'invitation.create', { target: 'inv_01' }),
    line(3, 'organization.factor', {
      target: 'org_01',
      actor: { kind: 'operator', id: 'cli' },
      detail: {},
      address: '',
    }),
  ],
  next: 'aud_03',
});
const OWNER = [signedIn('OWNER'), LISTED, TEAM, INVITED, TRAIL];

const organization = screenOf('organization', 'table[aria-label="Members"] >> text=person-2');
const ORGANIZATION: readonly Scene[] = [
  organization('ready', { faults: OWNER }),
  organization('partial', {
    name: 'organization-viewer',
    faults: [signedIn('VIEWER'), LISTED, TEAM, INVITED, TRAIL],
  }),
  organization('ready', {
    name: 'organization-enterprise',
    faults: [signedIn('ADMIN', 'ENTERPRISE'), LISTED, TEAM, INVITED, TRAIL],
    shows: 'a[href="/app/settings/sso"] >> text=Single sign-on settings',
  }),
  organization('empty', {
    faults: [signedIn(null), answer(ORGANIZATIONS, { organizations: [] })],
    shows: 'text=You belong to none',
  }),
  organization('loading', {
    faults: [signedIn('OWNER'), ...[ORGANIZATIONS, MEMBERS, INVITATIONS, AUDIT].map(hang)],
    shows: 'text=Asking who belongs to it',
  }),
  organization('error', {
    faults: [signedIn('OWNER'), ...[ORGANIZATIONS, MEMBERS, INVITATIONS, AUDIT].map(away)],
    shows: 'section[data-state="error"]',
  }),
  organization('ready', {
    name: 'organization-invite',
    isWindow: true,
    faults: OWNER,
    act: async (page) => {
      await page.getByRole('button', { name: 'Invite a person' }).click();
      await page.getByRole('dialog').waitFor();
    },
  }),
  organization('ready', {
    name: 'organization-switch',
    isWindow: true,
    faults: [...OWNER, PERSON],
    act: async (page: Page) => {
      await showRail(page);
      await page.getByRole('button', { name: 'Switch account' }).click();
      await page.getByRole('dialog').getByText('Example Inc.').waitFor();
    },
  }),
];

const COUNTED = {
  period: { from: '2026-10-17', to: '2026-11-15' },
  requests: {
    total: 4_210,
    byDay: Array.from({ length: 30 }, (_, nth) => ({
      day: new Date(Date.UTC(2026, 9, 17 + nth)).toISOString().slice(0, 10),
      count: nth < 4 ? 0 : 60 + ((nth * 37) % 140),
    })),
    byEndpoint: [
      { endpoint: 'GET /check', count: 3_300 },
      { endpoint: 'POST /bulk/check', count: 700 },
      { endpoint: 'GET /blocklists/{name}', count: 210 },
    ],
    byStatus: { '2xx': 4_100, '3xx': 60, '4xx': 50 },
  },
  scans: { used: 12, limit: 100 },
  monthly: { used: 4_100, limit: 10_000 },
  verdicts: {},
};
const usage = screenOf('usage', 'svg[role="img"]');
const USED: readonly Scene[] = [
  usage('ready', { faults: [answer(USAGE, COUNTED)] }),
  usage('empty', {
    faults: [
      answer(USAGE, {
        ...COUNTED,
        monthly: { used: 0, limit: 500 },
        scans: { used: 0, limit: 0 },
        requests: { total: 0, byDay: [], byEndpoint: [], byStatus: {} },
      }),
    ],
    shows: 'text=Nothing was asked yet',
  }),
  usage('loading', { faults: [hang(USAGE)], shows: 'text=Asking what was counted' }),
  usage('error', { faults: [away(USAGE)], shows: 'section[data-state="error"]' }),
  usage('partial', {
    name: 'usage-signed-out',
    isSignedIn: false,
    shows: 'text=to see what your keys asked',
  }),
];

export const PEOPLE: readonly Scene[] = [...SECURITY, ...ORGANIZATION, ...USED];
