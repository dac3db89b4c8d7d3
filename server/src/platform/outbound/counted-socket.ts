import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { OutboundError } from './outbound-error.ts';

/**
 * A socket that ends with `too_large` after `bytesMax` received bytes. Under TLS it counts the bytes on the wire, so
 * an oversized certificate chain is stopped before it is parsed (reliability fault 18).
 */
export function countedSocket(socket: Socket, bytesMax: number): Duplex {
  let received = 0;
  const counted = new Duplex({
    read: () => socket.resume(),
    write: (chunk: Buffer, _encoding, done) => void socket.write(chunk, done),
    final: (done) => void socket.end(done),
    destroy: (error, done) => {
      socket.destroy();
      done(error);
    },
  });
  socket.on('data', (chunk: Buffer) => {
    received += chunk.length;
    if (received > bytesMax)
      counted.destroy(new OutboundError('too_large', `More than ${bytesMax} bytes arrived.`));
    else if (!counted.push(chunk)) socket.pause();
  });
  socket.on('end', () => counted.push(null));
  socket.on('error', (error) => counted.destroy(error));
  socket.on('close', () => {
    if (!socket.readableEnded) counted.destroy(new OutboundError('connect', 'The connection was closed.'));
  });
  return counted;
}
