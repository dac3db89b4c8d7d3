import type { Principal } from './principal.ts';

/** What a route demands of its caller and costs them, written down once (foundation rule 7). */
export type Policy = {
  /** `api` at the root, `web` under /api, `both` mounts the same handler twice. */
  readonly surface: 'api' | 'web' | 'both';
  /** `signIn`: the credential is what the call is about, so its handler judges it and not the door. */
  readonly auth: 'public' | 'optional' | 'key' | 'session' | 'keyOrSession' | 'signIn' | 'operator';
  /** The least plan that may call; `any` for all. Names are checked against the plan table at start. */
  readonly plan: string;
  readonly role?: readonly string[];
  /** True: the caller must belong to an organization (else 403). */
  readonly organization?: boolean;
  /** True: an active X-License-Key is needed as well. */
  readonly licence?: boolean;
  /** What is spent: nothing, the burst alone, burst + monthly checks, monthly scans, or a per-address guard. */
  readonly meter: 'none' | 'burst' | 'checks' | 'scans' | 'public';
  /** Monthly units of this call, from its validated input; 1 when absent. 0 spends the burst only. */
  readonly cost?: (input: CostInput) => number;
  /** The cost in words, for the access table and the reference: `1 per unique entity`. */
  readonly costNote?: string;
  /** Statuses whose charge is given back, beyond every 5xx. */
  readonly refundOn?: readonly number[];
  readonly bodyMax: number;
  readonly deadlineMs: number;
  /** Load-shedding class: A is shed last, E first (reliability 5.5). */
  readonly class: LoadClass;
  /** True: answered under any load, so that an orchestrator does not kill what is merely busy (reliability A7). */
  readonly probe?: boolean;
  /** True: honours Idempotency-Key. */
  readonly idempotent?: boolean;
  /** Name of the audit entry a successful call leaves. */
  readonly audit?: string;
  readonly since: string;
  readonly deprecated?: { readonly at: string; readonly sunset: string };
  /** True: beyond the contract, marked so in the description. */
  readonly extension?: boolean;
};

/** In the order they are kept: A is shed last. */
export const LOAD_CLASSES = ['A', 'B', 'C', 'D', 'E'] as const;
export type LoadClass = (typeof LOAD_CLASSES)[number];

export type CostInput = {
  readonly query: unknown;
  readonly params: unknown;
  readonly body: unknown;
  /** Known by the time a cost is asked for; null on routes for everybody. */
  readonly principal: Principal | null;
  /** HEAD comes in through its GET route and may cost less; so may what goes on with something paid for. */
  readonly request: {
    readonly method: string;
    readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  };
};

/** What most routes share, so that a policy names only what is particular to it. */
export const DEFAULT_BODY_MAX = 64 * 1024;
export const DEFAULT_DEADLINE_MS = 10_000;

/** A document anybody may read: the address guard alone, and shed first under load. */
export const PUBLIC_READ: Policy = {
  surface: 'both',
  auth: 'public',
  plan: 'any',
  meter: 'public',
  bodyMax: DEFAULT_BODY_MAX,
  deadlineMs: DEFAULT_DEADLINE_MS,
  class: 'E',
  since: '1.0.0',
};

/** Any key or session, and the burst alone (decisions 1.4). Checks are shed last, so a route of theirs names its class. */
export const KEYED: Policy = {
  surface: 'both',
  auth: 'keyOrSession',
  plan: 'any',
  meter: 'burst',
  bodyMax: DEFAULT_BODY_MAX,
  deadlineMs: DEFAULT_DEADLINE_MS,
  class: 'D',
  since: '1.0.0',
};
