import type { Authentication } from '../headers/authentication.ts';
import type { MessageFacts } from '../message-facts.ts';
import type { MailAnswers } from './item-word.ts';
import { inert, inertValue, type Reason, type Sign } from './reason.ts';
import { listedReason } from './sender-reasons.ts';

/** Reasons from what the caller's receiving system reports; this service verifies none of it (contract 4.9 rule 4). */
export function authenticationReasons(
  { status, spf, dkim, dmarc, headerFrom, policy }: Authentication,
  { from }: MessageFacts,
): readonly (Reason | Sign)[] {
  if (status !== 'trusted') return [];
  const evidence = inert(headerFrom ?? from?.email?.domain.value ?? '');
  const reasons: (Reason | Sign)[] = [];
  if (dmarc === 'fail')
    reasons.push({
      code: 'auth.dmarc_fail',
      severity: policy === 'none' ? 'low' : 'medium',
      summary:
        'The receiving system reports that DMARC failed: the domain of the sender did not send this message.',
      evidence,
    });
  if (spf === 'fail' || spf === 'softfail')
    reasons.push({
      code: 'auth.spf_fail',
      severity: spf === 'fail' && dmarc !== 'pass' ? 'low' : 'info',
      points: spf === 'softfail' && dmarc !== 'pass' ? 0.5 : 0,
      summary:
        'The receiving system reports that the sending host is not one of those that the domain names.',
      evidence,
    });
  if (dkim === 'fail')
    reasons.push({
      code: 'auth.dkim_fail',
      severity: 'info',
      points: dmarc === 'pass' ? 0 : 0.5,
      summary:
        'The receiving system reports that a signature does not hold, as after a change by a mailing list.',
      evidence,
    });
  return reasons;
}

export function otherReasons(facts: MessageFacts, answers: MailAnswers): readonly (Reason | Sign)[] {
  const reasons: (Reason | Sign | null)[] = [];
  const { connecting, posture } = answers;
  if (connecting !== null) {
    const listed = listedReason(
      'ip.listed',
      'The connecting address',
      connecting.ip.value,
      connecting.word,
      false,
    );
    // A weak listing never decides alone, because many address lists are noisy and mail services share addresses.
    reasons.push(listed?.severity === 'low' ? { ...listed, severity: 'info', points: 0.5 } : listed);
  }
  if (posture?.spoofable === true && !posture.hasSpf && !posture.hasDmarc)
    reasons.push({
      code: 'sender.no_mail_authentication',
      severity: 'info',
      points: 0.5,
      summary: 'The domain of the sender publishes neither SPF nor DMARC, so anybody can send in its name.',
      evidence: inert(facts.from?.email?.domain.value ?? ''),
    });
  for (const [at, contact] of facts.contacts.entries()) {
    const word = answers.contacts[at];
    if (word === undefined || word.verdict === 'unknown') continue;
    reasons.push({
      code: 'contact.listed',
      severity: word.verdict === 'malicious' ? 'medium' : 'low',
      summary: `A ${CONTACT_WORDS[contact.kind]} in the message is on a threat list.`,
      evidence: inertValue(contact.value),
    });
  }
  if (facts.hasPasswordField)
    reasons.push({
      code: 'message.credential_form',
      severity: 'medium',
      summary: 'The message or a page attached to it asks for a password in a form of its own.',
      evidence: 'a field for a password',
    });
  return [...reasons.filter((reason) => reason !== null), ...injectionReasons(facts)];
}

const CONTACT_WORDS = { email: 'mail address', phone: 'phone number', crypto: 'wallet' } as const;
const INJECTION_MIN = 0.5;

function injectionReasons({ injection }: MessageFacts): readonly Reason[] {
  const { score, hiddenScore, families } = injection;
  const reasons: Reason[] = [];
  if (hiddenScore > 0)
    reasons.push({
      code: 'injection.hidden',
      severity: 'medium',
      summary: 'Text that a reader does not see gives orders to a program that reads the mail.',
      evidence: families.join(', '),
    });
  if (score >= INJECTION_MIN)
    reasons.push({
      code: 'injection.detected',
      severity: 'medium',
      summary: 'The text gives orders to a program that reads the mail.',
      evidence: families.join(', '),
    });
  return reasons;
}
