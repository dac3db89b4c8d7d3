import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { ServiceError } from '#platform/errors.ts';
import type { Route } from './route.ts';
import { namesStatus } from './route-statuses.ts';

export class ReplyMismatch extends Error {}

const isJson = (route: Route): boolean => route.produces === undefined || /\bjson\b/.test(route.produces);

/**
 * Tests throw on a reply that breaks its schema and on a field that the schema does not name, so that no field leaves
 * by accident. Production does not validate the reply (docs/decisions/0003).
 */
export function checkReply(route: Route, value: unknown): void {
  if (!isJson(route) || value === undefined || Buffer.isBuffer(value) || typeof value === 'string') return;
  const parsed = route.reply.safeParse(value);
  if (!parsed.success)
    throw new ReplyMismatch(
      `${route.method} ${route.path} broke its reply schema:\n${z.prettifyError(parsed.error)}`,
    );
  if (!isDeepStrictEqual(asSent(parsed.data), asSent(value)))
    throw new ReplyMismatch(
      `${route.method} ${route.path} sent fields that its reply schema does not name, or that it changes.`,
    );
  if (route.write !== undefined && route.write(value as never) !== JSON.stringify(value))
    throw new ReplyMismatch(`${route.method} ${route.path} writes another text than JSON.stringify.`);
}

/** Tests throw on a status that the description of the route does not name, so that no client meets one unprepared. */
export function checkStatus(route: Route, status: number): void {
  if (!namesStatus(route, status))
    throw new ReplyMismatch(
      `${route.method} ${route.path} answers ${status}, which its description does not name: add it to otherStatuses.`,
    );
}

/** The failure as it may leave in a test: one with a status that the description does not name becomes a 500. */
export function checkFailure(route: Route, error: ServiceError): ServiceError {
  try {
    checkStatus(route, error.status);
    return error;
  } catch (mismatch) {
    return new ServiceError('Internal Server Error', error.message, { cause: mismatch });
  }
}

const asSent = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
