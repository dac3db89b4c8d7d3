import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';

/** A fault of requests from the browser to the service whose path matches. */
export type Fault = {
  readonly path: RegExp;
  /** This many requests to the path pass before the fault begins. */
  readonly afterRequests?: number;
  readonly act:
    | { readonly kind: 'hang' }
    | { readonly kind: 'refuse' }
    | { readonly kind: 'delay'; readonly ms: number }
    | {
        readonly kind: 'answer';
        readonly status: number;
        readonly headers?: Record<string, string>;
        readonly body: unknown;
        readonly afterMs?: number;
      }
    | { readonly kind: 'cut'; readonly afterEvents: number }
    /** This many events pass; the rest waits for as long as the page is open. */
    | { readonly kind: 'hold'; readonly afterEvents: number }
    | { readonly kind: 'pace'; readonly msPerEvent: number };
};

export type SeenRequest = {
  readonly method: string;
  readonly url: string;
  readonly lastEventId: string | undefined;
  readonly bodyBytes: number;
  /** True when the answer was sent, or when the page gave it up. */
  readonly isOver: () => boolean;
};

export type FaultProxy = {
  readonly url: string;
  /** Replaces the faults; an empty list removes all. */
  readonly set: (faults: readonly Fault[]) => void;
  /** Breaks the connections whose answer is not complete. */
  readonly cut: (path: RegExp) => void;
  readonly seen: readonly SeenRequest[];
  readonly close: () => Promise<void>;
};

/** A real HTTP hop in front of the service, which a test can make fail. */
export async function startFaultProxy(port: number, target: string): Promise<FaultProxy> {
  let faults: { readonly fault: Fault; passes: number }[] = [];
  const faultOf = (url: string): Fault['act'] | undefined => {
    const set = faults.find(({ fault }) => fault.path.test(url));
    if (set === undefined || set.passes === 0) return set?.fault.act;
    set.passes -= 1;
    return undefined;
  };
  const seen: SeenRequest[] = [];
  const open = new Map<ServerResponse, string>();
  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', url = '/' } = incoming;
    const lastEventId = incoming.headers['last-event-id'];
    seen.push({
      method,
      url,
      lastEventId: typeof lastEventId === 'string' ? lastEventId : undefined,
      bodyBytes: Number(incoming.headers['content-length'] ?? 0),
      isOver: () => outgoing.closed,
    });
    open.set(outgoing, url);
    outgoing.once('close', () => open.delete(outgoing));
    const fault = faultOf(url);
    if (fault?.kind === 'hang') return;
    if (fault?.kind === 'refuse') {
      incoming.socket.destroy();
      return;
    }
    if (fault?.kind === 'answer') {
      setTimeout(() => {
        outgoing.writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers });
        outgoing.end(JSON.stringify(fault.body));
      }, fault.afterMs ?? 0);
      return;
    }
    const start = () => relay(incoming, outgoing, new URL(url, target), fault);
    if (fault?.kind === 'delay') setTimeout(start, fault.ms);
    else start();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${port}`,
    set: (next) => {
      faults = next.map((fault) => ({ fault, passes: fault.afterRequests ?? 0 }));
    },
    cut: (path) => {
      for (const [outgoing, url] of open) if (path.test(url)) outgoing.destroy();
    },
    seen,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function relay(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  url: URL,
  fault: Fault['act'] | undefined,
): void {
  const upstream = forward(url, {
    // One connection per request, so that a fault of one never breaks the next.
    agent: false,
    method: incoming.method,
    headers: { ...incoming.headers, host: url.host },
  });
  upstream.on('response', (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    if (fault?.kind === 'cut' || fault?.kind === 'hold') passEvents(answer, outgoing, fault);
    else if (fault?.kind === 'pace') void paceEvents(answer, outgoing, fault.msPerEvent);
    else answer.pipe(outgoing);
  });
  upstream.on('error', () => outgoing.destroy());
  outgoing.once('close', () => upstream.destroy());
  incoming.pipe(upstream);
}

/** Passes whole events only: a frame ends with an empty line, and the first frame is the `retry:` one. */
function passEvents(
  answer: IncomingMessage,
  outgoing: ServerResponse,
  fault: { readonly kind: 'cut' | 'hold'; readonly afterEvents: number },
): void {
  let [left, buffered, isStopped] = [fault.afterEvents, '', false];
  answer.setEncoding('utf8');
  answer.on('data', (chunk: string) => {
    buffered += chunk;
    for (let end = buffered.indexOf('\n\n'); end >= 0; end = buffered.indexOf('\n\n')) {
      const frame = buffered.slice(0, end + 2);
      buffered = buffered.slice(end + 2);
      const isEvent = frame.startsWith('id:');
      if (isEvent && left === 0) {
        // Waits before the reset, which discards data that the browser has not read yet: its script may be busy
        // on a slow machine.
        if (fault.kind === 'cut') setTimeout(() => outgoing.destroy(), 1_000);
        // Stops reading, because the end of the answer may be here already and must not be passed on.
        isStopped = true;
        answer.destroy();
        return;
      }
      if (isEvent) left -= 1;
      outgoing.write(frame);
    }
  });
  answer.on('end', () => {
    if (!isStopped) outgoing.end();
  });
  answer.on('error', () => undefined);
}

async function paceEvents(
  answer: IncomingMessage,
  outgoing: ServerResponse,
  msPerEvent: number,
): Promise<void> {
  let text = '';
  answer.setEncoding('utf8');
  for await (const chunk of answer) text += String(chunk);
  for (const frame of text.split(/(?<=\n\n)/)) {
    if (frame.startsWith('id:')) await new Promise((resolve) => setTimeout(resolve, msPerEvent));
    outgoing.write(frame);
  }
  outgoing.end();
}
