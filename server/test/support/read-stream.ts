/** One event of a check stream with its arrival time, in ms since the request. */
export type StreamedEvent = {
  readonly id: string;
  readonly type: string;
  readonly data: Record<string, unknown>;
  readonly atMs: number;
};
export type ReadStream = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly events: readonly StreamedEvent[];
  readonly tookMs: number;
};

/** Reads an event stream to its end; throws unless each data line is one JSON object. */
export async function readStream(url: string, headers: Record<string, string> = {}): Promise<ReadStream> {
  const startedMs = performance.now();
  const response = await fetch(url, { headers });
  const events: StreamedEvent[] = [];
  let text = '';
  let read = 0;
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    for (let end = text.indexOf('\n\n', read); end !== -1; end = text.indexOf('\n\n', read)) {
      const event = eventOf(text.slice(read, end), performance.now() - startedMs);
      if (event !== null) events.push(event);
      read = end + 2;
    }
  }
  return {
    status: response.status,
    headers: response.headers,
    text,
    events,
    tookMs: performance.now() - startedMs,
  };
}

function eventOf(frame: string, atMs: number): StreamedEvent | null {
  const lines = frame.split('\n');
  const data = lines.find((line) => line.startsWith('data: '));
  if (data === undefined) return null;
  const parsed = JSON.parse(data.slice(6)) as { type: string; data: Record<string, unknown> };
  return { id: lines.find((line) => line.startsWith('id: '))?.slice(4) ?? '', ...parsed, atMs };
}
