import { isIP } from 'node:net';
import { hostname } from 'node:os';
import type { AskScanner, ScanOutcome } from './ask-scanner.ts';
import { type Mark, markMessage } from './mark-message.ts';
import { Reinjection } from './reinjection.ts';
import type { Settings } from './settings.ts';
import type { Reply, SmtpPeer } from './smtp-peer.ts';

export type LogLine = Readonly<Record<string, string | number | boolean | null>>;
export type SessionDeps = {
  readonly settings: Settings;
  readonly scan: AskScanner;
  readonly log: (line: LogLine) => void;
  readonly isStopping: () => boolean;
};

const RECIPIENTS_MAX = 1_000;
/** SMTP extensions that need no work of a relay; each is offered only when the reinjection listener offers it. */
const PASSED = ['8BITMIME', 'SMTPUTF8', 'DSN', 'ENHANCEDSTATUSCODES'];
const XFORWARD = 'XFORWARD NAME ADDR PORT PROTO HELO IDENT SOURCE';
const AWAY: Reply = { code: 451, lines: ['4.3.2 The mail server behind the bridge does not answer'] };

/** One connection of Postfix: commands pass to the reinjection listener, and a message passes after its scan. */
export class Session {
  private readonly peer: SmtpPeer;
  private readonly deps: SessionDeps;
  private behind: Reinjection | null = null;
  private mailFrom: string | null = null;
  private recipients: string[] = [];
  private forwarded = new Map<string, string>();
  /** True while a received message is scanned and passed on, until it is answered. */
  isBusy = false;

  constructor(peer: SmtpPeer, deps: SessionDeps) {
    this.peer = peer;
    this.deps = deps;
  }

  async run(): Promise<void> {
    this.peer.reply(220, `${hostname()} ESMTP Assay bridge`);
    try {
      while (!this.deps.isStopping()) {
        const line = await this.peer.readLine();
        if (line === null) return;
        if (!(await this.obey(line))) return;
      }
      this.peer.reply(421, '4.3.2 The bridge is stopping');
    } finally {
      this.behind?.close();
      this.peer.end();
    }
  }

  /** Ends a session that waits for its next command. */
  stop(): void {
    if (this.isBusy) return;
    this.peer.reply(421, '4.3.2 The bridge is stopping');
    this.peer.end();
  }

  /** Carries out one command; false ends the session. */
  private async obey(line: string): Promise<boolean> {
    const verb = (/^[A-Za-z]+/.exec(line)?.[0] ?? '').toUpperCase();
    if (verb === 'EHLO' || verb === 'HELO') return this.greet(verb, line);
    if (verb === 'QUIT') {
      this.peer.reply(221, '2.0.0 Bye');
      return false;
    }
    if (verb === 'NOOP') this.peer.reply(250, '2.0.0 Ok');
    else if (this.behind === null) this.peer.reply(503, '5.5.1 Send EHLO first');
    else if (verb === 'XFORWARD') await this.keepForwarded(this.behind, line);
    else if (verb === 'MAIL') await this.passMail(this.behind, line);
    else if (verb === 'RCPT') await this.passRecipient(this.behind, line);
    else if (verb === 'DATA') return this.takeMessage(this.behind);
    else if (verb === 'RSET') await this.reset(this.behind);
    else this.peer.reply(502, '5.5.2 This command is not known here');
    return true;
  }

  private async greet(verb: string, line: string): Promise<boolean> {
    const name = /^\S+\s+([\w.:[\]-]{1,255})\s*$/.exec(line)?.[1] ?? 'localhost';
    this.behind?.close();
    this.forget();
    this.behind = await Reinjection.open(this.deps.settings.reinject, name);
    if (this.behind === null) {
      this.deps.log({ event: 'reinjection listener away' });
      this.peer.reply(421, AWAY.lines[0] ?? '');
      return false;
    }
    const offered = PASSED.filter((each) => this.behind?.extensions.includes(each));
    if (verb === 'HELO') this.peer.reply(250, hostname());
    else this.peer.reply(250, hostname(), `SIZE ${this.deps.settings.messageBytesMax}`, ...offered, XFORWARD);
    return true;
  }

  private forget(): void {
    this.mailFrom = null;
    this.recipients = [];
  }

  private answer(reply: Reply | null): boolean {
    const { code, lines } = reply ?? AWAY;
    this.peer.reply(code, ...lines);
    return reply !== null && code < 300;
  }

  private async keepForwarded(behind: Reinjection, line: string): Promise<void> {
    for (const [, name = '', value = ''] of line.matchAll(/ ([A-Za-z]{2,10})=(\S{1,300})/g))
      this.forwarded.set(name.toUpperCase(), value);
    const isTaken = behind.extensions.some((each) => each.startsWith('XFORWARD '));
    if (isTaken) this.answer(await behind.command(line));
    else this.peer.reply(250, '2.0.0 Ok');
  }

