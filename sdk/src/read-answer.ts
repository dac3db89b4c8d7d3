import type { Deadline } from './deadline.ts';
import { AssayError } from './errors.ts';
import type { OperationInfo } from './operation.ts';

export const readText = (response: Response, deadline: Deadline): Promise<string> =>
  response.text().catch((cause: unknown) => {
    throw deadline.errorOf(cause);
  });

const readBytes = async (response: Response, deadline: Deadline): Promise<Uint8Array> =>
  new Uint8Array(
    await response.arrayBuffer().catch((cause: unknown) => {
      throw deadline.errorOf(cause);
    }),
  );

export async function readAnswer(
  info: OperationInfo,
  response: Response,
  deadline: Deadline,
): Promise<unknown> {
  if (info.reply === 'bytes') return readBytes(response, deadline);
  const text = await readText(response, deadline);
  if (info.reply === 'none') return undefined;
  if (info.reply === 'text') return text;
  const type = response.headers.get('Content-Type') ?? '';
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(type))
    throw unreadable(response, `The answer is '${type}', not JSON. Use text() for answers in another form.`);
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw unreadable(response, 'The answer is declared as JSON but cannot be parsed.', cause);
  }
}

const unreadable = (response: Response, message: string, cause?: unknown): AssayError =>
  new AssayError({
    status: response.status,
    error: 'Unreadable Answer',
    message,
    requestId: response.headers.get('X-Request-Id'),
    cause,
  });
