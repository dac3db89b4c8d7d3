import type { z } from 'zod';
import { badRequest, type ErrorDetail, ServiceError } from '#platform/errors.ts';
import type { Exchange } from './exchange.ts';
import { misplacedMembers } from './misplaced-member.ts';
import type { Route } from './route.ts';
import { repeatedParameter, valueAt, wordIssue } from './word-issue.ts';

const DETAILS_MAX = 20;
const PARTS = ['params', 'query', 'body'] as const;
type Part = (typeof PARTS)[number];

/** Parses the request into the exchange. Returns the problem instead of throwing: a 400 still costs the burst. */
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
  const parsed = parsePart(part, schema, exchange.request[part]);
  if (!parsed.ok) return parsed.problem;
  exchange[part] = parsed.data;
  return null;
}

export type ParsedPart<T> =
  | { readonly ok: true; readonly data: T }
  | { readonly ok: false; readonly problem: ServiceError };

/** Validates one part of a request; its problems are worded like those of every 400. */
export function parsePart<S extends z.ZodType>(
  part: Part,
  schema: S,
  sent: unknown,
): ParsedPart<z.output<S>> {
  try {
    const parsed = schema.safeParse(sent, {
      error: (issue) => wordIssue(issue, valueAt(sent, issue.path ?? [])),
    });
    const misplaced = part === 'body' ? misplacedMembers(schema, sent) : [];
    if (parsed.success && misplaced.length === 0) return { ok: true, data: parsed.data };
    const issues = parsed.error?.issues.map((issue) => detail(issue, part, sent)) ?? [];
    return { ok: false, problem: problem([...misplaced, ...issues]) };
  } catch (error) {
    // A transform may refuse with a ServiceError; any other exception is our bug.
    if (error instanceof ServiceError) return { ok: false, problem: error };
    throw error;
  }
}

const detail = (issue: z.core.$ZodIssue, part: Part, sent: unknown): ErrorDetail => {
  const came = valueAt(sent, issue.path);
  const isRepeated = part === 'query' && Array.isArray(came) && !takesLists(issue);
  return {
    path: issue.path.length === 0 ? part : issue.path.map(String).join('.'),
    message: isRepeated ? repeatedParameter(came.length) : issue.message,
  };
};

/** Only the schema of a list complains about a list's length or asks for one, so a repeated value is expected there. */
const takesLists = (issue: z.core.$ZodIssue): boolean =>
  ((issue.code === 'too_big' || issue.code === 'too_small') && issue.origin === 'array') ||
  (issue.code === 'invalid_type' && issue.expected === 'array');

function problem(details: readonly ErrorDetail[]): ServiceError {
  const [first] = details;
  const more = details.length > 1 ? ` (and ${details.length - 1} more)` : '';
  const said = first === undefined ? 'The request is not valid.' : `${first.path}: ${first.message}${more}`;
  return badRequest(said, details.slice(0, DETAILS_MAX));
}
