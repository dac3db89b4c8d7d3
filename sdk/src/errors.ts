export type Failure = {
  /** The HTTP status; 0 without an answer. */
  readonly status: number;
  /** The service's name for the kind of failure, such as `Rate Limited`. */
  readonly error: string;
  readonly message: string;
  readonly requestId?: string | null;
  readonly details?: readonly FieldProblem[];
  readonly retryAfterMs?: number | null;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
};
export type FieldProblem = { readonly path: string; readonly message: string };

/** The base class of every failure of a call. It never contains the credential. */
export class AssayError extends Error {
  override name = 'AssayError';
  readonly status: number;
  readonly error: string;
  /** Identifies the request in the service's log; quote it in questions. Null without an answer. */
  readonly requestId: string | null;
  /** With status 400 one entry per field that cannot be read. */
  readonly details: readonly FieldProblem[];
  /** The wait that the service asks for; null when it named none. */
  readonly retryAfterMs: number | null;
  /** The whole body of the answer, for fields not named here. */
  readonly body: Readonly<Record<string, unknown>>;

  constructor(failure: Failure) {
    super(failure.message, failure.cause === undefined ? undefined : { cause: failure.cause });
    this.status = failure.status;
    this.error = failure.error;
    this.requestId = failure.requestId ?? null;
    this.details = failure.details ?? [];
    this.retryAfterMs = failure.retryAfterMs ?? null;
    this.body = failure.body ?? {};
  }
}

/** 400, 413, 415, 422: the request cannot be read. It charges nothing of the month. */
export class InvalidRequest extends AssayError {
  override name = 'InvalidRequest';
}
/** 401: no credential, or a wrong one. */
export class Unauthorized extends AssayError {
  override name = 'Unauthorized';
}
/** 403: the plan, the role, the licence or the address does not allow it. */
export class Forbidden extends AssayError {
  override name = 'Forbidden';
}
/** 404: it does not exist, or belongs to another account. */
export class NotFound extends AssayError {
  override name = 'NotFound';
}
/** 409: it conflicts with the current state. */
export class Conflict extends AssayError {
  override name = 'Conflict';
}
/** 503, and 502 or 504 from a proxy: the service is busy, or a part that it needs is down. */
export class Unavailable extends AssayError {
  override name = 'Unavailable';
}
/** No answer: the connection could not be made, or broke. */
export class NetworkFailure extends AssayError {
  override name = 'NetworkFailure';
}
/** No answer in time. The service may still carry out the request. */
export class TimedOut extends AssayError {
  override name = 'TimedOut';
}
/** Ended by the caller's signal. Named `AbortError` like the platform's error, so that checks of the name work. */
export class Aborted extends AssayError {
  override name = 'AbortError';
}
/** An event stream that failed after its start, or ended without its last event. */
export class StreamBroken extends AssayError {
  override name = 'StreamBroken';
  /** The `lastEventId` to resume after; null when no event arrived. */
  readonly lastEventId: string | null;

  constructor(failure: Failure & { readonly lastEventId?: string | null }) {
    super(failure);
    this.lastEventId = failure.lastEventId ?? null;
  }
}

/** Which limit is used up. `other` is a form unknown to this version. */
export type UsedUp = 'burst' | 'month' | 'scans' | 'anonymous' | 'other';

/** 429: a limit is used up. The refused call is not charged. */
export class RateLimited extends AssayError {
  override name = 'RateLimited';
  readonly usedUp: UsedUp;
  readonly plan: string | null;
  /** Usage of the month or of the scans; null for the burst. */
  readonly usage: { readonly current: number; readonly limit: number } | null;
  /** When the whole limit is available again, by the service's clock, in milliseconds since the epoch. */
  readonly resetsAtMs: number | null;
  /** When the next call can succeed, by this machine's clock, for a countdown. Null when the service named no time. */
  readonly retryAtMs: number | null;
  readonly upgradeRequired: boolean;

  constructor(failure: Failure) {
    super(failure);
    const { plan, rateLimit, resetsAt, upgradeRequired } = this.body;
    this.plan = typeof plan === 'string' ? plan : null;
    this.usage = usageOf(this.body);
    this.usedUp = usedUpOf(failure.error, this.plan, this.usage !== null, isRecord(rateLimit));
    this.resetsAtMs = timeOf(resetsAt ?? (isRecord(rateLimit) ? rateLimit.resetAt : undefined));
    this.retryAtMs = this.retryAfterMs === null ? this.resetsAtMs : Date.now() + this.retryAfterMs;
    this.upgradeRequired = upgradeRequired === true;
  }
}

function usedUpOf(error: string, plan: string | null, hasUsage: boolean, hasRate: boolean): UsedUp {
  if (error === 'Scan quota exceeded') return 'scans';
  if (plan === 'ANONYMOUS') return 'anonymous';
  if (hasUsage) return 'month';
  return hasRate ? 'burst' : 'other';
}

/** A 429 of the month has `usage` as an object; one of the scans has a number, beside `limit` (contract 7). */
function usageOf({ usage, limit }: Readonly<Record<string, unknown>>): RateLimited['usage'] {
  const [current, most] = isRecord(usage) ? [usage.current, usage.limit] : [usage, limit];
  return typeof current === 'number' && typeof most === 'number' ? { current, limit: most } : null;
}

const timeOf = (text: unknown): number | null => {
  const ms = typeof text === 'string' ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? null : ms;
};

const BY_STATUS: Readonly<Record<number, new (failure: Failure) => AssayError>> = {
  400: InvalidRequest,
  401: Unauthorized,
  403: Forbidden,
  404: NotFound,
  409: Conflict,
  413: InvalidRequest,
  415: InvalidRequest,
  422: InvalidRequest,
  429: RateLimited,
  502: Unavailable,
  503: Unavailable,
  504: Unavailable,
};

/** The error of an unsuccessful answer. A proxy's HTML page is not quoted, because it does not help the caller. */
export async function errorOf(response: Response): Promise<AssayError> {
  const parsed = await response.json().catch(() => null);
  const body = isRecord(parsed) ? parsed : {};
  const { error, message, requestId, details, retryAfter } = body;
  const Kind = BY_STATUS[response.status] ?? AssayError;
  return new Kind({
    status: response.status,
    error: typeof error === 'string' ? error : response.statusText || 'Unknown',
    message:
      typeof message === 'string' ? message : `The service answered ${response.status} without a reason.`,
    requestId: response.headers.get('X-Request-Id') ?? (typeof requestId === 'string' ? requestId : null),
    details: Array.isArray(details) ? (details as FieldProblem[]) : [],
    retryAfterMs: waitOf(response.headers.get('Retry-After'), retryAfter),
    body,
  });
}

/** Retry-After is seconds or a date (RFC 9110 10.2.3); the body repeats the seconds. */
function waitOf(header: string | null, inBody: unknown): number | null {
  if (header !== null && /^\d+$/.test(header.trim())) return Number(header) * 1_000;
  const at = header === null ? Number.NaN : Date.parse(header);
  if (!Number.isNaN(at)) return Math.max(0, at - Date.now());
  return typeof inBody === 'number' && inBody >= 0 ? inBody * 1_000 : null;
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
