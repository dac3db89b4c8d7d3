import { z } from 'zod';

const limit = z.coerce.number().int().min(1).max(1_000_000);

/** How people get accounts, and how often they may try. */
export const ACCOUNTS_ENVIRONMENT = {
  REGISTRATION: z
    .enum(['open', 'closed'])
    .default('open')
    .describe(
      'closed: registrations and instant keys are refused; operators invite people with "admin user invite".',
    ),
  DEFAULT_PLAN: z
    .enum(['FREE', 'BASIC', 'PRO', 'ENTERPRISE'])
    .default('FREE')
    .describe(
      'Plan of people who register themselves, and of organizations that people create. Accounts that an operator creates with the admin commands have ENTERPRISE unless --plan is given.',
    ),
  SIGN_IN_PER_MINUTE: limit
    .default(20)
    .describe(
      'Passwords and links of emails tried per client IP address and minute before 429. A password sent by a known device does not count here.',
    ),
  SIGN_IN_DEVICE_PER_HOUR: limit
    .default(10)
    .describe(
      'Wrong passwords tried in an hour by one known device, which then counts as a new device, or in one open session that confirms who it is.',
    ),
  SIGN_IN_NETWORK_PER_HOUR: limit
    .default(10)
    .describe(
      'Passwords tried per email address, network (IPv4 /24, IPv6 /48) and hour by devices that have not signed in before, before 429.',
    ),
  SIGN_IN_ACCOUNT_PER_HOUR: limit
    .default(600)
    .describe(
      'Passwords tried per email address and hour by devices that have not signed in before, from all networks together, before 429. Known devices are not affected.',
    ),
  FACTOR_CODES_PER_HOUR: limit
    .default(10)
    .describe(
      'Codes of an authenticator app tried per person and hour before 429. Passkeys and recovery codes still work.',
    ),
  LETTERS_PER_HOUR: limit
    .default(20)
    .describe('Registrations, resets and repeated letters asked for per client address and hour.'),
  LETTERS_MAILBOX_PER_HOUR: limit
    .default(5)
    .describe('The same per e-mail address, so that no mailbox is flooded.'),
  INSTANT_KEYS_PER_DAY: limit
    .default(3)
    .describe('Instant keys per client address and UTC day (contract 5).'),
  ORGANIZATIONS_PER_PERSON: limit
    .default(5)
    .describe('Organizations that one person may make, deleted ones included until they are erased.'),
  INVITATIONS_PER_HOUR: limit.default(50).describe('Invitations that one organization may send in an hour.'),
  INVITATIONS_PER_DAY: limit
    .default(1_000)
    .describe(
      'Invitations that the whole service sends in 24 hours. Organizations without a paid plan share half of it. Each person also has a budget: 10 in 24 hours on FREE, 50 in the first month of a paid organization, then 500.',
    ),
  SSO_LOOKUPS_PER_HOUR: limit
    .default(20)
    .describe('Domains that one client address may look up for single sign-on in an hour (decisions 3.2).'),
  SSO_ALLOW: z
    .string()
    .max(2_048)
    .default('')
    .transform((text) => text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()])))
    .refine((list) => list.every((each) => /^\S+\/\d+:\d+$/.test(each)), 'expected ADDRESS/BITS:PORT')
    .describe(
      'Private addresses at which identity providers of organizations may be reached, as ADDRESS/BITS:PORT, comma-separated. Every organization may name them as its issuer.',
    ),
  DELETED_KEPT_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(365)
    .default(30)
    .describe('Days until a deleted person or organization is erased; until then it can be restored (G59).'),
};
