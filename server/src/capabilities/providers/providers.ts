import type { Domain, Hash, Ip, Url } from '#domain/indicator/index.ts';
import type { CtHistory, Technologies, TlsFacts, Vulnerabilities, Whois } from './contract-hosts.ts';
import type { Addresses, DnsFacts, Tenant } from './contract-names.ts';
import type { IntelOwlReport, Otx, ScannerVerdict } from './contract-opinions.ts';
import type { Observations } from './observation.ts';
import type { Lookup } from './outcome.ts';

/** `isWhole`: with the fields that contract 2.4 reserves for `full`. */
export type OtxKey = { readonly indicator: Ip | Domain | Url | Hash; readonly isWhole: boolean };
export type IntelOwlKey = { readonly type: 'ip' | 'domain' | 'url' | 'hash'; readonly value: string };

export type Providers = {
  readonly addresses: Lookup<Domain, Addresses>;
  readonly dns: Lookup<Domain, DnsFacts>;
  readonly rdap: Lookup<Ip | Domain, Whois>;
  readonly tls: Lookup<Ip | Domain, TlsFacts>;
  readonly ct: Lookup<Domain, CtHistory>;
  readonly internetdb: Lookup<Ip, Vulnerabilities>;
  readonly otx: Lookup<OtxKey, Otx>;
  readonly scanner: Lookup<Ip | Domain | Url, ScannerVerdict>;
  readonly web: Lookup<Ip | Domain, Technologies>;
  readonly tenant: Lookup<Domain, Tenant>;
  readonly intelowl: Lookup<IntelOwlKey, IntelOwlReport>;
  readonly observations: Observations;
  readonly close: () => Promise<void>;
};

/** The providers that a check may ask. */
export type CheckedName = Exclude<keyof Providers, 'tenant' | 'intelowl' | 'observations' | 'close'>;
