import { createHash } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import type { z } from 'zod';
import {
  type FileTools,
  isMessage,
  MAIL_LIMITS,
  readHeaders,
  readMessage,
  readStructured,
  type StructuredMessage,
} from '#domain/mail/index.ts';
import { badRequest, ServiceError } from '#platform/errors.ts';
import { jsonProblem } from '#platform/http/json-shape.ts';
import { parsePart } from '#platform/http/validate.ts';
import { ScanBody, type ScanContext } from './contract.ts';
import type { Form, Forms } from './scan-steps.ts';

/** A body that was found valid and is not read yet. */
export type OpenedBody<F extends Form = 'mail'> = {
  readonly context: Forms[F]['context'];
  readonly read: () => Promise<Forms[F]['facts']>;
};

const VALUES_MAX = 5_000;
const ONE_OF = 'Send exactly one of emlBase64, eml and message.';
const NOT_MAIL =
  'This is not an e-mail message: it has no From, Received, Message-ID, Date or Subject header.';

const TOOLS: FileTools = {
  digest: (bytes) => ({
    sha256: createHash('sha256').update(bytes).digest('hex'),
    sha1: createHash('sha1').update(bytes).digest('hex'),
    md5: createHash('md5').update(bytes).digest('hex'),
  }),
  inflate: (bytes, bytesMax) => {
    try {
      return inflateRawSync(bytes, { maxOutputLength: bytesMax });
    } catch {
      return null;
    }
  },
};

/** Reads the JSON and the encoding of a scan's body, and throws the 400 or 413 of contract 4.9. */
export function openBody(bytes: Uint8Array): OpenedBody {
  const { emlBase64, eml, message, context = {} } = readJson(bytes, ScanBody);
  const given = [emlBase64, eml, message].filter((form) => form !== undefined);
  if (given.length !== 1) throw badRequest(ONE_OF);
  if (message !== undefined) return openStructured(message, context);
  const raw = emlBase64 === undefined ? Buffer.from(eml ?? '', 'utf8') : decodeBase64(emlBase64);
  if (raw.length > MAIL_LIMITS.messageBytesMax)
    throw new ServiceError('Payload Too Large', 'The message is larger than 10 MiB.');
  const { headers, isCut } = readHeaders(raw);
  // A header section that was cut off cannot show that this is no mail: the missing headers may follow.
  if (!isCut && !isMessage(headers)) throw badRequest(NOT_MAIL);
  return { context, read: () => readMessage(raw, TOOLS) };
}

/** The JSON of a body, by the schema of its route. */
export function readJson<S extends z.ZodType>(bytes: Uint8Array, schema: S): z.output<S> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  const problem = jsonProblem(text, VALUES_MAX);
  if (problem !== null) throw problem;
  const parsed = parsePart('body', schema, parseJson(text));
  if (!parsed.ok) throw parsed.problem;
  return parsed.data;
}

function parseJson(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The parser's own message quotes a part of the body, so it is not kept as the cause.
    throw badRequest('The body is not valid JSON.');
  }
}

function decodeBase64(text: string): Buffer {
  const plain = /\s/.test(text) ? text.replace(/\s+/g, '') : text;
  if (plain === '' || plain.length % 4 === 1 || !/^[A-Za-z0-9+/]*={0,2}$/.test(plain))
    throw badRequest('emlBase64: this is not base64.');
  return Buffer.from(plain, 'base64');
}

function openStructured(message: StructuredMessage, context: ScanContext): OpenedBody {
  const { text = '', html = '' } = message;
  if (Buffer.byteLength(text) + Buffer.byteLength(html) > MAIL_LIMITS.messageBytesMax)
    throw new ServiceError('Payload Too Large', 'The message is larger than 10 MiB.');
  const isEmpty = Object.values(message).every((value) => value === undefined || value.length === 0);
  if (isEmpty) throw badRequest('message: send at least one field of the message.');
  return { context, read: async () => readStructured(message) };
}
