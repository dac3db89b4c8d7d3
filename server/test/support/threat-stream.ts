import { request } from 'node:http';

export type ReceivedEvent = {
  readonly id: string;
  readonly type: string;
  readonly data: Record<string, unknown>;
};

export type ThreatStream = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Everything received so far. */
  readonly text: () => string;
  readonly events: readonly ReceivedEvent[];
  /** The id to resume after, as an EventSource keeps it. */
  readonly lastId: () => string;
  readonly isClosed: () => boolean;
  readonly close: () => void;
};

export type StreamAsk = {
  readonly credential?: string;
  readonly query?: string;
  readonly lastEventId?: string;
  readonly method?: string;
};

/** Opens the stream and keeps what arrives. Throws on a data line that is not one JSON object. */
export function openThreatStream(url: string, ask: StreamAsk): Promise<ThreatStream> {
  const headers = {
    ...(ask.credential !== undefined && { 'X-API-KEY': ask.credential }),
    ...(ask.lastEventId !== undefined && { 'Last-Event-ID': ask.lastEventId }),
  };
  return new Promise((resolve, reject) => {
    const path = `${url}/stream${ask.query === undefined ? '' : `?${ask.query}`}`;
    const asked = request(path, { headers, agent: false, method: ask.method ?? 'GET' }, (response) => {
      const events: ReceivedEvent[] = [];
      const chunks: string[] = [];
      let [unread, lastId, isClosed] = ['', '', false];
      response.setEncoding('utf8').on('data', (chunk: string) => {
        chunks.push(chunk);
        const messages = `${unread}${chunk}`.split('\n\n');
        unread = messages.pop() ?? '';
        for (const message of messages) {
          const lines = message.split('\n');
          lastId = lines.find((line) => line.startsWith('id: '))?.slice(4) ?? lastId;
          const data = lines.find((line) => line.startsWith('data: '));
          if (data !== undefined)
            events.push({ id: lastId, ...(JSON.parse(data.slice(6)) as Omit<ReceivedEvent, 'id'>) });
        }
      });
      response.on('close', () => {
        isClosed = true;
      });
      response.on('error', () => undefined);
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        text: () => chunks.join(''),
        events,
        lastId: () => lastId,
        isClosed: () => isClosed,
        close: () => asked.destroy(),
      });
    });
    asked.on('error', reject);
    asked.end();
  });
}
