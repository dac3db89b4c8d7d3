import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { ServiceError } from '#platform/errors.ts';
import type { Intake } from './intake.ts';
import type { Policy } from './policy.ts';
import type { Principal } from './principal.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Output<T> = T extends z.ZodType ? z.output<T> : undefined;

export type Call<Q = undefined, P = undefined, B = undefined> = {
  readonly query: Output<Q>;
  readonly params: Output<P>;
  readonly body: Output<B>;
  readonly principal: Principal;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Aborted when the caller disconnects or the route's deadline passes. */
  readonly signal: AbortSignal;
  /** Counts an outcome, such as a level, for a handler whose answer holds several or that sends the reply itself. */
  note(outcome: string): void;
  /** Gives the units of the call back although it is answered: without data or a configured source the answer says nothing. */
  giveBack(): void;
};

/** Returned by a handler that has sent the reply itself, such as an event stream. */
export const ANSWERED = Object.freeze({}) as Answered;
type Answered = { readonly [answered]: true };
declare const answered: unique symbol;
declare const prepared: unique symbol;

/** A body that goes out as it is, in place of a value for the reply schema. */
export type PreparedBody = { readonly [prepared]: true };
export const preparedBody = (body: string | Buffer | Readable): PreparedBody =>
  body as unknown as PreparedBody;
/** The reply has a status and headers alone: 304, or the answer to HEAD. */
export const NO_BODY = undefined as unknown as PreparedBody;

/** The errors of a protocol that has a form of its own for them, such as TAXII. */
export type Failure = {
  /** The first is sent to a caller that states no preference. */
  readonly mediaTypes: readonly [string, ...string[]];
  /** Fields beside those of every error. */
  readonly schema: z.ZodType;
  readonly render: (
    error: ServiceError,
    request: FastifyRequest,
  ) => {
    readonly mediaType: string;
    readonly vary?: string;
    readonly body: Readonly<Record<string, unknown>>;
  };
};

/** Statuses of one route with the meaning that each has there. */
export type OtherStatuses = Readonly<Partial<Record<200 | 204 | 302 | 401 | 403 | 404 | 409 | 422, string>>>;

type Result<R extends z.ZodType> = z.output<R> | PreparedBody | Answered;

type Spec<Q, P, B, R extends z.ZodType> = {
  readonly method: Method;
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly policy: Policy;
  readonly query?: Q;
  readonly params?: P;
  readonly body?: B;
  /** Takes the body as bytes and validates it; the handler gets the result, and `body` serves only the description. */
  readonly intake?: Intake;
  readonly reply: R;
  readonly status?: number;
  readonly produces?: string;
  /** Other media types that the caller can choose; the handler sets the header. */
  readonly alsoProduces?: readonly string[];
  /** Media types of the body; application/json only when absent. Others give 415 (decisions 1.2). */
  readonly accepts?: readonly string[];
  /** Fields that a 400 of this route may have beside those of every error. */
  readonly refusal?: z.ZodType;
  /**
   * Errors of this route in the form of its protocol, those of the gates included. On a path without parameters it also
   * holds for unknown addresses below.
   */
  readonly failure?: Failure;
  /** Optional headers of the request that change the answer, with what each does; the description lists them. */
  readonly requestHeaders?: Readonly<Record<string, string>>;
  /** Headers of a 2xx besides those of every answer, with what each means; the description lists them. */
  readonly replyHeaders?: Readonly<Record<string, string>>;
  /** May answer 404 although its path has no parameter, because there may be no data yet. */
  readonly mayBeAbsent?: boolean;
  /** Statuses that do not follow from the policy and the schemas; tests refuse any other (route-statuses.ts). */
  readonly otherStatuses?: OtherStatuses;
  /** Compares If-None-Match and may answer 304 (conditional.ts). */
  readonly conditional?: true;
  /** Answers Range with 206 or 416 (send-bytes.ts). */
  readonly ranges?: true;
  /** The reply as JSON, equal to that of JSON.stringify, where a route can write it in less time. */
  readonly write?: (value: z.output<R>) => string;
  /** The outcome of the answer, such as its level, which is counted for the account; null for none. */
  readonly outcome?: (value: z.output<R>) => string | null;
  /** Gives the reply of an idempotent route again, by the id in it: long replies are not kept (reliability D3). */
  readonly again?: {
    readonly idOf: (reply: z.output<R>) => string;
    readonly read: (call: Call<Q, P, B>, id: string) => Promise<z.output<R>>;
  };
  readonly handle: (call: Call<Q, P, B>) => Promise<Result<R>> | Result<R>;
};

export type Route = {
  readonly method: Method;
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly policy: Policy;
  readonly query?: z.ZodType;
  readonly params?: z.ZodType;
  readonly body?: z.ZodType;
  readonly intake?: Intake;
  readonly reply: z.ZodType;
  readonly status?: number;
  readonly produces?: string;
  readonly alsoProduces?: readonly string[];
  readonly accepts?: readonly string[];
  readonly refusal?: z.ZodType;
  readonly failure?: Failure;
  readonly requestHeaders?: Readonly<Record<string, string>>;
  readonly replyHeaders?: Readonly<Record<string, string>>;
  readonly mayBeAbsent?: boolean;
  readonly otherStatuses?: OtherStatuses;
  readonly conditional?: true;
  readonly ranges?: true;
  readonly write?: (value: never) => string;
  readonly outcome?: (value: never) => string | null;
  readonly again?: {
    readonly idOf: (reply: never) => string;
    readonly read: (call: never, id: string) => Promise<unknown>;
  };
  readonly handle: (call: never) => unknown;
};

/** Returns its argument; ties the handler's types to its schemas at compile time. */
export const route = <
  R extends z.ZodType,
  Q extends z.ZodType | undefined = undefined,
  P extends z.ZodType | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(
  spec: Spec<Q, P, B, R>,
): Route => spec as unknown as Route;
