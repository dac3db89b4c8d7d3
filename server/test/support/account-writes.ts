import { type Authenticator, createAuthenticator } from './authenticator.ts';
import { sleep } from './eventually.ts';
import { headerOf, type ReceivedMail } from './peers/smtp-peer.ts';

export const WEB_URL = 'https://app.example.com';
/** Limits that no writer reaches, because their refusals are tested elsewhere. */
export const ACCOUNT_WRITES_ENV = {
  PUBLIC_WEB_URL: WEB_URL,
  PUBLIC_PER_MINUTE: '1000000',
  AUTH_FAILURES_PER_MINUTE: '1000000',
  SIGN_IN_PER_MINUTE: '100000',
  SIGN_IN_DEVICE_PER_HOUR: '100000',
  SIGN_IN_NETWORK_PER_HOUR: '100000',
  SIGN_IN_ACCOUNT_PER_HOUR: '100000',
  LETTERS_PER_HOUR: '100000',
  INVITATIONS_PER_HOUR: '100000',
  INVITATIONS_PER_DAY: '1000000',
} as const;

const PASSWORD = 'a sentence of ten words';
const ANSWER_MS = 20_000;
const PAUSE_MS = 200;
const RETRIES_MAX = 600;
const LETTER_WITHIN_MS = 180_000;
const ROLES = ['ADMIN', 'MEMBER', 'VIEWER', 'MEMBER', 'ADMIN', 'VIEWER'] as const;
const KEYS_OF_PERSON = 12;
const INVITATIONS_OF_PERSON = 5;

export type AccountWriteKind =
  | 'register'
  | 'verify'
  | 'factor.add'
  | 'factor.remove'
  | 'recovery.create'
  | 'organization'
  | 'key.create'
  | 'key.revoke'
  | 'invitation'
  | 'accept'
  | 'role';

/** `isKnown` is false for a write without an answer, or with a 5xx: it may have happened or not. */
export type AccountWrite = {
  readonly kind: AccountWriteKind;
  /** What only this write makes or changes, such as an address, a label or an id. */
  readonly target: string;
  readonly value?: string;
  readonly isKnown: boolean;
};

/** The mail that the peer has so far, oldest first. */
export type Mailbox = () => readonly ReceivedMail[];

const VERIFY = 'Confirm your address';
export const mailsTo = (mails: readonly ReceivedMail[], to: string): readonly ReceivedMail[] =>
  mails.filter((mail) => mail.to[0] === to);

function tokenOf({ raw }: ReceivedMail): string {
  const text = raw.replaceAll('=\r\n', '').replaceAll('=3D', '=');
  return /#token=([\w-]{43})/.exec(text)?.[1] ?? '';
}

class OutcomeUnknown extends Error {}

type Answer = { readonly status: number; readonly body: unknown };
type Person = {
  readonly email: string;
  userId: string;
  cookie: string;
  readonly authenticator: () => Authenticator;
};

/** Takes people through the life of an account, one after the other, and notes every write. */
export class AccountWriter {
  readonly writes: AccountWrite[] = [];
  readonly #name: string;
  readonly #url: string;
  readonly #mails: Mailbox;
  #turn = 0;
  #previous: Person | undefined;

  constructor(name: string, url: string, mails: Mailbox) {
    this.#name = name;
    this.#url = url;
    this.#mails = mails;
  }

