import type { Principal } from './principal.ts';

/** The requirements and the cost of a route as data (foundation rule 7). */
export type Policy = {
  /** `api` at the root, `web` under /api, `both` mounts the same handler twice. */
  readonly surface: 'api' | 'web' | 'both';
  /**
   * `lenient`: a credential that is wrong, disallowed or cannot be verified counts as none, so there is no 401, 403 or
   * 503, and a key of the replica is accepted however long the node has been alone (decisions O38). `signIn`: the handler judges the credential, because the call is about the credential itself.
   * `operator`: a token of a person who runs the service, on the operators' listener alone.
   */
  readonly auth:
    | 'public'
    | 'optional'
    | 'lenient'
    | 'key'
    | 'session'
    | 'keyOrSession'
    | 'signIn'
    | 'operator';
  /** The lowest plan that may call; `any` for all. Names are checked against the plan table at start. */
  readonly plan: string;
  /** How a refusal by plan calls the route; 'This route' when absent. */
  readonly called?: string;
  readonly role?: readonly string[];
  readonly organization?: boolean;
  readonly licence?: boolean;
  /** The route concerns the person alone, so even a session that may not act for its account may call it. */
  readonly person?: boolean;
  /** What a call spends: nothing, the burst, burst and monthly checks, monthly scans, a limit by client address, a limit by key or address and hour, or the limit of public forms by address and hour. */
  readonly meter: 'none' | 'burst' | 'checks' | 'scans' | 'public' | 'downloads' | 'forms';
  /** Monthly units of this call, computed from its validated input; 1 when absent. 0 spends the burst only. */
  readonly cost?: (input: CostInput) => number;
  /** The units in words, for the description: where `cost` computes them, or where an answer may give them back. */
  readonly costNote?: string;
  /** What the units pay for. The account has the same again for nothing, until the receipt ends. */
  readonly receipts?: (input: CostInput) => Receipts;
  /** Asked before units are spent: true makes the call free, such as the history of a value that the account watches. */
  readonly isFree?: (input: CostInput) => Promise<boolean>;
  /**
   * HEAD costs no unit on any route. `handled`: the handler answers HEAD itself; otherwise a route with units answers it
   * without the work.
   */
  readonly head?: 'handled';
  /** Statuses besides 5xx that give the charge back. */
  readonly refundOn?: readonly number[];
  readonly bodyMax: number;
  /** Values in a JSON body, counted before it is parsed; DEFAULT_BODY_VALUES_MAX when absent. */
  readonly bodyValuesMax?: number;
  readonly deadlineMs: number;
  /** Load-shedding class: A is shed last, E first (reliability 5.5). */
  readonly class: LoadClass;
  /** Answered under any load, so that an orchestrator does not kill a process that is only busy (reliability A7). */
  readonly probe?: boolean;
  readonly idempotent?: boolean;
  /** The route stores what the caller sends, so its account needs room for it. */
  readonly stores?: boolean;
  readonly since: string;
  readonly deprecated?: { readonly at: string; readonly sunset: string };
  /** The route is an addition to the contract, and the API description marks it as such. */
  readonly extension?: boolean;
};

/** `pages` holds the files of the dashboard alone, so that no number of readers of files takes a place from a check. */
export const LOAD_CLASSES = ['A', 'B', 'C', 'D', 'E', 'pages'] as const;
export type LoadClass = (typeof LOAD_CLASSES)[number];

/** What one call pays for, as text that says the same for every spelling of it. Metering keeps only digests. */
export type Receipts = {
  /** Values that the call judges: they count as checked for 30 days. */
  readonly checks?: readonly string[];
  /** The page or search that the call opens: the same again costs nothing for 24 hours. */
  readonly opens?: string;
  /** The call costs nothing if the account has checked this value. */
  readonly freeIfChecked?: string;
};

export type CostInput = {
  readonly query: unknown;
  readonly params: unknown;
  readonly body: unknown;
  readonly principal: Principal | null;
  /** The method and headers, because a request that continues a paid one may cost less. */
  readonly request: {
    readonly method: string;
    readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  };
};

export const DEFAULT_BODY_MAX = 64 * 1024;
/** Far more than the largest honest body needs, which is a batch of 500 entities. */
export const DEFAULT_BODY_VALUES_MAX = 20_000;
export const DEFAULT_DEADLINE_MS = 10_000;

/** A public document: only limited for each client address, and shed first under load. */
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

/** For any key or session, at the cost of the burst alone (decisions 1.4). Checks have class A, which is shed last. */
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
