import { proofRecord, showsProof } from '#domain/sso/index.ts';
import { type Dns, DnsError } from '#platform/dns.ts';

const DEADLINE_MS = 4_000;

/** `unknown`: the name servers did not answer, which says nothing about the record. */
export type Proof = 'shown' | 'absent' | 'unknown';

export async function findProof(dns: Dns, domain: string, token: string): Promise<Proof> {
  try {
    const answer = await dns.resolve(proofRecord(domain, token).name, 'TXT', { deadlineMs: DEADLINE_MS });
    return answer.state === 'found' && showsProof(answer.records, token) ? 'shown' : 'absent';
  } catch (error) {
    if (error instanceof DnsError) return 'unknown';
    throw error;
  }
}
