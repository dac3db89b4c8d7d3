import { Agent, request } from 'node:http';
import type { Attack, Target } from './attack.ts';
import { besideAttack, checkProbe } from './bystander.ts';
import { inLanes } from './in-lanes.ts';

const REQUESTS = 400;
const AT_ONCE = 20;
const BODY_BYTES = 1_000_000;
const CHECKS = 200;
/** Request bodies of a megabyte of JSON each, costly to parse, to search for prototypes or to validate. */
const BODIES: readonly string[] = [
  `{"entities":${'['.repeat(BODY_BYTES / 2)}${']'.repeat(BODY_BYTES / 2 - 20)}}`,
  `{"entities":[${'{"a":['.repeat(BODY_BYTES / 8)}"__proto__"`,
  `{"entities":[${'[],'.repeat(BODY_BYTES / 3 - 10)}{"__proto__ ":1}]}`,
  `{"entities":[${'0,'.repeat(BODY_BYTES / 2 - 10)}0]}`,
];

export const nestedJson: Attack = {
  name: 'nested-json',
  finding:
    'A caller beyond its limit that sends megabytes of nested JSON must not slow or stop the checks of others.',
  run: (target) =>
    besideAttack(target, [checkProbe(target, CHECKS)], async (begun) => {
      const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
      begun();
      await inLanes(Math.ceil(REQUESTS * target.strength), AT_ONCE, (nth) =>
        post(target, agent, BODIES[nth % BODIES.length] ?? ''),
      );
      agent.destroy();
    }),
};

function post(target: Target, agent: Agent, body: string): Promise<void> {
  return new Promise((resolve) => {
    const sent = request(
      new URL('/bulk/check', target.url),
      {
        agent,
        method: 'POST',
        headers: {
          'x-api-key': target.attackerKey,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        },
      },
      (answer) => {
        answer.resume();
        answer.on('end', resolve).on('error', () => resolve());
      },
    );
    sent.on('error', () => resolve());
    sent.end(body);
  });
}
