import type { Socket } from 'node:net';
import type { Log } from '#platform/log.ts';

const REFUSALS: Readonly<Record<string, readonly [number, string, string]>> = {
  HPE_HEADER_OVERFLOW: [
    431,
    'Request Header Fields Too Large',
    'The address and headers together are too long.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'The request did not arrive in time.'],
};
const MALFORMED = [400, 'Bad Request', 'The request is not valid HTTP.'] as const;

export function clientErrorHandler(log: Log, newRequestId: () => string) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const [status, word, message] = REFUSALS[error.code ?? ''] ?? MALFORMED;
    const requestId = newRequestId();
    const details = status === 400 ? { details: [{ path: 'request', message }] } : {};
    const body = JSON.stringify({ error: word, message, requestId, ...details });
    log.info({ requestId, status, code: error.code }, 'request refused by the parser');
    socket.end(
      [
        `HTTP/1.1 ${status} ${word}`,
        'Content-Type: application/json; charset=utf-8',
        `Content-Length: ${Buffer.byteLength(body)}`,
        `X-Request-Id: ${requestId}`,
        'Cache-Control: private, no-store',
        'Connection: close',
        '',
        body,
      ].join('\r\n'),
      () => socket.destroy(),
    );
  };
}