  async run(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      this.#turn += 1;
      try {
        this.#previous = await this.#live(isOver);
      } catch (error) {
        // It is unknown how far this person came, so they do not join the next person's organization.
        if (!(error instanceof OutcomeUnknown)) throw error;
        this.#previous = undefined;
        await sleep(PAUSE_MS);
      }
    }
  }

  async #live(isOver: () => boolean): Promise<Person> {
    const person = await this.#join();
    await this.#changeFactors(person);
    const orgId = await this.#makeOrganization(person);
    await this.#read(person, 'POST', '/api/auth/switch', { accountId: orgId });
    await this.#makeKeys(person);
    const invited = Array.from({ length: INVITATIONS_OF_PERSON }, (_, nth) => `guest${nth}.${person.email}`);
    for (const email of invited) await this.#invite(person, email);
    const guest = this.#previous;
    if (guest !== undefined && !isOver()) await this.#bringIn(person, orgId, guest);
    return person;
  }

  async #join(): Promise<Person> {
    const email = `${this.#name}.${this.#turn}@example.com`;
    const person: Person = {
      email,
      userId: '',
      cookie: '',
      authenticator: () => createAuthenticator(WEB_URL, () => person.userId),
    };
    await this.#write(person, { kind: 'register', target: email }, 'POST', '/api/auth/register', {
      email,
      password: PASSWORD,
    });
    const token = await this.#tokenFor(email, VERIFY);
    const { body } = await this.#write(
      person,
      { kind: 'verify', target: email },
      'POST',
      '/api/auth/verify',
      {
        token,
        password: PASSWORD,
      },
    );
    person.userId = (body as { account: { userId: string } }).account.userId;
    return person;
  }

  async #changeFactors(person: Person): Promise<void> {
    const added: string[] = [];
    for (let nth = 0; nth < 2; nth += 1) {
      const offered = await this.#read(person, 'POST', '/api/auth/passkeys/options');
      const { challenge } = offered.body as { challenge: string };
      const passkey = person.authenticator().create(challenge);
      const write = { kind: 'factor.add', target: person.email } as const;
      const { body } = await this.#write(person, write, 'POST', '/api/auth/passkeys', { passkey });
      added.push((body as { id: string }).id);
    }
    const codes = { kind: 'recovery.create', target: person.email } as const;
    await this.#write(person, codes, 'POST', '/api/auth/recovery-codes');
    const removed = { kind: 'factor.remove', target: person.email } as const;
    await this.#write(person, removed, 'DELETE', `/api/auth/passkeys/${added[0]}`);
  }

  async #makeOrganization(person: Person): Promise<string> {
    const name = `Org of ${person.email.replace('@', ' at ').replaceAll('.', ' ')}`;
    const write = { kind: 'organization', target: name } as const;
    const { body } = await this.#write(person, write, 'POST', '/api/organizations', { name });
    return (body as { id: string }).id;
  }

  /** Keys are made with an Idempotency-Key, so a write without an answer is sent again. */
  async #makeKeys(person: Person): Promise<void> {
    let last = '';
    for (let nth = 0; nth < KEYS_OF_PERSON; nth += 1) {
      const label = `${person.email}/${nth}`;
      const headers = { 'idempotency-key': label };
      for (let tries = 0; ; tries += 1) {
        const answer = await this.#send(person, 'POST', '/api/user/keys', { label }, headers);
        if (answer?.status === 201) {
          this.writes.push({ kind: 'key.create', target: label, isKnown: true });
          last = (answer.body as { id: string }).id;
          break;
        }
        if (tries > RETRIES_MAX || (answer !== undefined && answer.status < 500))
          throw new Error(`${label} was never made: ${JSON.stringify(answer)}`);
        await sleep(PAUSE_MS);
      }
    }
    await this.#write(person, { kind: 'key.revoke', target: last }, 'DELETE', `/api/user/keys/${last}`);
  }

  #invite(person: Person, email: string): Promise<Answer> {
    const write = { kind: 'invitation', target: email } as const;
    return this.#write(person, write, 'POST', '/api/organization/invitations', { email, role: 'VIEWER' });
  }

  async #bringIn(person: Person, orgId: string, guest: Person): Promise<void> {
    const earlier = mailsTo(this.#mails(), guest.email).length;
    await this.#read(person, 'POST', '/api/organization/invitations', { email: guest.email, role: 'MEMBER' });
    const token = await this.#tokenFor(guest.email, 'Invitation', earlier);
    const target = `${orgId} ${guest.userId}`;
    await this.#write(guest, { kind: 'accept', target }, 'POST', '/api/invitations/accept', { token });
    for (const role of ROLES) {
      const write = { kind: 'role', target, value: role } as const;
      await this.#write(person, write, 'PATCH', `/api/organization/members/${guest.userId}`, { role });
    }
  }

  /** The token of a letter with a link that came after the first `earlier` ones. */
  async #tokenFor(email: string, what: string, earlier = 0): Promise<string> {
    for (let waitedMs = 0; waitedMs < LETTER_WITHIN_MS; waitedMs += PAUSE_MS) {
      const found = mailsTo(this.#mails(), email)
        .slice(earlier)
        .map(tokenOf)
        .find((token) => token !== '');
      if (found !== undefined) return found;
      await sleep(PAUSE_MS);
    }
    throw new OutcomeUnknown(`${what}: no letter to ${email}`);
  }

  async #write(
    person: Person,
    write: Omit<AccountWrite, 'isKnown'>,
    method: string,
    path: string,
    body?: object,
  ): Promise<Answer> {
    const answer = await this.#send(person, method, path, body);
    const isKnown = answer !== undefined && answer.status < 500;
    if (isKnown && answer.status >= 300)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    this.writes.push({ ...write, isKnown });
    if (!isKnown) throw new OutcomeUnknown(path);
    return answer;
  }

  /** A step that is not counted. */
  async #read(person: Person, method: string, path: string, body?: object): Promise<Answer> {
    const answer = await this.#send(person, method, path, body);
    if (answer === undefined || answer.status >= 500) throw new OutcomeUnknown(path);
    if (answer.status >= 300)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  }

  async #send(
    person: Person,
    method: string,
    path: string,
    body?: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer | undefined> {
    try {
      const answer = await fetch(`${this.#url}${path}`, {
        method,
        headers: {
          origin: WEB_URL,
          'sec-fetch-site': 'same-origin',
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(person.cookie !== '' && { cookie: person.cookie }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      const text = await answer.text();
      const cookie = answer.headers
        .getSetCookie()
        .map((each) => each.split(';')[0] ?? '')
        .filter((each) => !each.endsWith('='))
        .join('; ');
      if (cookie !== '') person.cookie = cookie;
      return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
    } catch {
      return undefined;
    }
  }
}

/** Distinct letters to an address by subject; a letter that came twice has one Message-ID. */
export const lettersAbout = (mails: readonly ReceivedMail[], to: string, subject: string): number =>
  new Set(
    mailsTo(mails, to)
      .filter((mail) => headerOf(mail, 'Subject')?.startsWith(subject) === true)
      .map((mail) => headerOf(mail, 'Message-ID')),
  ).size;
