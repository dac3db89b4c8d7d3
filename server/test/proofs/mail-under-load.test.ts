import { type ChildProcess, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mailRoutes } from '#capabilities/mail/index.ts';
import { scanLimits } from '#capabilities/mail/open-mail.ts';
import { recordedGates, testApp } from '#test/http-app.ts';
import { makeMail } from '#test/mail/made-mail.ts';
import { type MailRig, openMailRig } from '#test/mail/mail-rig.ts';
import { keepResult } from '#test/proof-results.ts';

/** Honest mail with much text, with the limits of a node, beside other work that wants every core. */
const LOOPS_PER_CORE = 4;
const TRIES = 20;
const BODIES: Readonly<Record<string, { readonly url: string; readonly payload: object }>> = {
  'mail with 1.3 MB of text': {
    url: '/mail/scan',
    payload: { emlBase64: makeMail({ text: 'hello world\n'.repeat(108_000) }).toString('base64') },
  },
  'mail with 5 MB of text': {
    url: '/mail/scan',
    payload: {
      emlBase64: makeMail({
        text: 'Please find the report of the third quarter below.\n'.repeat(98_000),
      }).toString('base64'),
    },
  },
  'content of 1 MiB for the gate': {
    url: '/gate/scan',
    payload: { content: 'hello world\n'.repeat(87_000), mode: 'thorough' },
  },
};
const loops: ChildProcess[] = [];
let rig: MailRig;
let app: ReturnType<typeof testApp>;

beforeAll(async () => {
  rig = await openMailRig();
  const { gates } = recordedGates();
  app = testApp(mailRoutes(rig.depsWith(rig.threadsOf(scanLimits(1)))), { gates });
  for (let nth = 0; nth < LOOPS_PER_CORE * availableParallelism(); nth += 1)
    loops.push(spawn(process.execPath, ['-e', 'for (;;) {}'], { stdio: 'ignore' }));
});
afterAll(async () => {
  for (const loop of loops) loop.kill('SIGKILL');
  await app?.close();
  await rig?.close();
});

test.each(Object.entries(BODIES))('%s is answered at every try', async (name, request) => {
  const times: number[] = [];
  const statuses: number[] = [];
  for (let tries = 0; tries < TRIES; tries += 1) {
    const startMs = performance.now();
    const answer = await app.inject({ method: 'POST', ...request });
    times.push(performance.now() - startMs);
    statuses.push(answer.statusCode);
  }
  times.sort((a, b) => a - b);
  const figure = name.replaceAll(' ', '-');
  keepResult('mail-under-load', {
    [`${figure}-answered`]: statuses.filter((status) => status === 200).length,
    [`${figure}-median-ms`]: times[TRIES / 2] ?? 0,
    [`${figure}-slowest-ms`]: times.at(-1) ?? 0,
  });
  expect(statuses).toEqual(Array(TRIES).fill(200));
});
