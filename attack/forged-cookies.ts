import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import type { Attack, Target } from './attack.ts';
import { besideAttack, checkProbe, signInProbe } from './bystander.ts';
import { inLanes } from './in-lanes.ts';

const REQUESTS = 6_700;
const AT_ONCE = 50;
const CHECKS = 200;
const SIGN_INS = 5;

export const forgedCookies: Attack = {
  name: 'forged-cookies',
  finding: 'Random session cookies must not reach the database and stop signed-in people.',
  run: (target) =>
    besideAttack(target, [checkProbe(target, CHECKS), signInProbe(target, SIGN_INS)], async (begun) => {
      const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
      begun();
      await inLanes(Math.ceil(REQUESTS * target.strength), AT_ONCE, () => askWithForgedCookie(target, agent));
      agent.destroy();
    }),
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
