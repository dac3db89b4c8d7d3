import {
  type Billing,
  isPlan,
  type Limits,
  limitsOf,
  SUBSCRIPTION_STATUSES,
  type SubscriptionStatus,
} from '#domain/plans/plans.ts';
import type { Dataset } from '#platform/replica/dataset.ts';
import type { Caller } from './caller.ts';
import { type AllowList, createAllowList } from './client-address.ts';
import { isApiKey } from './key-format.ts';

/**
 * Key and licence records are replicated to every node (foundation rule 6), so that no request waits for
 * PostgreSQL to verify a key.
 */
export const accessDataset: Dataset = {
  name: 'access',
  format: 1,
  collections: [
    { name: 'key', view: 'access_key_entry' },
    { name: 'licence', view: 'access_licence_entry' },
  ],
  derived: [],
};

/** Gives the current state of the local replica, with the time of its last contact with PostgreSQL. */
export type AccessReplica = { readonly view: () => AccessView };
export type AccessView = {
  readonly seq: number;
  readonly generation: string;
  readonly contactAtMs: number;
  readonly get: (collection: string, key: Uint8Array) => Uint8Array | undefined;
};

export type KeyRecord = {
  readonly hmac: Buffer;
  readonly pepper: number;
  readonly previous: { readonly hmac: Buffer; readonly pepper: number; readonly untilMs: number } | null;
  readonly allows: AllowList | null;
  readonly canSignIn: boolean;
  /** The caller that this key stands for; made once per record and shared by all its requests. */
  readonly caller: Caller & { readonly keyId: string };
};

type LicenceRecord = {
  readonly id: string;
  readonly account: string;
  readonly expiresAtMs: number | null;
};

type KeyEntry = {
  readonly id: string;
  readonly account: string;
  readonly user: string;
  readonly organization: string | null;
  readonly role: string | null;
  readonly plan: string;
  readonly billing: Billing | null;
  readonly status: string;
  readonly limits: Partial<Limits>;
  readonly hmac: string;
  readonly pepper: number;
  readonly previousHmac: string | null;
  readonly previousPepper: number | null;
  readonly previousUntilMs: number | null;
  readonly cidrs: readonly string[];
  readonly canSignIn?: false;
};

/** Parsed records per process: about 1 kB each. */
const RECORDS_MAX = 10_000;

export type KeyRecords = {
  readonly find: (view: AccessView, apiKey: string) => KeyRecord | undefined;
  readonly findLicence: (view: AccessView, hash: Uint8Array) => LicenceRecord | undefined;
};

/** Parsing a record costs as much as verifying a secret, so it is done once per key and state of the replica. */
export function createKeyRecords(): KeyRecords {
  let seq = -1;
  let generation = '';
  const records = new Map<string, KeyRecord>();
  return {
    find: (view, apiKey) => {
      // Compares the generation too: after a rebuild from another database a sequence may stand for other keys.
      if (view.seq !== seq || view.generation !== generation) {
        records.clear();
        seq = view.seq;
        generation = view.generation;
      }
      const known = records.get(apiKey);
      if (known !== undefined) return known;
      // Any text can arrive as the name in Basic credentials, and LMDB throws on an empty key.
      if (!isApiKey(apiKey)) return undefined;
      const value = view.get('key', Buffer.from(apiKey));
      if (value === undefined) return undefined;
      const record = decodeKeyRecord(value);
      if (records.size >= RECORDS_MAX) records.clear();
      records.set(apiKey, record);
      return record;
    },
    findLicence: (view, hash) => {
      const value = view.get('licence', hash);
      return value === undefined ? undefined : (JSON.parse(textOf(value)) as LicenceRecord);
    },
  };
}

const textOf = (value: Uint8Array): string =>
  Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('utf8');

export function decodeKeyRecord(value: Uint8Array): KeyRecord {
  const entry = JSON.parse(textOf(value)) as KeyEntry;
  const { previousHmac, previousPepper, previousUntilMs } = entry;
  return {
    hmac: Buffer.from(entry.hmac, 'hex'),
    pepper: entry.pepper,
    previous:
      previousHmac === null || previousPepper === null || previousUntilMs === null
        ? null
        : { hmac: Buffer.from(previousHmac, 'hex'), pepper: previousPepper, untilMs: previousUntilMs },
    allows: createAllowList(entry.cidrs),
    canSignIn: entry.canSignIn !== false,
    caller: Object.freeze({
      kind: 'key',
      id: entry.id,
      keyId: entry.id,
      accountId: entry.account,
      userId: entry.user,
      organizationId: entry.organization,
      role: entry.role,
      ...grants(entry.plan, entry.billing, entry.status, entry.limits),
    }),
  };
}

type Grants = Pick<Caller, 'plan' | 'billing' | 'status' | 'limits'>;

/** The grants of a subscription. An unknown plan name grants the least. */
export function grants(
  planName: string,
  billing: Billing | null,
  statusName: string,
  overrides: Partial<Limits>,
): Grants {
  const plan = isPlan(planName) ? planName : 'FREE';
  const status = isStatus(statusName) ? statusName : 'suspended';
  return { plan, billing, status, limits: Object.freeze(limitsOf(plan, status, overrides)) };
}

const isStatus = (text: string): text is SubscriptionStatus =>
  (SUBSCRIPTION_STATUSES as readonly string[]).includes(text);
