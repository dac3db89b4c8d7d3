import type { Attack, AttackResult, Target } from './attack.ts';
import { inLanes } from './in-lanes.ts';
import { networkAddress, openClient, type PersonClient } from './person-client.ts';
import { personOf } from './person-of.ts';

/** 74 requests from five addresses once locked a person out for an hour; five were enough for reset emails. */
const TRIES = 10_000;
const ADDRESSES = 200;
const AT_ONCE = 100;
const FIRST_BLOCK = 40;
/** Every so many tries the attacker asks for a reset email instead. */
const RESET_EVERY = 20;
/** A service without a mail server answers 409 to everybody. */
const RESET_SENT = [200, 409];

export const signInLockout: Attack = {
  name: 'sign-in-lockout',
  finding:
    'Wrong passwords and reset emails that others ask for must not lock the owner of an email address out.',
  needs: 'people',
  run: async (target) => {
    const owner = openClient(target, {
      from: networkAddress(target, FIRST_BLOCK - 1, 0),
      keepsCookies: true,
    });
    try {
      const before = await owner.signIn(personOf(target));
      if (before.status !== 200)
        throw new Error(`The person beside the attack cannot sign in: ${before.status} ${before.text}`);
      const guessed = await guess(target);
      return judge(await actAsOwner(target, owner), guessed);
    } finally {
      owner.close();
    }
  },
};

type Figures = Record<string, number>;

/** Wrong passwords and reset emails for one person, from many networks; counts the answers by status. */
async function guess(target: Target): Promise<Figures> {
  const { email } = personOf(target);
  const strangers = Array.from({ length: ADDRESSES }, (_, nth) =>
    openClient(target, { from: networkAddress(target, FIRST_BLOCK, nth), keepsCookies: false }),
  );
  const figures: Figures = {};
  const tries = Math.ceil(TRIES * target.strength);
  await inLanes(tries, AT_ONCE, async (nth) => {
    const stranger = strangers[nth % ADDRESSES] as PersonClient;
    const { status } = await (nth % RESET_EVERY === 0
      ? stranger.send('POST', '/api/auth/forgot', { email })
      : stranger.signIn({ email, password: `a wrong password ${nth}` }));
    const figure = `tries answered ${status}`;
    figures[figure] = (figures[figure] ?? 0) + 1;
  });
  for (const stranger of strangers) stranger.close();
  return { tries, ...figures };
}

/** What its owner must still be able to do: confirm in an open session, sign in, reset, make and revoke a key. */
async function actAsOwner(target: Target, owner: PersonClient): Promise<Figures> {
  const { email, password } = personOf(target);
  const confirmed = await owner.send('POST', '/api/auth/confirm', { password });
  const signedIn = await owner.signIn({ email, password });
  const reset = await owner.send('POST', '/api/auth/forgot', { email });
  const made = await owner.send('POST', '/api/user/keys', { label: 'sign-in-lockout' });
  const id = made.status === 201 ? (JSON.parse(made.text) as { id: string }).id : 'none';
  const revoked = await owner.send('DELETE', `/api/user/keys/${id}`);
  return {
    'owner confirms': confirmed.status,
    'owner signs in': signedIn.status,
    'owner resets': reset.status,
    'owner makes a key': made.status,
    'owner revokes a key': revoked.status,
  };
}

function judge(owner: Figures, guessed: Figures): AttackResult {
  const held =
    owner['owner confirms'] === 200 &&
    owner['owner signs in'] === 200 &&
    RESET_SENT.includes(owner['owner resets'] ?? 0) &&
    owner['owner makes a key'] === 201 &&
    [200, 204].includes(owner['owner revokes a key'] ?? 0);
  return { held, figures: { ...guessed, ...owner } };
}
