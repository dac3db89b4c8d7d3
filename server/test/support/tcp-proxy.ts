import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy in front of an engine that can hold back everything it passes on, as a network that stalls does. */
export type TcpProxy = {
  readonly port: number;
  /** True: nothing is passed on in either direction until it is false again. */
  readonly stall: (isStalled: boolean) => void;
  readonly close: () => Promise<void>;
};

export async function openTcpProxy(target: {
  readonly host: string;
  readonly port: number;
}): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let isStalled = false;
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((client) => {
    const engine = connect(target);
    for (const [from, to] of [
      [keep(client), keep(engine)],
      [engine, client],
    ] as const) {
      from.on('data', (bytes) => to.write(bytes));
      from.on('close', () => to.destroy());
      if (isStalled) from.pause();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    stall: (stalled) => {
      isStalled = stalled;
      for (const socket of sockets)
        if (stalled) socket.pause();
        else socket.resume();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
