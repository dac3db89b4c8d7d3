import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
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
  /** Aborted when the caller goes away or the route's deadline passes. */
  readonly signal: AbortSignal;
};

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
  readonly reply: R;
  /** Status of success; 200 when absent. */
  readonly status?: number;
  /** Media type of success; application/json when absent. */
  readonly produces?: string;
  /** Others that the caller can choose; the handler sets the header itself. */
  readonly alsoProduces?: readonly string[];
  /** Media types of the body; application/json alone when absent. Anything else is 415 (decisions 1.2). */
  readonly accepts?: readonly string[];
  /** True: may answer 404 although its path names no thing, as long as there is nothing to tell yet. */
  readonly mayBeAbsent?: boolean;
  readonly handle: (call: Call<Q, P, B>) => Promise<z.output<R>> | z.output<R>;
};

/** A route with its schema types erased: what mounting, listing and documenting need. */
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
  readonly reply: z.ZodType;
  readonly status?: number;
  readonly produces?: string;
  readonly alsoProduces?: readonly string[];
  readonly accepts?: readonly string[];
  readonly mayBeAbsent?: boolean;
  readonly handle: (call: never) => unknown;
};

/** Identity at run time; ties the handler's types to its schemas at compile time. */
export const route = <
  R extends z.ZodType,
  Q extends z.ZodType | undefined = undefined,
  P extends z.ZodType | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(
  spec: Spec<Q, P, B, R>,
): Route => spec as unknown as Route;
