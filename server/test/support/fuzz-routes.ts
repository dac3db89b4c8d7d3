import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { describeRoutes } from '../../src/app/build-app.ts';

/** Every address of every route but the dashboard's files, which are the same for all callers. */
export const ADDRESSES = describeRoutes().flatMap((route) =>
  (route.policy.surface === 'both' ? ['', '/api'] : [route.policy.surface === 'web' ? '/api' : '']).map(
    (base) => ({ route, template: `${base}${route.path}` }),
  ),
);
export type Address = (typeof ADDRESSES)[number];

type JsonSchema = {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly examples?: readonly unknown[];
  readonly format?: string;
};
const schemaOf = (type: z.ZodType): JsonSchema =>
  z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' }) as JsonSchema;

export type Shot = {
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
};

/** What a request of a fuzz is made of. */
export type Aim = {
  readonly url: string;
  readonly origin: string;
  readonly credentials: Readonly<Record<string, string>>;
  /** Values for parameters, fields and parts of the path. */
  readonly known: readonly string[];
  /** Fields that no schema has: a service that assigns what it is sent would take them. */
  readonly assigned: Readonly<Record<string, string>>;
};

/** Parameters of a path that name something of a fixed set; any other value of them is 404 at once. */
const PATH_WORDS: Readonly<Record<string, readonly string[]>> = {
  collectionId: ['ips', 'domains', 'file-hashes'].flatMap((kind) => [
    `org-reported-${kind}`,
    `org-reported-${kind}-observables`,
  ]),
};
/** Fields whose schema does not show which words or ids it takes; text that is none of them is 400 at once. */
const FIELD_WORDS: Readonly<Record<string, readonly string[]>> = {
  status: ['OPEN', 'RESOLVED'],
  priority: ['HIGH', 'LOW'],
  url: ['https://8.8.8.8/hook'],
};
const ID_FIELDS: Readonly<Record<string, string>> = {
  linkedAlertId: 'alrt_',
  linkedCveFindingId: 'xfnd_',
  linkedReportId: 'rpt_',
};
const prefixOf = (text: unknown): string | undefined =>
  typeof text === 'string' ? /^([a-z]+_)[0-9A-Z]{26}$/.exec(text)?.[1] : undefined;
const DAY_MS = 86_400_000;
const TAXII = 'application/taxii+json;version=2.1';
const STREAM_READ_MS = 500;
const isEndless = (template: string): boolean => /^(\/api)?\/stream$/.test(template);

/** Makes requests that fit the schemas of their route, from the random numbers of one seed. */
export function createAimer(random: () => number) {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  /** Ids of the kind that a field or a parameter asks for; without them most ids would be of another kind. */
  const fittingIds = (name: string, schema: JsonSchema, known: readonly string[]): readonly string[] => {
    const prefix = ID_FIELDS[name] ?? prefixOf(schema.examples?.[0]);
    return prefix === undefined ? [] : known.filter((each) => each.startsWith(prefix));
  };
  function valueFor(schema: JsonSchema, known: readonly string[], name = '', depth = 0): unknown {
    if (schema.anyOf !== undefined) return valueFor(pick(schema.anyOf), known, name, depth);
    if (schema.enum !== undefined) return pick(schema.enum);
    const ids = fittingIds(name, schema, known);
    if (ids.length > 0 && random() < 0.8) return pick(ids);
    if (Array.isArray(schema.examples) && random() < 0.5) return pick(schema.examples);
    if (schema.type === 'integer' || schema.type === 'number') return Math.floor(random() * 30);
    if (schema.type === 'boolean') return random() < 0.5;
    if (schema.type === 'null') return null;
    if (schema.type === 'array')
      return Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
        valueFor(schema.items ?? {}, known, name, depth + 1),
      );
    if (schema.type === 'object' && depth < 4) return objectFor(schema, known, depth);
    if (schema.format === 'date-time' && random() < 0.8)
      return new Date(Date.now() - random() * DAY_MS).toISOString();
    return pick((random() < 0.6 && FIELD_WORDS[name]) || known);
  }
  const objectFor = (schema: JsonSchema, known: readonly string[], depth = 0): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(schema.properties ?? {})
        .filter(() => random() < 0.8)
        .map(([name, property]) => [name, valueFor(property, known, name, depth + 1)]),
    );
  /** An example of the schema, or an object of random values. */
  const bodyFor = (schema: JsonSchema, known: readonly string[]): object =>
    Array.isArray(schema.examples) && random() < 0.3
      ? (pick(schema.examples) as object)
      : objectFor(schema, known);
  const partFor = (name: string, schema: JsonSchema, known: readonly string[]): string => {
    const ids = fittingIds(name, schema, known);
    if (ids.length > 0 && random() < 0.8) return pick(ids);
    return pick((random() < 0.8 && PATH_WORDS[name]) || known);
  };

  const aim = ({ route, template }: Address, { url, origin, credentials, known, assigned }: Aim): Shot => {
    const query = new URLSearchParams();
    const wanted = route.query === undefined ? {} : objectFor(schemaOf(route.query), known);
    for (const [name, value] of Object.entries(wanted)) query.append(name, String(value));
    for (const [name, value] of Object.entries(assigned)) if (random() < 0.5) query.append(name, value);
    const params = route.params === undefined ? {} : schemaOf(route.params).properties;
    const path = template.replaceAll(/:(\w+)/g, (_, name: string) =>
      encodeURIComponent(partFor(name, params?.[name] ?? {}, known)),
    );
    const hasBody = route.body !== undefined;
    return {
      url: `${url}${path}?${query.toString()}`,
      method: route.method,
      headers: {
        ...credentials,
        'x-forwarded-for': `198.19.${Math.floor(random() * 250)}.${Math.floor(random() * 250)}`,
        origin,
        'sec-fetch-site': 'same-origin',
        ...(hasBody && { 'content-type': 'application/json' }),
        ...(random() < 0.5 && template.includes('/taxii') && { accept: TAXII }),
        ...(isEndless(template) && { 'last-event-id': '0' }),
      },
      ...(hasBody && {
        body: JSON.stringify({ ...bodyFor(schemaOf(route.body as z.ZodType), known), ...assigned }),
      }),
    };
  };
  return { pick, aim };
}

export async function fire(shot: Shot, template: string): Promise<{ status: number; text: string }> {
  const { url, ...init } = shot;
  const answer = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(120_000) });
  const text = isEndless(template) && answer.ok ? await readStart(answer) : await answer.text();
  return { status: answer.status, text: `${text} ${JSON.stringify([...answer.headers])}` };
}

/** What an endless answer says at first: here all events that it replays. */
async function readStart(answer: Response): Promise<string> {
  const reader = answer.body?.getReader();
  const ended = sleep(STREAM_READ_MS).then(() => reader?.cancel());
  let text = '';
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) break;
    text += Buffer.from(value).toString();
  }
  await ended;
  return text;
}
