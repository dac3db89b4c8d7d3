import type { Fault } from './fault-proxy.ts';
import { SAMPLE } from './sample-peers.ts';
import type { Scene } from './screens.ts';

const [KEYS, REPORTS] = [/^\/api\/user\/keys/, /^\/api\/reports/];
const MOMENT = '2026-11-15T09:30:00.000Z';
const answer = (path: RegExp, body: unknown, status = 200): Fault => ({
  path,
  act: { kind: 'answer', status, headers: { 'x-request-id': '5f0c-example' }, body },
});
const away = (path: RegExp): Fault =>
  answer(path, { error: 'UNAVAILABLE', message: 'The data is being loaded. Try again in a minute.' }, 503);

const key = (label: string, over: object = {}) => ({
  id: `key_${label.replaceAll(' ', '')}`,
  apiKey: 'ak_7Hq2mXcV9tRbL4sWzK1pNdYe',
  label,
  createdAt: MOMENT,
  lastUsedAt: MOMENT,
  allowedCidrs: [],
  previousSecretValidUntil: null,
  parentId: null,
  canSignIn: true,
  openSessions: 0,
  opensThisSession: false,
  ...over,
});
const LISTED = {
  keys: [
    key('mail gateway', { parentId: 'key_workstation', canSignIn: false, allowedCidrs: ['203.0.113.0/24'] }),
    key('firewall', { lastUsedAt: null, canSignIn: false, allowedCidrs: ['192.0.2.1', '2001:db8::/32'] }),
    key('workstation', { openSessions: 2, opensThisSession: true }),
    key('', { openSessions: 1, previousSecretValidUntil: '2099-01-01T00:00:00.000Z' }),
  ],
};
const report = (entityType: string, entityValue: string, over: object = {}) => ({
  id: `rpt_${entityType.toUpperCase()}`,
  userId: 'usr_01',
  organizationId: null,
  entityType,
  entityValue,
  verdict: 'critical',
  riskScore: 92,
  riskLevel: 'critical',
  word: 'Malicious',
  note: null,
  tags: [],
  origin: 'client',
  createdAt: MOMENT,
  ...over,
});
const OPEN = { verdict: 'inconclusive', riskScore: 0, riskLevel: 'inconclusive' };
const REPORT = report('ip', SAMPLE.malicious, { note: 'ticket 4711', tags: ['soc'] });
const SAVED = {
  reports: [
    REPORT,
    report('url', SAMPLE.payload, { verdict: 'high', riskScore: 74, riskLevel: 'high', word: 'Malicious' }),
    report('hash', SAMPLE.unknownHash, { ...OPEN, word: 'Not seen' }),
    report('domain', SAMPLE.unknownDomain, { ...OPEN, word: 'Not listed' }),
  ],
  total: 4,
  page: 1,
  limit: 25,
};

const scene = (
  screen: 'keys' | 'reports' | 'settings-sso',
  state: Scene['state'],
  shows: string,
  more: Partial<Scene> = {},
): Scene => ({
  name: `${screen}-${state}`,
  screen,
  state,
  path: `/app/${screen.replace('-', '/')}`,
  isSignedIn: true,
  shows,
  ...more,
});
const stale =
  (fault: Fault): NonNullable<Scene['act']> =>
  async (page, setFaults) => {
    setFaults([fault]);
    await page.keyboard.press('g');
    await page.keyboard.press('o');
    await page.getByRole('heading', { level: 1, name: 'What is listed here' }).waitFor();
    await page.clock.runFor(61_000);
    await page.goBack();
    await page.getByText('the service has not answered since').waitFor();
  };

const SSO = /^\/api\/organization\/sso/;
const CONNECTION = {
  emailDomain: 'example.com',
  issuerUrl: 'https://idp.example.com/realms/staff',
  clientId: 'assay',
  hasClientSecret: true,
  enforceSso: false,
  enabled: true,
  callbackUrl: 'https://app.example.com/api/auth/sso/callback',
  domainProof: {
    name: '_assay-sso.example.com',
    value: 'assay-sso=0123456789abcdefghijklmnopqrstuvwxyzABCDEFG',
    provenAt: MOMENT,
  },
  lastSignInAt: MOMENT,
};

export const ACCOUNT: readonly Scene[] = [
  scene('settings-sso', 'ready', 'text=Passwords work too', {
    faults: [answer(SSO, { connection: CONNECTION })],
  }),
  scene('settings-sso', 'empty', 'text=is not set up', { faults: [answer(SSO, { connection: null })] }),
  scene('settings-sso', 'error', 'role=alert'),
  scene('keys', 'ready', 'text=You are signed in with this key', { faults: [answer(KEYS, LISTED)] }),
  scene('keys', 'loading', 'div[data-state="loading"]', { faults: [{ path: KEYS, act: { kind: 'hang' } }] }),
  scene('keys', 'empty', 'text=No key is in use', { faults: [answer(KEYS, { keys: [] })] }),
  scene('keys', 'error', 'role=alert', { faults: [away(KEYS)] }),
  scene('keys', 'degraded', 'text=You are signed in with this key', {
    faults: [answer(KEYS, LISTED)],
    movesClock: true,
    act: stale(away(KEYS)),
  }),
  scene('keys', 'partial', 'text=to see and make keys', { name: 'keys-signed-out', isSignedIn: false }),
  scene('keys', 'ready', 'text=You are signed in with this key', {
    name: 'keys-create',
    isWindow: true,
    act: async (page) => {
      await page.getByRole('button', { name: 'Create a key' }).click();
      await page.getByRole('dialog').waitFor();
    },
  }),
  scene('keys', 'ready', 'text=You are signed in with this key', {
    name: 'keys-secret',
    isWindow: true,
    // The secret in the picture is real, but only for the service that was started for the pictures.
    act: async (page) => {
      await page.getByRole('button', { name: 'Create a key' }).click();
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByText('First curl').waitFor();
    },
  }),
  scene('keys', 'ready', 'text=You are signed in with this key', {
    name: 'keys-revoke',
    isWindow: true,
    faults: [answer(KEYS, LISTED)],
    act: async (page) => {
      await page.getByRole('button', { name: 'Revoke workstation' }).click();
      await page.getByRole('dialog').waitFor();
    },
  }),
  scene('reports', 'ready', 'text=4 of 4', { faults: [answer(REPORTS, SAVED)] }),
  scene('reports', 'loading', 'div[data-state="loading"]', {
    faults: [{ path: REPORTS, act: { kind: 'hang' } }],
  }),
  scene('reports', 'empty', 'text=Nothing is saved yet', {
    faults: [answer(REPORTS, { ...SAVED, reports: [], total: 0 })],
  }),
  scene('reports', 'error', 'role=alert', { faults: [away(REPORTS)] }),
  scene('reports', 'degraded', 'text=4 of 4', {
    faults: [answer(REPORTS, SAVED)],
    movesClock: true,
    act: stale(away(REPORTS)),
  }),
  scene('reports', 'partial', 'text=to save checks', { name: 'reports-signed-out', isSignedIn: false }),
  scene('reports', 'ready', 'article[data-state="ready"]', {
    name: 'reports-report',
    path: '/app/reports/rpt_IP',
    faults: [
      answer(REPORTS, {
        ...REPORT,
        result: {
          query: SAMPLE.malicious,
          malicious: true,
          sources: [{ name: 'C2 Tracker' }, { name: 'Botnet Watch' }],
          evidence: { verdict: 'critical', reasons: ['C2 Tracker lists it.'], observedAt: MOMENT },
          apiVersion: 'v2',
        },
      }),
    ],
  }),
];
