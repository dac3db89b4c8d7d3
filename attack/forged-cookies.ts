import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack, Target } from './attack.ts';
import { besideAttack, checkProbe, signInProbe } from './bystander.ts';

/** Requests a second at strength 1: ten times the 67 that once were enough to lock signed-in people out. */
const A_SECOND = 670;
const AT_ONCE = 50;
const TICK_MS = 20;
const CHECKS = 200;
const SIGN_INS = 5;

export const forgedCookies: Attack = {
  name: 'forged-cookies',
  finding: 'Random session cookies must not reach the database and stop signed-in people.',
  run: (target) =>
    besideAttack(
      target,
      [checkProbe(target, CHECKS), signInProbe(target, SIGN_INS)],
      async (begun, signal) => {
        const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
        begun();
        const aTick = Math.ceil((A_SECOND * target.strength * TICK_MS) / 1_000);
        const sent: Promise<void>[] = [];
        while (!signal.aborted) {
          for (let nth = 0; nth < aTick; nth += 1) sent.push(askWithForgedCookie(target, agent));
          await sleep(TICK_MS);
        }
        await Promise.all(sent);
        agent.destroy();
      },
    ),
};

function askWithForgedCookie(target: Target, agent: Agent): Promise<void> {
  return new Promise((resolve) => {
    const cookie = `sid=${randomBytes(32).toString('base64url')}`;
    const url = new URL('/api/auth/session', target.url);
    const sent = request(url, { agent, headers: { cookie } }, (answer) => {
      answer.resume();
      answer.on('end', resolve).on('error', () => resolve());
    });
    sent.on('error', () => resolve()).end();
  });
}
