import type { SourceSettings } from '#capabilities/corpus/index.ts';
import { type ContactsRig, openContactsRig } from '#test/contacts-rig.ts';
import { startKnotPeer } from '#test/peers/knot-peer.ts';
import { rdapDomain } from '#test/peers/rdap-peer.ts';
import { rowOf, SANCTIONED, sure } from './contact-rows.ts';

const NOW = Date.UTC(2026, 7, 22, 12);
export const SANCTIONED_TRON = 'TBHTJqAy4DhHhmT3dNceJYNRz4SdLofLre';
const KEY = 'MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDwIRP';

/** The zone .com of these tests: a name that is not in it does not exist. */
const ZONES = {
  com: [
    '@ NS ns1.strict-mail.com.',
    'no-mail A 45.83.64.20',
    'no-mail MX 0 .',
    'paypa1-support A 45.83.64.21',
  ],
  'strict-mail.com': [
    '@ NS ns1',
    'ns1 A 45.83.64.1',
    '@ MX 10 mx1',
    '@ TXT "v=spf1 mx -all"',
    '_dmarc TXT "v=DMARC1; p=reject; rua=mailto:d@strict-mail.com"',
    `google._domainkey TXT "v=DKIM1; k=rsa; p=${KEY}"`,
  ],
} as const;

type Body = Record<string, unknown> & { message?: string };
type Got = { readonly status: number; readonly body: Body };

export type ContactsService = {
  readonly rig: ContactsRig;
  readonly get: (url: string, app?: ContactsRig['app']) => Promise<Got>;
  readonly email: (address: string, more?: string) => Promise<Got>;
  readonly report: (address: string, more?: string) => Promise<Got>;
  readonly phone: (number: string, more?: string) => Promise<Got>;
  readonly wallet: (address: string) => Promise<Got>;
  readonly close: () => Promise<void>;
};

export async function startContacts(): Promise<ContactsService> {
  const knot = await startKnotPeer(ZONES);
  const rig = await openContactsRig(NOW, knot.server);
  await fill(rig);
  const get: ContactsService['get'] = async (url, app = rig.app) => {
    const answer = await app.inject({ method: 'GET', url });
    return { status: answer.statusCode, body: answer.json() };
  };
  const encoded = encodeURIComponent;
  return {
    rig,
    get,
    email: (address, more = '') => get(`/check/email?email=${encoded(address)}${more}`),
    report: (address, more = '') => get(`/api/check/email?email=${encoded(address)}${more}`),
    phone: (number, more = '') => get(`/api/check/phone?phone=${encoded(number)}${more}`),
    wallet: (address) => get(`/api/check/crypto?address=${encoded(address)}`),
    close: async () => {
      await rig.close();
      await knot.close();
    },
  };
}

async function fill(rig: ContactsRig): Promise<void> {
  const { list } = rig;
  await list('good-list', ['bad@strict-mail.com', rowOf(SANCTIONED), rowOf('+18005550199')], sure(80));
  await list('wallets', [rowOf(SANCTIONED_TRON), rowOf('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4')], {
    ...sure(90),
    category: 'fraud',
    tags: ['sanctioned'],
    entityTypes: ['crypto'],
  });
  await list('rumours', ['maybe@strict-mail.com', rowOf('+442079460958')], sure(55));
  await list('gossip', [rowOf('+442079460958')], { ...sure(58), category: 'spam' });
  await list('phishers', ['evil-sender.com'], { ...sure(95), category: 'phishing', signal: 'scanner' });
  await list('throw-away', ['pop-up-mail.com'], policy('disposable-email', ['disposable-email']));
  await list('free-boxes', ['free-boxes.com'], policy('free-email', []));
  rig.registry.answers.set('domain/strict-mail.com', { json: rdapDomain('strict-mail.com') });
  rig.registry.answers.set('domain/paypa1-support.com', {
    json: rdapDomain('paypa1-support.com', {
      events: [{ eventAction: 'registration', eventDate: '2026-08-12T00:00:00Z' }],
    }),
  });
}

const policy = (category: string, attributes: string[]): SourceSettings => ({
  threatClass: 'policy',
  category,
  attributes,
  entityTypes: ['domain'],
});
