import { z } from 'zod';
import type { Exchange } from './exchange.ts';
import type { Route } from './route.ts';

/** Query parameters that the route does not have. They are ignored, so an answer to a misspelt one has to say so. */
export const IGNORED_HEADER = 'X-Assay-Ignored';
/** Query parameters whose number was outside the limits of the route, with the number that was used. */
export const ADJUSTED_HEADER = 'X-Assay-Adjusted';

const NAMES_MAX = 10;
const NAME_CHARS_MAX = 64;
const COMBINED = ['anyOf', 'oneOf', 'allOf'] as const;

type Note = (exchange: Exchange) => void;
type JsonSchema = Readonly<Record<string, unknown>>;

/** Adds the two headers to an answer whose query was not used as it was sent. */
export function queryNotesOf(route: Route): Note {
  // A page of the dashboard reads its query in the browser.
  if (route.policy.class === 'pages') return () => undefined;
  let known: ReadonlySet<string> | null | undefined;
  return (exchange) => {
    const sent = exchange.request.query as Readonly<Record<string, unknown>>;
    for (const name in sent) {
      known = known === undefined ? parameterNames(route.query) : known;
      if (known !== null && !known.has(name)) note(exchange, IGNORED_HEADER, shown(name));
      else {
        const used = adjustedNumber(sent[name], exchange.query, name);
        if (used !== null) note(exchange, ADJUSTED_HEADER, `${shown(name)}=${used}`);
      }
    }
  };
}

function note({ reply }: Exchange, header: string, what: string): void {
  const had = reply.getHeader(header);
  if (had === undefined) reply.header(header, what);
  else if (String(had).split(', ').length < NAMES_MAX) reply.header(header, `${String(had)}, ${what}`);
}

/** The parameters of a query schema; null when it accepts any name. */
export function parameterNames(schema: z.ZodType | undefined): ReadonlySet<string> | null {
  const names = new Set<string>();
  if (schema === undefined) return names;
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  return collectNames(json, names) ? names : null;
}

function collectNames(schema: JsonSchema, names: Set<string>): boolean {
  const { properties, additionalProperties } = schema;
  if (additionalProperties !== undefined && additionalProperties !== false) return false;
  for (const name of Object.keys((properties as JsonSchema | undefined) ?? {})) names.add(name);
  const parts = COMBINED.flatMap((key) => (schema[key] as readonly JsonSchema[] | undefined) ?? []);
  if (properties === undefined && parts.length === 0) return false;
  return parts.every((part) => collectNames(part, names));
}

function adjustedNumber(sent: unknown, parsed: unknown, name: string): number | null {
  if (typeof sent !== 'string' || typeof parsed !== 'object' || parsed === null) return null;
  const used = (parsed as Readonly<Record<string, unknown>>)[name];
  const asked = Number(sent);
  return typeof used !== 'number' || Number.isNaN(asked) || used === asked ? null : used;
}

/** A name comes from the caller, so it is encoded for a header and cut. */
const shown = (name: string): string => encodeURIComponent(name.toWellFormed()).slice(0, NAME_CHARS_MAX);
