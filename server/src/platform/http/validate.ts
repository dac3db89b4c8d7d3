import type { z } from 'zod';
import { badRequest, type ErrorDetail, ServiceError } from '#platform/errors.ts';
import type { Exchange } from './exchange.ts';
import type { Route } from './route.ts';

const DETAILS_MAX = 20;
const PARTS = ['params', 'query', 'body'] as const;
type Part = (typeof PARTS)[number];

/** Reads the request into the exchange. Returns what is wrong instead of throwing: a 400 still costs the burst. */
export type Validate = (exchange: Exchange) => ServiceError | null;

export function validatorOf(route: Route): Validate {
  const parts = PARTS.flatMap((part) => {
    const schema = route[part];
    return schema === undefined ? [] : [{ part, schema }];
  });
  const [first] = parts;
  if (first === undefined) return () => null;
  if (parts.length === 1) return (exchange) => read(exchange, first.part, first.schema);
  return (exchange) => {
    const problems = parts.flatMap(({ part, schema }) => read(exchange, part, schema) ?? []);
    const [only] = problems;
    if (only === undefined || problems.length === 1) return only ?? null;
    return problem(problems.flatMap((error) => error.options.details ?? []));
  };
}

function read(exchange: Exchange, part: Part, schema: z.ZodType): ServiceError | null {
  try {
    const parsed = schema.safeParse(exchange.request[part]);
    if (parsed.success) {
      exchange[part] = parsed.data;
      return null;
    }
    return problem(parsed.error.issues.map((issue) => detail(issue, part)));
  } catch (error) {
    // A transform may refuse in our own words; anything else is our mistake and not the caller's.
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

const detail = (issue: z.core.$ZodIssue, part: Part): ErrorDetail => ({
  path: issue.path.length === 0 ? part : issue.path.map(String).join('.'),
  message: issue.message,
});

function problem(details: readonly ErrorDetail[]): ServiceError {
  const [first] = details;
  const more = details.length > 1 ? ` (and ${details.length - 1} more)` : '';
  const said = first === undefined ? 'The request is not valid.' : `${first.path}: ${first.message}${more}`;
  return badRequest(said, details.slice(0, DETAILS_MAX));
}
