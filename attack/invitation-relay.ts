import type { Attack, Person, Target } from './attack.ts';
import { inLanes } from './in-lanes.ts';

/** At strength 1: ten times the 100 invitations that one fresh account once sent to strangers in 10 seconds. */
const INVITATIONS = 1_000;
const AT_ONCE = 8;
const ORGANIZATIONS = 5;
/** What a person of an unpaid organization may send in 24 hours. */
const PER_DAY = 10;
const BAITS = [
  'Security alert: your mailbox is full, open www.evil-login.example/renew now',
  'Security alert: your mailbox is full, open evil-login.com/renew now',
  'Renew at https[:]//evil-login[.]com',
  'Renew at evil-login。com',
  'Renew at ｅｖｉｌ-login．com',
  'Write to support@evil-login.com',
  'Renew at 192.0.2.7',
];

type Answer = { readonly status: number; readonly json: { readonly id?: string } };

/** One fresh person makes organizations whose names are bait, and invites strangers into all of them. */
export const invitationRelay: Attack = {
  name: 'invitation-relay',
  finding: 'Invitations must not carry a stranger’s web address, nor go to hundreds of strangers a day.',
  needs: 'login',
  run: async (target) => {
    const { login } = target;
    if (login === undefined) throw new Error('This attack signs in as a person.');
    const session = await signIn(target, login);
    const baited = await statusesOf(BAITS, (name) => session('POST', '/api/organizations', { name }));
    const plain = Array.from({ length: ORGANIZATIONS }, (_, nth) => `Service desk ${nth + 1}`);
    const made = await statusesOf(plain, (name) => session('POST', '/api/organizations', { name }));
    const organizations = [...baited, ...made].flatMap(({ json }) => json.id ?? []);
    let taken = 0;
    let asked = 0;
    const each = Math.ceil((INVITATIONS * target.strength) / Math.max(1, organizations.length));
    for (const accountId of organizations) {
      await session('POST', '/api/auth/switch', { accountId });
      await session('POST', '/api/auth/confirm', { password: login.password });
      await inLanes(each, AT_ONCE, async (nth) => {
        const email = `stranger${nth}.of.${accountId.toLowerCase()}@example.com`;
        const { status } = await session('POST', '/api/organization/invitations', { email, role: 'VIEWER' });
        asked += 1;
        if (status === 201) taken += 1;
      });
    }
    const names = baited.filter(({ status }) => status === 201).length;
    return {
      held: names === 0 && organizations.length > 0 && asked > PER_DAY && taken <= PER_DAY,
      figures: {
        'baited names sent': BAITS.length,
        'baited names taken': names,
        'invitations asked for': asked,
        'invitations accepted': taken,
      },
    };
  },
};

const statusesOf = async (names: readonly string[], send: (name: string) => Promise<Answer>) => {
  const answers: Answer[] = [];
  for (const name of names) answers.push(await send(name));
  return answers;
};

/** Calls with the cookie of the person, which some answers renew. */
async function signIn(target: Target, { email, password }: Person) {
  const cookies = new Map<string, string>();
  const call = async (method: string, path: string, body: object): Promise<Answer> => {
    const answer = await fetch(new URL(path, target.url), {
      method,
      headers: {
        'content-type': 'application/json',
        'sec-fetch-site': 'same-origin',
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      },
      body: JSON.stringify(body),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const text = await answer.text();
    return { status: answer.status, json: text === '' ? {} : (JSON.parse(text) as Answer['json']) };
  };
  const { status } = await call('POST', '/api/auth/login', { email, password });
  if (status !== 200) throw new Error(`The sign-in of the attacking person was answered with ${status}.`);
  return call;
}
