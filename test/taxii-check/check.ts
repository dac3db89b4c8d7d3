import type { Findings } from './findings.ts';
import type { Options } from './options.ts';
import { type Answer, type AskOptions, TAXII_TYPE, type Wire } from './wire.ts';

/** What every part of a check needs. */
export type Check = {
  readonly wire: Wire;
  readonly findings: Findings;
  readonly options: Options;
  readonly progress: (words: string) => void;
  /** Asks for a resource that must exist. Returns null, and records a finding, when the answer is no 200 with JSON. */
  readonly ask: (url: URL, options?: AskOptions) => Promise<Answer | null>;
};

export function createCheck(parts: Omit<Check, 'ask'>): Check {
  const { findings } = parts;
  return {
    ...parts,
    ask: async (url, options = {}) => {
      const answer = await askEitherWay(parts, url, options);
      if (answer === null) return null;
      if (answer.body === null) {
        findings.violation('json', answer.request, answer.text.slice(0, 160));
        return null;
      }
      const type = answer.headers.get('content-type') ?? 'no Content-Type';
      if ((options.accept ?? TAXII_TYPE) === TAXII_TYPE && !isTaxiiType(type))
        findings.violation('media-type', answer.request, `Content-Type: ${type}`);
      return answer;
    },
  };
}

/** Asks with the final slash of TAXII paths; where that fails, asks again without it and records a finding. */
async function askEitherWay(
  { wire, findings }: Omit<Check, 'ask'>,
  url: URL,
  options: AskOptions,
): Promise<Answer | null> {
  const answer = await wire.ask(url, options);
  if (answer.status === 200) return answer;
  const bare = new URL(url);
  bare.pathname = url.pathname.replace(/\/$/, '');
  const other = bare.pathname === url.pathname ? answer : await wire.ask(bare, options);
  if (other.status !== 200) {
    findings.violation('reachable', answer.request, `${answer.status}: ${answer.text.slice(0, 160)}`);
    return null;
  }
  findings.violation('trailing-slash', answer.request, `${answer.status} with a slash, 200 without`);
  return other;
}

/** Compares as the OASIS client does: the media type stands first, and version=2.1 is among its parameters. */
export function isTaxiiType(contentType: string): boolean {
  const [type, ...parameters] = contentType.replaceAll(' ', '').toLowerCase().split(';');
  return type === 'application/taxii+json' && parameters.includes('version=2.1');
}
