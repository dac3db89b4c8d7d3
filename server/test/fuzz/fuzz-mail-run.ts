import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MAIL_LIMITS, readAuthentication, readMessage } from '#domain/mail/index.ts';
import { judgeMessage } from '#domain/mail/verdict/judge-message.ts';
import { makeOle, makePe, makeZip } from '#test/mail/made-files.ts';
import { answersTo, makeMail, TOOLS } from '#test/mail/made-mail.ts';
import { HAS_MAIL, readLabelledMail } from '../support/mail/labelled-mail.ts';
import { type Random, seededRandom } from './fuzz-random.ts';

/** Inputs that once broke something, or that reach a part of the reader that mutation finds late. */
const KEPT = join(import.meta.dirname, 'corpus/mail');
const PIECES: readonly string[] = [
  '\r\n--b\r\n',
  '\r\n\r\n',
  'Content-Type: multipart/mixed; boundary=b\r\n',
  'Content-Type: message/rfc822\r\n',
  'Content-Transfer-Encoding: base64\r\n',
  '=?UTF-8?B?',
  '?=',
  '<a href="http://',
  '">',
  '<!--',
  '&#x',
  'Received: from ([',
  'Authentication-Results: ;',
  '\0',
  '(((((',
  '"',
  'xn--',
  '\u202e',
];

export type MailFuzzReport = {
  readonly executions: number;
  readonly slowestMs: number;
  readonly failures: readonly string[];
};

const seeds = (): readonly Buffer[] => [
  makeMail({ html: '<a href="http://a.example.org/">www.bank.com</a><form><input type=password></form>' }),
  makeMail({
    parts: [
      {
        type: 'a/b',
        content: makeZip({ '[Content_Types].xml': '', 'word/vbaProject.bin': '' }),
        filename: 'a.docm',
      },
    ],
  }),
  makeMail({ parts: [{ type: 'a/b', content: makeOle(['Root Entry', 'Macros']), filename: 'a.doc' }] }),
  makeMail({
    parts: [
      {
        type: 'message/rfc822',
        content: makeMail({ parts: [{ type: 'a/b', content: makePe(), filename: 'a.exe' }] }),
      },
    ],
  }),
  ...readdirSync(KEPT).map((name) => readFileSync(join(KEPT, name))),
  ...(HAS_MAIL
    ? readLabelledMail()
        .filter(({ bytes }) => bytes.length < 64 * 1024)
        .map(({ bytes }) => bytes)
    : []),
];

function mutate(bytes: Buffer, other: Buffer, random: Random): Buffer {
  let text = Buffer.from(bytes);
  for (let times = 1 + random.nat(6); times > 0; times -= 1) {
    const at = random.nat(text.length + 1);
    const length = random.nat(Math.min(400, text.length - at + 1));
    const before = text.subarray(0, at);
    const after = text.subarray(at + length);
    const cut = other.subarray(random.nat(other.length + 1));
    const inserted = [
      Buffer.from(PIECES[random.nat(PIECES.length)] ?? ''),
      Buffer.from([random.nat(256)]),
      Buffer.alloc(0),
      cut.subarray(0, random.nat(2_000)),
      Buffer.concat(Array.from({ length: random.nat(20) }, () => text.subarray(at, at + length))),
    ][random.nat(5)];
    text = Buffer.concat([
      before,
      inserted ?? Buffer.alloc(0),
      random.nat(2) === 0 ? after : text.subarray(at),
    ]).subarray(0, 256 * 1024);
  }
  return text;
}

/** Checks what must hold for a message of any bytes; returns the problem, or null. */
export async function checkMail(bytes: Buffer): Promise<string | null> {
  try {
    const facts = await readMessage(bytes, TOOLS);
    if (facts.links.length > MAIL_LIMITS.linksMax) return 'too many links';
    if (facts.attachments.length > MAIL_LIMITS.attachmentsMax) return 'too many files';
    structuredClone(facts);
    const trust = { authservId: null, trustAuthenticationResults: true, trustedHops: 10 };
    const judged = judgeMessage(facts, answersTo(facts), readAuthentication(facts.headers, trust));
    if (judged.verdict === 'malicious' || judged.verdict === 'clean')
      return `${judged.verdict} without a listing`;
    const live = judged.reasons.find(({ evidence }) => /https?:\/\//i.test(evidence));
    return live === undefined ? null : `a link in the evidence of ${live.code}`;
  } catch (error) {
    return String(error instanceof Error ? (error.stack ?? error.message) : error);
  }
}

export async function fuzzMail(options: {
  readonly seconds: number;
  readonly seed: number;
  readonly save: boolean;
}): Promise<MailFuzzReport> {
  const random = seededRandom(options.seed);
  const inputs = seeds();
  const failures: string[] = [];
  const endMs = performance.now() + options.seconds * 1_000;
  let [executions, slowestMs] = [0, 0];
  while (performance.now() < endMs && failures.length < 10) {
    const pick = (): Buffer => inputs[random.nat(inputs.length)] ?? Buffer.alloc(0);
    const bytes = mutate(pick(), pick(), random);
    const startMs = performance.now();
    const problem = await checkMail(bytes);
    slowestMs = Math.max(slowestMs, performance.now() - startMs);
    executions += 1;
    if (problem === null) continue;
    failures.push(problem);
    if (options.save) {
      mkdirSync(KEPT, { recursive: true });
      writeFileSync(join(KEPT, `failed-${options.seed}-${executions}.eml`), bytes);
    }
  }
  return { executions, slowestMs, failures };
}