  private async passMail(behind: Reinjection, line: string): Promise<void> {
    this.forget();
    if (this.answer(await behind.command(line))) this.mailFrom = line;
  }

  private async passRecipient(behind: Reinjection, line: string): Promise<void> {
    if (this.recipients.length >= RECIPIENTS_MAX) this.peer.reply(452, '4.5.3 Too many recipients');
    else if (this.answer(await behind.command(line))) this.recipients.push(addressIn(line));
  }

  private async reset(behind: Reinjection): Promise<void> {
    this.forget();
    this.answer(await behind.command('RSET'));
  }

  private async takeMessage(behind: Reinjection): Promise<boolean> {
    if (this.recipients.length === 0) {
      this.peer.reply(503, '5.5.1 No valid recipients');
      return true;
    }
    this.peer.reply(354, 'End data with <CR><LF>.<CR><LF>');
    const message = await this.peer.readMessage(this.deps.settings.messageBytesMax);
    if (message === null) return false;
    this.isBusy = true;
    try {
      if (message === 'tooLarge') {
        this.peer.reply(552, '5.3.4 The message is larger than ASSAY_MESSAGE_BYTES_MAX of the bridge');
        return false;
      }
      return await this.passMessage(behind, message);
    } finally {
      this.isBusy = false;
      this.forget();
      this.forwarded.clear();
    }
  }

  private async passMessage(behind: Reinjection, message: Buffer): Promise<boolean> {
    const startedMs = performance.now();
    const outcome = await this.deps.scan(message, this.connectingIp());
    const log = (result: string): void =>
      this.deps.log({
        event: 'message',
        queueId: this.forwarded.get('IDENT') ?? null,
        bytes: message.length,
        ms: Math.round(performance.now() - startedMs),
        scan: outcome.ok ? outcome.scanned.verdict : outcome.reason,
        action: outcome.ok ? outcome.scanned.action : null,
        result,
      });
    // Postfix gave up and keeps the message, so delivering it now would deliver it twice.
    if (this.peer.isClosed) {
      log('given up');
      return false;
    }
    if (!outcome.ok && this.deps.settings.onFailure === 'closed') {
      this.peer.reply(451, `4.7.1 Assay could not scan this message (${outcome.reason}); it stays queued`);
      log('kept queued');
      return (await behind.command('RSET')) !== null;
    }
    const isHeld = outcome.ok && outcome.scanned.action === 'quarantine';
    const { quarantineTo } = this.deps.settings;
    const isRedirected = isHeld && quarantineTo !== null;
    const refusal = isRedirected ? await this.redirect(behind, quarantineTo) : null;
    const envelope = isRedirected ? this.envelope() : [];
    const marks = [...marksOf(outcome), ...envelope];
    const reply = refusal ?? (await behind.send(markMessage(message, marks)));
    const { code, lines } = reply ?? AWAY;
    this.peer.reply(code, ...lines);
    log(code >= 300 ? `answered ${code}` : isRedirected ? 'quarantined' : 'delivered');
    return reply !== null;
  }

  /** Readdresses the message to the quarantine mailbox. Null when the listener accepted, else the reply to give. */
  private async redirect(behind: Reinjection, mailbox: string): Promise<Reply | null> {
    // Without a sender, because a report about the quarantine mailbox must not reach the (often forged) sender.
    const mailFrom = (this.mailFrom ?? '').replace(/<.*?>/, '<>').replace(/ (?:RET|ENVID)=\S+/gi, '');
    for (const line of ['RSET', mailFrom, `RCPT TO:<${mailbox}>`]) {
      const reply = await behind.command(line);
      if (reply === null) return AWAY;
      if (reply.code >= 300) return { code: 451, lines: ['4.3.5 The quarantine mailbox was not accepted'] };
    }
    return null;
  }

  /** Headers that keep the original envelope, which a release from quarantine needs again. */
  private envelope(): readonly Mark[] {
    return [
      ['X-Assay-Sender', addressIn(this.mailFrom ?? '')],
      ['X-Assay-Recipients', this.recipients.join(', ')],
    ];
  }

  private connectingIp(): string | null {
    const address = this.forwarded.get('ADDR')?.replace(/^ipv6:/i, '') ?? '';
    return isIP(address) === 0 ? null : address;
  }
}

const addressIn = (line: string): string => /<([^<>]{0,320})>/.exec(line)?.[1] ?? '?';

function marksOf(outcome: ScanOutcome): readonly Mark[] {
  if (!outcome.ok) return [['X-Assay-Scan', `skipped; reason=${outcome.reason}`]];
  const { verdict, action, score, reasons } = outcome.scanned;
  return [
    ['X-Assay-Scan', 'done'],
    ['X-Assay-Verdict', verdict],
    ['X-Assay-Action', action],
    ['X-Assay-Score', String(score)],
    ...(reasons.length > 0 ? [['X-Assay-Reasons', reasons.join(', ')] as const] : []),
  ];
}
