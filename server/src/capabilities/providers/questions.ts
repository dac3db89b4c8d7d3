import { type Domain, type Indicator, type Ip, isBogon, type Url } from '#domain/indicator/index.ts';
import type { OtxKey } from './providers.ts';

/** Who is asked what about one subject; what is left out does not apply. */
export type Questions = {
  readonly addresses?: Domain;
  readonly dns?: Domain;
  readonly rdap?: Ip | Domain;
  readonly tls?: Ip | Domain;
  readonly ct?: Domain;
  readonly internetdb?: Ip;
  readonly otx?: OtxKey;
  readonly scanner?: Ip | Domain | Url;
  readonly web?: Ip | Domain;
};

/** An address that is not public means something else to everybody: nobody outside is asked about it, or told of it. */
export function questionsOf(subject: Indicator, level: 'standard' | 'full'): Questions {
  const isWhole = level === 'full';
  switch (subject.kind) {
    case 'ip':
    case 'domain':
      return isPrivate(subject)
        ? {}
        : { ...hostQuestions(subject, isWhole), otx: { indicator: subject, isWhole }, scanner: subject };
    case 'url':
      return isPrivate(subject.host)
        ? {}
        : { ...hostQuestions(subject.host, isWhole), otx: { indicator: subject, isWhole }, scanner: subject };
    case 'hash':
      return { otx: { indicator: subject, isWhole } };
    default:
      return {};
  }
}

const isPrivate = (host: Ip | Domain): boolean => host.kind === 'ip' && isBogon(host);

/** Contract 2.1 rule 1: names in DNS and the technology stack are of `full`. */
function hostQuestions(host: Ip | Domain, isWhole: boolean): Questions {
  const web = isWhole ? { web: host } : {};
  if (host.kind === 'ip') return { rdap: host, tls: host, internetdb: host, ...web };
  const registered = registrableOf(host);
  return {
    addresses: host,
    ...(registered !== null && { rdap: registered }),
    tls: host,
    ct: host,
    ...(isWhole && { dns: host }),
    ...web,
  };
}

/** What a registry knows is the registered name, never a host below it; a public suffix is nobody's. */
const registrableOf = ({ registrable }: Domain): Domain | null =>
  registrable === null ? null : { kind: 'domain', value: registrable, registrable };

/** What all questions about one thing share, so that Redis Cluster keeps their answers in one place. */
export function siteOf(indicator: Indicator): string {
  switch (indicator.kind) {
    case 'domain':
      return indicator.registrable ?? indicator.value;
    case 'url':
      return siteOf(indicator.host);
    case 'email':
      return siteOf(indicator.domain);
    default:
      return indicator.value;
  }
}
