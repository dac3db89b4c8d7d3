import type { Authentication, MailAnswers, MailJudgement, MessageFacts } from '#domain/mail/index.ts';
import { inertText } from '#domain/text/inert-text.ts';
import type { ScanResult } from './contract-result.ts';

const ADDRESS_MAX = 320;
const NAME_MAX = 300;

type From = { readonly origin: 'attached_message' | 'attachment' | null; readonly originName: string | null };
const originOf = ({ origin, originName }: From) => ({
  ...(origin !== null && { origin }),
  ...(originName !== null && { originName }),
});

export function presentScan(
  facts: MessageFacts,
  answers: MailAnswers,
  {
    authentication,
    judged,
    latencyMs,
  }: {
    readonly authentication: Authentication;
    readonly judged: MailJudgement;
    readonly latencyMs: number;
  },
): ScanResult {
  const { verdict, action, score, headline, reasons, coverage } = judged;
  return {
    verdict,
    recommendedAction: action,
    riskScore: score,
    headline,
    reasons: [...reasons],
    sender: presentSender(facts, answers, judged),
    authentication: presentAuthentication(authentication),
    connectingIp: presentConnecting(answers, judged),
    links: presentLinks(facts, answers, judged),
    attachments: presentAttachments(facts, answers, judged),
    contacts: facts.contacts.map(({ value, kind, ...from }, at) => ({
      value,
      kind,
      verdict: answers.contacts[at]?.verdict ?? 'unknown',
      sources: answers.contacts[at]?.sources ?? 0,
      ...originOf(from),
    })),
    injection: { ...facts.injection, families: [...facts.injection.families] },
    coverage: { ran: [...coverage.ran], skipped: [...coverage.skipped], truncated: coverage.truncated },
    latencyMs,
  };
}

function presentSender(
  facts: MessageFacts,
  { sender, posture }: MailAnswers,
  judged: MailJudgement,
): ScanResult['sender'] {
  const { from, replyTo, returnPath } = facts;
  return {
    address: from?.email?.value ?? inertText(from?.address, ADDRESS_MAX),
    domain: from?.email?.domain.value ?? null,
    displayName: inertText(from?.name, NAME_MAX),
    verdict: judged.sender,
    freeProvider: sender?.isFree ?? false,
    disposable: sender?.isDisposable ?? false,
    mx: posture?.hasMx ?? null,
    returnPath: returnPath?.email?.value ?? inertText(returnPath?.address, ADDRESS_MAX),
    replyTo: replyTo.flatMap(({ email, address }) => email?.value ?? inertText(address, ADDRESS_MAX) ?? []),
    posture,
  };
}

const presentAuthentication = ({
  status,
  spf,
  dkim,
  dmarc,
  headerFrom,
}: Authentication): ScanResult['authentication'] => ({
  status,
  ...(spf !== null && { spf }),
  ...(dkim !== null && { dkim }),
  ...(dmarc !== null && { dmarc }),
  ...(headerFrom !== null && { headerFrom }),
});

const presentConnecting = ({ connecting }: MailAnswers, judged: MailJudgement): ScanResult['connectingIp'] =>
  connecting === null
    ? null
    : {
        address: connecting.ip.value,
        verdict: judged.connecting,
        sources: connecting.word.sources,
        listed: [...connecting.word.sourceNames],
      };

const presentLinks = (
  facts: MessageFacts,
  { links }: MailAnswers,
  judged: MailJudgement,
): ScanResult['links'] =>
  facts.links.map(({ url, host, anchorText, shownDomain, ...from }, at) => ({
    url,
    host: host.value,
    verdict: judged.links[at]?.verdict ?? 'unknown',
    sources: links[at]?.sources ?? 0,
    flags: [...(judged.links[at]?.flags ?? [])],
    anchorText: inertText(anchorText, NAME_MAX),
    shownDomain,
    ...originOf(from),
  }));

const presentAttachments = (
  facts: MessageFacts,
  { attachments }: MailAnswers,
  judged: MailJudgement,
): ScanResult['attachments'] =>
  facts.attachments.map((file, at) => ({
    filename: inertText(file.filename, 255),
    contentType: inertText(file.contentType, 255),
    size: file.size,
    inline: file.isInline,
    digests: file.digests,
    verdict: judged.attachments[at]?.verdict ?? 'unknown',
    knownGood: attachments[at]?.isKnownGood ?? false,
    family: inertText(attachments[at]?.family, 200),
    flags: [...file.flags],
    detectedType: file.detectedType,
    ...originOf(file),
  }));
