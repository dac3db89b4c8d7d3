import type { FastifyInstance } from 'fastify';
import { CLIENT, type HostileOidc } from './peers/hostile-oidc.ts';
import type { Browser, TestSso } from './sso.ts';

type Answer = Awaited<ReturnType<FastifyInstance['inject']>>;
type Person = { readonly sub: string; readonly email: string; readonly [claim: string]: unknown };
export type Connected = Awaited<ReturnType<TestSso['newEnterprise']>> & { readonly domain: string };

/** What people and owners do with one provider. */
export type SsoVisits = {
  readonly settingsFor: (emailDomain: string) => Readonly<Record<string, string | boolean>>;
  /** An organization whose single sign-on works. */
  readonly connected: (name: string) => Promise<Connected>;
  /** The whole sign-in of a person; the answer that opened the session, or the callback that failed. */
  readonly signIn: (
    browser: Browser,
    orgId: string,
    person: Person,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Answer>;
  /** Status of a request with the cookie: 200 while the session is valid. */
  readonly probe: (cookie: string) => Promise<number>;
  readonly actionsOf: (
    accountId: string,
  ) => Promise<readonly { readonly action: string; readonly detail: Record<string, string> }[]>;
  /** Why the last sign-in was refused, by the audit trail. */
  readonly refusalOf: (accountId: string) => Promise<string | undefined>;
};

export const locationOf = (answer: Pick<Answer, 'headers'>): string => String(answer.headers.location);
export const sessionOf = (browser: Browser): string => `__Secure-sid=${browser.jar.get('__Secure-sid')}`;

export function createSsoVisits(t: TestSso, idp: HostileOidc): SsoVisits {
  const actionsOf: SsoVisits['actionsOf'] = async (accountId) =>
    (
      await t.owner.query('select action, detail from audit_entry where account_id = $1 order by at, id', [
        accountId,
      ])
    ).rows;
  return {
    actionsOf,
    settingsFor: (emailDomain) => ({
      emailDomain,
      issuerUrl: idp.issuer,
      clientId: CLIENT.id,
      enforceSso: false,
      enabled: false,
    }),
    connected: async (name) => {
      const owner = await t.newEnterprise(name);
      const domain = `${name}.example.org`;
      const answer = await t.connect(owner.cookie, idp.issuer, domain);
      if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${answer.body}`);
      return { ...owner, domain };
    },
    signIn: async (browser, orgId, person, headers = {}) => {
      const sent = await browser.get(`/api/auth/sso/start?orgId=${orgId}`, headers);
      idp.person = { ...person };
      const back = await browser.get(`/api/auth/sso/callback?${idp.authorize(locationOf(sent)).toString()}`);
      const token = locationOf(back).split('#token=')[1];
      return token === undefined ? back : browser.post('/api/auth/sso/session', { token });
    },
    probe: async (cookie) => (await t.get('/api/probe', cookie)).statusCode,
    refusalOf: async (accountId) =>
      (await actionsOf(accountId)).findLast(({ action }) => action === 'sso.refuse')?.detail.reason,
  };
}
