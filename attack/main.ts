import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Attack, AttackResult, Person, Target } from './attack.ts';
import { diskFill } from './disk-fill.ts';
import { forgedCookies } from './forged-cookies.ts';
import { halfSentBodies, halfSentBodiesOfMany } from './half-sent-bodies.ts';
import { gateScanSlots, mailScanSlots } from './half-sent-scans.ts';
import { invitationRelay } from './invitation-relay.ts';
import { keyLineage } from './key-lineage.ts';
import { nestedJson } from './nested-json.ts';
import { oddRequest } from './odd-requests.ts';
import { quotaBypass } from './quota-bypass.ts';
import { signInLockout } from './sign-in-lockout.ts';
import { signInStorm } from './sign-in-storm.ts';
import { stalledReaders } from './stalled-readers.ts';

const HELP = `BYSTANDER_KEY=HEADER ATTACKER_KEY=HEADER npm run attack -- --url http://127.0.0.1:8080

Attacks a running service in every way that was once seen to stop it, with a caller beside each attack whose requests
must be answered, and prints a table. Exit code 1: an attack got through.

  --url URL           the service; only loopback addresses unless --anywhere is given
  --bystander HEADER  the X-API-KEY of the caller beside the attacks, with 1,000 or more calls a minute
  --attacker HEADER   the X-API-KEY of a caller of the smallest plan; other users of the machine can read arguments, so
                      both are better given as BYSTANDER_KEY and ATTACKER_KEY
  BYSTANDER_LOGIN     EMAIL:PASSWORD of a person without a second factor, in the environment only. Attacks on signing in run
                      beside this person, and use up their sign-in limits for an hour; without it they are not run
  ATTACKER_LOGIN      EMAIL:PASSWORD of a person on the FREE plan, in the environment only. Attacks by a person send
                      invitations, so use a service whose SMTP_URL is a test server; without it they are not run
  --only NAME         one attack; may be repeated
  --strength N        1 is ten times the strength at which an attack was first seen to work (default 1)
  --anywhere          attack a service that is not on this machine; only ever your own
  --list              the attacks

Keys:  npm run admin -- key create --email bystander@example.com --plan ENTERPRISE
       npm run admin -- key create --email attacker@example.com --plan FREE
Login: npm run admin -- user invite --email person@example.com, then set a password with the link
`;
/** The first three sign in from the attacker's address, so they run before the others use up its limits. */
const ATTACKS: readonly Attack[] = [
  keyLineage,
  quotaBypass,
  oddRequest,
  stalledReaders,
  halfSentBodies,
  halfSentBodiesOfMany,
  mailScanSlots,
  gateScanSlots,
  nestedJson,
  forgedCookies,
  signInStorm,
  signInLockout,
  diskFill,
  invitationRelay,
];
const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);
const BYSTANDER_PER_MINUTE = 1_000;
const PAUSE_MS = 1_000;

class Refusal extends Error {}

type Options = {
  readonly target: Target;
  readonly attacks: readonly Attack[];
  /** Attacks without what they need. */
  readonly skipped: readonly Attack[];
};

function readOptions(argv: readonly string[]): Options | null {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      url: { type: 'string', default: 'http://127.0.0.1:8080' },
      bystander: { type: 'string' },
      attacker: { type: 'string' },
      only: { type: 'string', multiple: true },
      strength: { type: 'string', default: '1' },
      anywhere: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) process.stdout.write(HELP);
  if (values.list) for (const { name, finding } of ATTACKS) print(`${name.padEnd(26)} ${finding}`);
  if (values.help || values.list) return null;
  const { only } = values;
  const bystander = values.bystander ?? process.env.BYSTANDER_KEY;
  const attacker = values.attacker ?? process.env.ATTACKER_KEY;
  if (bystander === undefined || attacker === undefined)
    throw new Refusal(`Send the keys of two callers.\n\n${HELP}`);
  if (!LOOPBACK.has(new URL(values.url).hostname) && !values.anywhere)
    throw new Refusal(`${values.url} is not on this machine. Add --anywhere if the service is yours.`);
  const strength = Number(values.strength);
  if (!(strength > 0 && strength <= 10)) throw new Refusal('--strength: Send a number from 0.01 to 10.');
  const unknown = only?.filter((name) => !ATTACKS.some((attack) => attack.name === name)) ?? [];
  if (unknown.length > 0)
    throw new Refusal(`There is no attack '${unknown.join("', '")}'. --list names them.`);
  const person = readLogin('BYSTANDER_LOGIN');
  const login = readLogin('ATTACKER_LOGIN');
  const wanted = ATTACKS.filter(({ name }) => only?.includes(name) ?? true);
  const missing = (attack: Attack): boolean =>
    (attack.needs === 'people' && person === undefined) || (attack.needs === 'login' && login === undefined);
  const skipped = wanted.filter(missing);
  if (skipped.length === wanted.length) throw new Refusal(skipped.map(skippedLine).join('\n'));
  return {
    target: {
      url: values.url,
      bystanderKey: bystander,
      attackerKey: attacker,
      strength,
      people: person === undefined ? [] : [person],
      ...(login !== undefined && { login }),
    },
    attacks: wanted.filter((attack) => !skipped.includes(attack)),
    skipped,
  };
}

function readLogin(name: string): Person | undefined {
  const login = process.env[name];
  if (login === undefined || login === '') return undefined;
  const at = login.indexOf(':');
  if (at < 1) throw new Refusal(`${name}: Send EMAIL:PASSWORD.`);
  return { email: login.slice(0, at), password: login.slice(at + 1) };
}

const skippedLine = ({ name, needs }: Attack): string =>
  `${name.padEnd(26)} not run: set ${needs === 'people' ? 'BYSTANDER_LOGIN' : 'ATTACKER_LOGIN'}`;

/** An attack proves nothing beside a caller whose own plan would refuse its requests. */
async function requireBystander({ url, bystanderKey }: Target): Promise<void> {
  const answer = await fetch(new URL('/check?query=198.51.100.7', url), {
    headers: { 'x-api-key': bystanderKey },
  });
  await answer.body?.cancel();
  // Checked before the status, because a caller whose small plan is used up gets 429 and needs a larger plan.
  const perMinute = Number(answer.headers.get('x-ratelimit-limit') ?? BYSTANDER_PER_MINUTE);
  if (perMinute < BYSTANDER_PER_MINUTE)
    throw new Refusal(
      `The caller beside the attacks may make ${perMinute} calls a minute and needs ${BYSTANDER_PER_MINUTE}.`,
    );
  if (answer.status !== 200)
    throw new Refusal(`The caller beside the attacks is answered with ${answer.status} on a calm service.`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function printResult({ name }: Attack, { held, figures }: AttackResult): void {
  print(`${name.padEnd(26)} ${held ? 'held' : 'GOT THROUGH'}`);
  for (const [figure, value] of Object.entries(figures)) print(`  ${figure.padEnd(30)} ${value}`);
}

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (options === null) return 0;
  await requireBystander(options.target);
  let through = 0;
  for (const attack of options.attacks) {
    const result = await attack.run(options.target);
    printResult(attack, result);
    // Time to close the connections of this attack, because the next one first measures a calm service.
    await sleep(PAUSE_MS);
    if (!result.held) through += 1;
  }
  for (const attack of options.skipped) print(skippedLine(attack));
  print(`\n${options.attacks.length - through} of ${options.attacks.length} attacks held`);
  return through === 0 ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
